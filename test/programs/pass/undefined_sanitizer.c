// expect: verdict=verified cflags=-fsanitize=undefined naive
// The compiler's checks for undefined behaviour do not stand in the way.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int values[2] = {1, 2}, sum;

static void* worker(void* argument) {
  pthread_mutex_lock(&mutex);
  sum += values[argument != NULL] << 2;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(values);
  pthread_join(thread, NULL);
  return sum == 12 ? 0 : 1;
}
