// expect: verdict=verified
// expect: case=masked verdict=verified cflags=-DMASKED
// A handler runs at some place of the thread that the signal was sent to: what it shares with that thread is looked at before it, or
// after it. With the signal blocked, the wait for it cannot miss it.
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stopped;
static pthread_t receiver;

static void stop(int number) { stopped = number; }

static void* send(void* argument) {
  pthread_kill(receiver, SIGUSR1);
  return argument;
}

int main(void) {
  pthread_t sender;
  struct sigaction action = {0};
  receiver = pthread_self();
  action.sa_handler = stop;
  sigaction(SIGUSR1, &action, 0);
#ifdef MASKED
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
#endif
  pthread_create(&sender, 0, send, 0);
#ifdef MASKED
  while (!stopped) sigsuspend(&before);
#else
  while (!stopped) {
  }
#endif
  pthread_join(sender, 0);
  return 0;
}
