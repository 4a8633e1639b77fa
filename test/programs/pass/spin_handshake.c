// expect: verdict=verified
// Four phases: ask, answer, take back, see it taken back. Each side waits for the other in a loop of its own, one after the other.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int request, answer;

static void* client(void* unused) {
  request = 1;
  while (!answer) {
  }
  request = 0;
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
