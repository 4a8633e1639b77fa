// expect: verdict=bug kind=data-race naive
// expect: case=volatile verdict=bug kind=data-race cflags=-DVOLATILE
// An atomic store on one side does not help when the other side reads plainly; volatile is plain.
#include <pthread.h>
#include <stddef.h>

#ifdef VOLATILE
static volatile int flag;
#else
static int flag;
#endif

static void* setter(void* unused) {
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const int seen = flag; /* ERROR */
  pthread_join(thread, NULL);
  return seen == 2;
}
