// race
// A loop changes a pointer between two steps: what was read in its first turn is not what is left.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, a[2];
static int* p;
static __attribute__((noinline)) void set(int* to) { p = to; }
static __attribute__((noinline)) void use(void) { *p = 1; }
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  flag = 1;
  a[1] = 2;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = flag;
  pthread_mutex_unlock(&m);
  if (!seen) *p = 1;
  return argument;
}
int main(void) {
  pthread_t t, u;
  set(&a[0]);
  for (int i = 0; i < 2; i++) {
    set(&a[i]);
    use();
  }
  set(&a[1]);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
