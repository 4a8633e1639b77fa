// race
// The access, and the function that takes the lock for others, stand in another object file.
#include <pthread.h>
#ifdef SECOND_FILE
void touch(int* what) { *what = 2; }
int look(pthread_mutex_t* lock, int* what) {
  pthread_mutex_lock(lock);
  const int seen = *what;
  pthread_mutex_unlock(lock);
  return seen;
}
#else
void touch(int* what);
int look(pthread_mutex_t* lock, int* what);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int wanted = 1, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  wanted = 0;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  if (look(&m, &wanted)) touch(&x);
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
#endif
