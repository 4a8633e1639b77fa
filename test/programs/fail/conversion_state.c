// expect: verdict=bug kind=data-race algorithms=optimal
// Two threads convert characters without a state of their own: both use the library's.
#include <pthread.h>
#include <wchar.h>

static void* convert(void* unused) {
  wchar_t wide;
  mbrtowc(&wide, "a", 1, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, convert, NULL);
  convert(NULL);
  pthread_join(thread, NULL);
  return 0;
}
