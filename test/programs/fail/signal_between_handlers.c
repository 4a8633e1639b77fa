// A handler is interrupted by another one, or by itself, in the middle of an update of what both count in.
//
// expect: verdict=bug kind=assertion
// expect: case=itself cflags=-DITSELF verdict=bug kind=assertion algorithms=dpor
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile sig_atomic_t count;
static atomic_int handled;

static void handle(int number) {
  (void)number;
  handled++;
  count = count + 1;
}

static void* receive(void* unused) { return unused; }

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  int second = SIGUSR2;
#ifdef ITSELF
  action.sa_flags = SA_NODEFER;
  second = SIGUSR1;
#endif
  pthread_t receiver;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(second, &action, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_kill(receiver, SIGUSR1);
  pthread_kill(receiver, second);
  pthread_join(receiver, NULL);
  assert(count == handled); /* ERROR */
  return 0;
}
