// expect: verdict=verified
// expect: cflags=-DREADS verdict=bug text="BUG: data-race"
// expect: cflags="-DREADS -DLATE" options=--no-races verdict=bug text="BUG: assertion"
// expect: cflags=-DOWN verdict=unsupported text="a thread that joins itself"
// expect: cflags=-DNUMBER verdict=unsupported text="pthread_create of a function that is not known"
// expect: cflags=-DADDRESS verdict=unsupported text="a conversion: ptrtoint"
// A new thread may begin before its handle is stored. Its argument may be a number; main's variables outlive main's thread.
#include <assert.h>
#include <pthread.h>
pthread_t handles[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done[2];
void *run(void *argument) {
  long i = (long)argument;
#ifdef READS
  pthread_t own = handles[i];
#else
  pthread_mutex_lock(&m);
  pthread_t own = handles[i];
  pthread_mutex_unlock(&m);
#endif
#if !defined(READS) || defined(LATE)
  assert(own);
#endif
#ifdef OWN
  pthread_join(own, 0);
#endif
  done[i]++;
  return argument;
}
void *leave(void *local) {
  assert(*(int *)local == 7);
  return (void *)-1;
}
void number(int n) { done[0] += n == 0; }
int main(int argc, char **argv) {
  pthread_t t;
  int local = 6 + argc;
  pthread_mutex_lock(&m);
  for (int i = 0; i < 2; i++) pthread_create(&handles[i], 0, run, (void *)(long)i);
  pthread_mutex_unlock(&m);
#ifdef NUMBER
  pthread_create(&t, 0, (void *(*)(void *))number, 0);
#elif defined(ADDRESS)
  pthread_create(&t, 0, run, &local);
#else
  pthread_create(&t, 0, leave, &local);
#endif
  pthread_exit(0);
}
