// expect: verdict=bug kind=crash naive
// The signal ends the process if it comes before main has blocked it; if it comes later, it is pending for ever.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_t main_thread;

static void* worker(void* unused) {
  pthread_kill(main_thread, SIGUSR1); /* ERROR */
  return unused;
}

int main(void) {
  main_thread = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_join(thread, NULL);
  return 0;
}
