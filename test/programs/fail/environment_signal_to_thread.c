// expect: verdict=unsupported reason=SIGUSR1
// Whether threads are interrupted is known from the functions that the program calls by name.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void handler(int number) { (void)number; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, worker, NULL);
  int (*volatile send)(pthread_t, int) = pthread_kill;
  send(thread, SIGUSR1);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
