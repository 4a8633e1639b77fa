// expect: verdict=verified
// The repair: a mutex for each class, and a semaphore as the room, since the last to leave need not be who came first.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

typedef struct {
  pthread_mutex_t mutex;
  int count;
} operation_class;

static operation_class classes[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static sem_t room;
static int inside;  // class that has the room, plus one

static void* operation(void* argument) {
  operation_class* mine = argument;
  const int me = (int)(mine - classes) + 1;
  pthread_mutex_lock(&mine->mutex);
  if (++mine->count == 1) {
    sem_wait(&room);
    assert(inside == 0);
    inside = me;
  }
  pthread_mutex_unlock(&mine->mutex);
  assert(inside == me);
  pthread_mutex_lock(&mine->mutex);
  if (--mine->count == 0) {
    inside = 0;
    sem_post(&room);
  }
  pthread_mutex_unlock(&mine->mutex);
  return NULL;
}

int main(void) {
  pthread_t a1, a2, b;
  sem_init(&room, 0, 1);
  pthread_create(&a1, NULL, operation, &classes[0]);
  pthread_create(&a2, NULL, operation, &classes[0]);
  pthread_create(&b, NULL, operation, &classes[1]);
  pthread_join(a1, NULL);
  pthread_join(a2, NULL);
  pthread_join(b, NULL);
  return 0;
}
