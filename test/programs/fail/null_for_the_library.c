// expect: verdict=bug kind=crash cflags="-w -DCALL=pthread_mutex_lock(p)"
// expect: case=condition verdict=bug kind=crash cflags="-w -DCALL=pthread_cond_wait(p,p)"
// expect: case=semaphore verdict=bug kind=crash cflags="-w -DCALL=sem_wait(p)"
// expect: case=string verdict=bug kind=crash cflags="-w -DCALL=strlen(p)"
// expect: case=file verdict=bug kind=crash cflags="-w -DCALL=open(p,0)"
// expect: case=sleep verdict=bug kind=crash cflags="-w -DCALL=nanosleep(p,p)"
// The crash is within a function that we provide; the place is the user's call.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static void* volatile nothing;

static void* run(void* unused) {
  void* p = nothing;
  (void)CALL; /* ERROR */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  return 0;
}
