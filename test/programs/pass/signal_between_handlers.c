// Handlers that interrupt each other keep what they share to themselves: each blocks the other's signal.
//
// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t count, first, second;

static void handle(int number) {
  count = count + 1;
  *(number == SIGUSR1 ? &first : &second) = 1;
}

static void* receive(void* unused) { return unused; }

int main(void) {
  struct sigaction action = {.sa_handler = handle};
  pthread_t receiver;
  sigaddset(&action.sa_mask, SIGUSR1);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_kill(receiver, SIGUSR1);
  pthread_kill(receiver, SIGUSR2);
  pthread_join(receiver, NULL);
  assert(count == first + second);
  return 0;
}
