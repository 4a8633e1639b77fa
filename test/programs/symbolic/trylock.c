// expect: verdict=verified
// expect: case=ignored cflags=-DIGNORED verdict=bug kind=api-misuse
// Broken: the lock is given back whether it was taken or not.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int choice;
void *run(void *unused) {
  if (choice == 3) {
#ifdef IGNORED
    pthread_mutex_unlock(&m);
#else
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#endif
  }
  return unused;
}
int main(void) {
  pthread_t t;
  choice = (int)inspect_nondet(5);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
