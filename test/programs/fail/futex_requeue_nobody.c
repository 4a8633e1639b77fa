// expect: verdict=unsupported algorithms=optimal
// A requeue that wakes nobody moves the waiter to a word that nobody wakes.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first, second;
static sem_t there;

static void* wait_first(void* unused) {
  sem_post(&there);
  syscall(SYS_futex, &first, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&there, 0, 0);
  pthread_create(&thread, NULL, wait_first, NULL);
  sem_wait(&there);
  atomic_store(&first, 1);
  syscall(SYS_futex, &first, FUTEX_REQUEUE, 0, 1, &second, 0);
  pthread_join(thread, NULL);
  return 0;
}
