// expect: verdict=verified naive
// Each thread has its own texts; known messages last.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static const char* volatile known;

static void* maker(void* unused) {
  const char* text = strerror(5555);
  assert(strcmp(text, "Unknown error 5555") == 0);
  text = strerror(6666);
  assert(strcmp(text, "Unknown error 6666") == 0);
  assert(strcmp(strsignal(250), "Unknown signal 250") == 0);
  assert(strcmp(inet_ntoa((struct in_addr){0x0100007f}), "127.0.0.1") == 0);
  return unused;
}

static void* asker(void* unused) {
  known = strerror(ENOENT);
  assert(strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, maker, NULL);
  pthread_create(&b, NULL, maker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_create(&c, NULL, asker, NULL);
  pthread_join(c, NULL);
  assert(strcmp(known, "No such file or directory") == 0);
}
