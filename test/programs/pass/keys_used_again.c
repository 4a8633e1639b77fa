// expect: case=own verdict=verified naive cflags=-DOWN
// expect: case=empty verdict=verified naive cflags=-DEMPTY
// expect: case=destructor verdict=verified cflags=-DDESTRUCTOR
// The number of a deleted key is the next one's: no thread finds a value there, and none is destroyed by the new key's destructor.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#if defined OWN
static void* worker(void* argument) {
  for (int i = 0; i < 2; ++i) {
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &key);
    assert(pthread_getspecific(key) == &key);
    pthread_key_delete(key);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
}
#elif defined EMPTY
static pthread_key_t key;
static sem_t set, made;

static void* worker(void* argument) {
  pthread_setspecific(key, &key);
  sem_post(&set);
  sem_wait(&made);
  assert(pthread_getspecific(key) == NULL);
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&set, 0, 0);
  sem_init(&made, 0, 0);
  pthread_key_create(&key, NULL);
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&set);
  pthread_key_t old = key;
  pthread_key_delete(old);
  pthread_key_create(&key, NULL);
  assert(key == old);
  sem_post(&made);
  pthread_join(thread, NULL);
}
#else
static pthread_key_t key;
static sem_t set;
static int destroyed;

static void destroy(void* value) { *(int*)value = 1; }

static void* worker(void* argument) {
  pthread_setspecific(key, &destroyed);
  sem_post(&set);
  return argument;
}

static void other(void* value) {
  (void)value;
  assert(0);
}

int main(void) {
  pthread_t thread;
  sem_init(&set, 0, 0);
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&set);
  pthread_key_delete(key);
  pthread_key_create(&key, other);
  pthread_join(thread, NULL);
}
#endif
