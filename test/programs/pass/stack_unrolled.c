// expect: case=array_O1 verdict=verified cflags="-DARRAY -O1" algorithms=optimal
// expect: case=array_O3 verdict=verified cflags="-DARRAY -O3" naive
// expect: case=alloca_O1 verdict=verified cflags="-O1" algorithms=optimal
// expect: case=alloca_O3 verdict=verified cflags="-O3" algorithms=optimal
// Objects in unrolled loops and branches that are always taken, which are waited for where they live.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t given, used;
static char* object;

static void* reader(void* argument) {
  sem_wait(&given);
  const char value = *object;
  sem_post(&used);
  return value == 7 ? argument : NULL;
}

static void give(char* p) {
  *p = 1;
  object = p;
  sem_post(&given);
}

#ifdef ARRAY
static void run(void) {
  for (int i = 1; i < 3; ++i) {
    char local[i];
    local[0] = 1;
    if (i == 2) continue;
    give(local);
    sem_wait(&used);
  }
}
#else
static inline void lend(int size) {
  if (size > 2) give(__builtin_alloca(16));
  sem_wait(&used);
}
static void run(void) { lend(3); }
#endif

int main(void) {
  pthread_t thread;
  sem_init(&given, 0, 0);
  sem_init(&used, 0, 0);
  pthread_create(&thread, NULL, reader, NULL);
  run();
  pthread_join(thread, NULL);
}
