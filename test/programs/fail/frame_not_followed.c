// Objects whose end is not told, and memory that the library keeps and that may end: one thread is enough for them to matter.
// expect: case=tail_call verdict=inconclusive assumption="an object that may be used after its block" cflags=-DTAIL
// expect: case=no_debug_information verdict=inconclusive assumption="an object that may be used after its block" cflags=-DNODEBUG
// expect: case=buffer verdict=inconclusive assumption="memory of the program's that the library keeps" cflags=-DBUFFER
// expect: case=information_of_a_signal verdict=bug kind=memory-error cflags=-DSIGNAL
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int *volatile kept;
static volatile int one = 1;
__attribute__((noinline)) static void keep(int *object) { kept = object; }
__attribute__((noinline)) static int look(const int *object) { return *object; }

#ifdef TAIL
__attribute__((noinline)) static int next(int value) { return value; }
__attribute__((noinline)) static int leave(int value) {
  int local = 1;
  keep(&local);
  __attribute__((musttail)) return next(value);
}
#elif defined NODEBUG
__attribute__((nodebug, noinline)) static int leave(int value) {
  if (one) goto inside;
  {
    int local;
  inside:
    local = value;
    keep(&local);
  }
  return look(kept);
}
#elif defined BUFFER
__attribute__((noinline)) static void buffer_of(FILE *stream) {
  char local[300];
  setvbuf(stream, local, _IOFBF, sizeof local);
  fputs("hello", stream);
}
static int leave(int value) {
  FILE *stream = fopen("/dev/null", "w");
  buffer_of(stream);
  return value + fputs("more", stream) + fclose(stream);
}
#else
static void handle(int number, siginfo_t *about, void *context) {
  (void)number, (void)context;
  keep(&about->si_signo);
}
static int leave(int value) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  return value;
}
#endif

int main(void) {
  leave(1);
#if defined TAIL || defined SIGNAL
  look(kept);
#endif
  keep(NULL);
  return one && look((const int *)&one) == 12345;
}
