// expect: verdict=bug kind=deadlock
// Operations of one class may run together, operations of two classes may not (Inspect, dissertation 2009, Fig. 3.2).
// Whoever waits for the room keeps the counters' mutex, which those inside need to leave.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a_count, b_count;

static void* class_a(void* unused) {
  pthread_mutex_lock(&mutex); /* ERROR */
  if (++a_count == 1) {
    pthread_mutex_lock(&lock); /* ERROR */
  }
  pthread_mutex_unlock(&mutex);
  // The operation itself.
  pthread_mutex_lock(&mutex); /* ERROR */
  if (--a_count == 0) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* class_b(void* unused) {
  pthread_mutex_lock(&mutex); /* ERROR */
  if (++b_count == 1) {
    pthread_mutex_lock(&lock); /* ERROR */
  }
  pthread_mutex_unlock(&mutex);
  // The operation itself.
  pthread_mutex_lock(&mutex); /* ERROR */
  if (--b_count == 0) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, class_a, NULL);
  pthread_create(&b, NULL, class_b, NULL);
  pthread_join(a, NULL); /* ERROR */
  pthread_join(b, NULL); /* ERROR */
  return 0;
}
