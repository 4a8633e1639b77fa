// expect: verdict=bug kind=livelock
// The request is never taken back, so the server waits for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int request, answer;

static void* client(void* unused) {
  request = 1;
  while (!answer) {
  }
  return unused;
}

static void* server(void* unused) {
  while (!request) {
  }
  answer = 1;
  while (request) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, client, NULL);
  pthread_create(&b, NULL, server, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
