// A naked function is assembly: nobody sees that it writes the variable that the other thread reads, nor that it makes the loop end.
// expect: verdict=inconclusive assumption="uninstrumented function called: advance at naked_function.c:20"
// expect: case=pointer verdict=inconclusive cflags=-DPOINTER assumption="naked_function.c:18"
// expect: case=routine verdict=inconclusive cflags=-DROUTINE assumption="uninstrumented function started as a thread"
#include <pthread.h>
#include <stdatomic.h>

int counter;
static atomic_int stop;

__attribute__((naked)) static int advance(void) { __asm__("incl counter(%rip)\n\tmovl counter(%rip), %eax\n\tret"); }
__attribute__((naked)) static void* routine(void* argument) { __asm__("incl counter(%rip)\n\txorl %eax, %eax\n\tret"); }
static int (*volatile step)(void) = advance;

static void* worker(void* argument) {
#ifdef POINTER
  while (!stop)
    if (step() > 3) break;
#else
  while (advance() < 3 && !stop) {
  }
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
#ifdef ROUTINE
  pthread_create(&thread, 0, routine, worker);
#else
  pthread_create(&thread, 0, worker, 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
