// expect: verdict=unsupported reason="asynchronous cancellation inside a call"
// The library holds a lock there, which nobody would give back.
#include <locale.h>
#include <pthread.h>

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  setlocale(LC_ALL, "C");
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  setlocale(LC_ALL, "C");
  return 0;
}
