// expect: verdict=bug kind=memory-error naive
// Both threads believe they are the last user.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  atomic_int users;
} object;

static void* release(void* argument) {
  object* o = argument;
  atomic_fetch_sub(&o->users, 1);
  if (atomic_load(&o->users) == 0) { /* ERROR */
    free(o);                         /* ERROR */
  }
  return NULL;
}

int main(void) {
  object* o = malloc(sizeof *o);
  atomic_init(&o->users, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, release, o);
  pthread_create(&b, NULL, release, o);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
