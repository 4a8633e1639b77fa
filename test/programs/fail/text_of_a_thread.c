// expect: verdict=bug kind=memory-error cflags="'-DTEXT=strerror(5555)'"
// expect: case=signal verdict=bug kind=memory-error cflags="'-DTEXT=strsignal(250)'"
// expect: case=address verdict=bug kind=memory-error cflags="'-DTEXT=inet_ntoa((struct in_addr){1})'"
// Such texts are the thread's, and end with it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <string.h>

static void* maker(void* unused) {
  (void)unused;
  return TEXT;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, maker, NULL);
  void* text;
  pthread_join(thread, &text);
  return *(char*)text == 'x';
}
