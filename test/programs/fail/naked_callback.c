// A library function or the runtime calls a function without hooks: nobody sees that it changes the variable that the other thread
// writes as well.
// expect: case=sort verdict=inconclusive cflags=-DSORT assumption="uninstrumented function called: compare by qsort at naked_callback.c:39"
// expect: case=find verdict=inconclusive cflags=-DSEARCH assumption="uninstrumented function called: compare by lfind"
// expect: case=key verdict=inconclusive cflags=-DKEY assumption="by the end of a thread, as the destructor of a key"
// expect: case=once verdict=inconclusive cflags=-DONCE assumption="by pthread_once or call_once"
// expect: case=signal verdict=inconclusive cflags=-DSIGNAL assumption="by a signal"
// expect: case=exit verdict=inconclusive cflags=-DEXIT assumption="uninstrumented function called: a function by exit"
// expect: case=quick verdict=inconclusive cflags=-DQUICK assumption="by quick_exit"
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

int counter;

__attribute__((naked)) static int compare(const void* a, const void* b) {
  __asm__("incl counter(%rip)\n\txorl %eax, %eax\n\tret");
}
__attribute__((naked)) static void count(void) { __asm__("incl counter(%rip)\n\tret"); }
__attribute__((naked)) static void count_argument(void* a) { __asm__("incl counter(%rip)\n\tret"); }
__attribute__((naked)) static void count_signal(int number) { __asm__("incl counter(%rip)\n\tret"); }

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void* worker(void* argument) {
  int numbers[2] = {2, 1};
  size_t size = 2;
#ifdef KEY
  pthread_setspecific(key, &once);
#elif defined ONCE
  pthread_once(&once, count);
#elif defined SIGNAL
  raise(SIGUSR1);
#elif defined SEARCH
  lfind(&numbers[1], numbers, &size, sizeof *numbers, compare);
#elif defined SORT
  qsort(numbers, size, sizeof *numbers, compare);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, count_argument);
  signal(SIGUSR1, count_signal);
#ifdef EXIT
  atexit(count);
#endif
  at_quick_exit(count);
  pthread_create(&thread, 0, worker, 0);
#if defined EXIT || defined QUICK
  pthread_detach(thread);
#else
  pthread_join(thread, 0);
#endif
#ifdef QUICK
  quick_exit(0);
#endif
  return 0;
}
