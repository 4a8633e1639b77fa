// expect: verdict=bug kind=data-race|memory-error
// expect: case=copied verdict=bug kind=data-race|memory-error cflags="'-DUSE=duplocale(object)'"
// expect: case=kept verdict=bug kind=data-race|memory-error|api-misuse cflags="'-DUSE=uselocale(object)'"
// A locale ends while another thread may still use it.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <string.h>

#ifndef USE
#define USE strcoll_l("a", "b", object)
#endif

static locale_t object;

static void* user(void* unused) {
  (void)USE;
  return unused;
}

int main(void) {
  object = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  freelocale(object);
  pthread_join(thread, NULL);
}
