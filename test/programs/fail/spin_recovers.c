// expect: verdict=bug kind=assertion
// A turn of the loop takes and gives back the lock of a thread that died, which makes it unusable: that is a change.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static atomic_int flag;

static void* dies(void* unused) {
  pthread_mutex_lock(&mutex);
  return NULL;
}

static void* setter(void* unused) {
  atomic_store(&flag, 1);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t dead, thread;
  pthread_create(&dead, NULL, dies, NULL);
  pthread_join(dead, NULL);
  pthread_create(&thread, NULL, setter, NULL);
  while (!atomic_load(&flag)) {
    const int error = pthread_mutex_lock(&mutex);
    assert(error != ENOTRECOVERABLE); /* ERROR */
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
