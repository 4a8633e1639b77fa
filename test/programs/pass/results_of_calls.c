// expect: verdict=verified
// What a call fills in is an access of its caller: under the lock that it holds, after the thread that it joins.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_t thread, second;
static void* result;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;
static struct timespec deadline;
static pthread_mutexattr_t type;

static void* helper(void* unused) {
  (void)unused;
  return &value;
}

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_getvalue(&semaphore, &value);
  deadline.tv_sec = 1;
  pthread_mutex_unlock(&mutex);
  pthread_create(&second, NULL, helper, NULL);
  pthread_join(second, &result);
  return NULL;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_mutexattr_init(&type);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_t own;
  pthread_mutex_init(&own, &type);
  pthread_mutex_lock(&mutex);
  nanosleep(&deadline, NULL);
  sem_getvalue(&semaphore, &value);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return result == &value && value == 0 ? 0 : 1;
}
