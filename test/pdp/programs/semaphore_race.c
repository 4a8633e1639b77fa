// race
// A post that need not come first.
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void* one(void* argument) {
  x = 1;
  sem_post(&s);
  return argument;
}
static void* two(void* argument) {
  sem_wait(&s);
  x = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
