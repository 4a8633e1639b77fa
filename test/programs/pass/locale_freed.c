// expect: verdict=verified naive
// Each thread has a locale of its own for a while; one is shared until all are done.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <string.h>

static locale_t shared;

static void* user(void* unused) {
  const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const locale_t before = uselocale(own);
  strcoll_l("a", "b", shared);
  uselocale(before);
  freelocale(own);
  return unused;
}

int main(void) {
  shared = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  freelocale(shared);
}
