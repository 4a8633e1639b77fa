// no race
// What an atomic flag passes on.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int x;
static void* one(void* argument) {
  x = 1;
  atomic_store(&flag, 1);
  return argument;
}
static void* two(void* argument) {
  if (atomic_load(&flag)) x = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
