// expect: verdict=bug|inconclusive kind=assertion options=--max-executions=300
// The turn of the loop changes an object on its thread's stack and changes it back, and another thread may see it in between: the bug
// needs two such turns.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;
static int* busy;

static int look(void) {
  pthread_mutex_lock(&mutex);
  const int seen = *busy;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static void* observer(void* unused) {
  const int first = look(), second = look(), third = look();
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  assert(!(first && !second && third));
  return NULL;
}

int main(void) {
  int working = 0;
  busy = &working;
  pthread_t thread;
  pthread_create(&thread, NULL, observer, NULL);
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    working = 1;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    working = 0;
    seen = done;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
