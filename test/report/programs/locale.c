// Two threads set the locale: state of the library's that has no name in the program.
#include <locale.h>
#include <pthread.h>
static void *setter(void *unused) {
  setlocale(LC_ALL, "C");
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, setter, 0);
  pthread_create(&b, 0, setter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
