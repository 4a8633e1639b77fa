// expect: verdict=unsupported reason="signal_missed.c:22"
// The signal may come between the look at the flag and the wait: then only another one, from outside, could end it.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;
static pthread_t receiver;

static void stop(int number) { stopped = number; }

static void* send(void* argument) {
  pthread_kill(receiver, SIGUSR1);
  return argument;
}

int main(void) {
  pthread_t sender;
  receiver = pthread_self();
  signal(SIGUSR1, stop);
  pthread_create(&sender, 0, send, 0);
  while (!stopped) pause();
  pthread_join(sender, 0);
  return 0;
}
