// no race in 1 execution
// Spin locks are locks.
#include <pthread.h>
static pthread_spinlock_t s;
static int x;
static void* one(void* argument) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return argument;
}
static void* two(void* argument) {
  pthread_spin_lock(&s);
  if (x) x = 2;
  pthread_spin_unlock(&s);
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_spin_init(&s, 0);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
