// expect: verdict=bug kind=data-race
// A handler runs in the thread that sends the signal: what it writes races with the others.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int count;
static void handler(int number) { count += number; /* ERROR */ }

static void* sender(void* unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  const int seen = count; /* ERROR */
  pthread_join(thread, NULL);
  return seen > SIGUSR1;
}
