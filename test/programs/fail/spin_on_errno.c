// expect: verdict=bug kind=assertion naive
// The second turn finds in errno what the first has left there, and so leaves the loop.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t permits;
static atomic_int flag;
static int gave_up;

static void* waiter(void* unused) {
  errno = 0;
  while (!atomic_load(&flag)) {
    if (errno == EAGAIN) {
      gave_up = 1;
      break;
    }
    sem_trywait(&permits);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&permits, 0, 0);
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  assert(!gave_up); /* ERROR */
  return 0;
}
