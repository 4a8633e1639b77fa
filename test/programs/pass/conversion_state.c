// expect: verdict=verified
// Two threads convert characters, each with a state of its own.
#include <pthread.h>
#include <wchar.h>

static void* convert(void* unused) {
  wchar_t wide;
  mbstate_t state = {0};
  mbrtowc(&wide, "a", 1, &state);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, convert, NULL);
  convert(NULL);
  pthread_join(thread, NULL);
  return 0;
}
