// expect: verdict=verified
// Nobody cancels the thread that may be ended anywhere while it calls the library.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[16];
static void* volatile kept;

static void* calls(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  kept = malloc(8);
  free(kept);
  memset(text, 1, sizeof text);
  return argument;
}

static void* waits(void* argument) {
  pthread_testcancel();
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, calls, 0);
  pthread_create(&second, 0, waits, 0);
  pthread_cancel(second);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
