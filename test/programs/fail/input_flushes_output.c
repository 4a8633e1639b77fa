// expect: verdict=bug kind=deadlock stdin="x"
// To read from an unbuffered stream takes the lock of stdout, which is flushed first: here in the other order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* reader(void* unused) {
  pthread_mutex_lock(&mutex);
  getchar();
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  setvbuf(stdin, NULL, _IONBF, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  flockfile(stdout);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stdout);
  pthread_join(thread, NULL);
}
