// race
// Of a switch, one case touches what is not protected.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state = 3, x, y, z;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  state = 1;
  z = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = state;
  pthread_mutex_unlock(&m);
  switch (seen) {
    case 0:
      x = 1;
      break;
    case 1:
      y = 1;
      break;
    case 3:
      z = 2;
      break;
    default:
      break;
  }
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
