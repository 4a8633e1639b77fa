// expect: verdict=verified
// Signals that the program sends to itself: handlers run in the sender, a blocked signal waits for sigwait, ignored ones are nothing.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void handler(int number) { handled = number; }

static void* waiter(void* argument) {
  int number = 0;
  assert(sigwait(argument, &number) == 0);
  assert(number == SIGUSR2);
  return NULL;
}

int main(void) {
  sigset_t set;
  struct sigaction action = {0}, before;
  action.sa_handler = handler;
  assert(sigaction(SIGUSR1, &action, &before) == 0 && before.sa_handler == SIG_DFL);
  assert(raise(SIGUSR1) == 0 && handled == SIGUSR1);
  signal(SIGHUP, SIG_IGN);
  assert(kill(getpid(), SIGHUP) == 0);
  int pipes[2];
  signal(SIGPIPE, handler);
  assert(pipe(pipes) == 0 && close(pipes[0]) == 0 && write(pipes[1], "x", 1) < 0 && handled == SIGPIPE);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, &set);
  assert(kill(getpid(), SIGUSR2) == 0);
  pthread_join(thread, NULL);
  return 0;
}
