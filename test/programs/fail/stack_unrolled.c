// expect: case=array_O3 verdict=bug kind=memory-error cflags="-DARRAY -O3"
// expect: case=alloca_O1 verdict=bug kind=memory-error cflags="-O1" algorithms=optimal
// expect: case=alloca_O3 verdict=bug kind=memory-error cflags="-O3" algorithms=optimal
// An optimiser that finds out the size of an array, or that a branch is always taken, gives the object a place of its own in the
// frame; it ends where the program says nevertheless.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t given, used;
static char* object;

static void* reader(void* argument) {
  sem_wait(&given);
  const char value = *object; /* ERROR */
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
    if (i == 1)
      give(local);
    else
      sem_wait(&used);
  } /* ERROR */
}
#else
static inline void lend(int size) {
  if (size > 2) give(__builtin_alloca(16));
} /* ERROR */
static void run(void) {
  lend(3); /* ERROR */
  sem_wait(&used);
}
#endif

int main(void) {
  pthread_t thread;
  sem_init(&given, 0, 0);
  sem_init(&used, 0, 0);
  pthread_create(&thread, NULL, reader, NULL);
  run();
  pthread_join(thread, NULL);
}
