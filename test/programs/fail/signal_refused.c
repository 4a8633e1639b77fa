// Of signals, what is refused by name.
//
// expect: case=queue cflags=-DQUEUE verdict=unsupported reason="signals of real time" algorithms=source
// expect: case=stack cflags=-DSTACK verdict=unsupported reason="a stack of its own" algorithms=source
// expect: case=attribute cflags=-DATTRIBUTE verdict=unsupported reason="pthread_attr_setsigmask_np" algorithms=source
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t handled;

static void handle(int number) {
  (void)number;
  handled++;
}

static void* run(void* unused) { return unused; }

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t set;
  struct sigaction action = {.sa_handler = handle};
  sigfillset(&set);
  pthread_attr_init(&attributes);
#if defined QUEUE
  sigaction(SIGRTMIN, &action, NULL);
  pthread_create(&thread, &attributes, run, NULL);
  pthread_kill(thread, SIGRTMIN);
  pthread_kill(thread, SIGRTMIN);
#elif defined STACK
  static char memory[16384];
  const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&thread, &attributes, run, NULL);
  raise(SIGUSR1);
#else
  pthread_attr_setsigmask_np(&attributes, &set);
  pthread_create(&thread, &attributes, run, NULL);
#endif
  pthread_join(thread, NULL);
  return handled > 9;
}
