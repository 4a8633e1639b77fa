// expect: case=kept verdict=bug kind=memory-error cflags=-DKEPT algorithms=optimal
// expect: case=kept_O0 verdict=bug kind=memory-error cflags="-DKEPT -O0" algorithms=optimal
// expect: case=kept_O2 verdict=bug kind=memory-error cflags="-DKEPT -O2" algorithms=optimal
// expect: case=printed verdict=bug kind=memory-error cflags=-DPRINTED algorithms=optimal
// expect: case=printed_O2 verdict=bug kind=memory-error cflags="-DPRINTED -O2" algorithms=optimal
// expect: case=scanned verdict=bug kind=memory-error cflags=-DSCANNED algorithms=optimal
// expect: case=within verdict=verified cflags=-DWITHIN algorithms=optimal
// expect: case=within_O2 verdict=verified cflags="-DWITHIN -O2" algorithms=optimal
// Arguments that a list leads to end with their function.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static va_list kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int add(int count) {
  int sum = 0;
  while (count--) sum += va_arg(kept, int); /* ERROR */
  return sum;
}

static int keep(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  va_copy(kept, arguments);
  va_end(arguments);
#if defined(WITHIN)
  return add(count);
#else
  return 0;
#endif
}

static void print(const char* format, ...) {
  char text[80];
  va_list arguments;
  for (int i = 0; i < 2; ++i) {
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
  }
  puts(text);
}

static void* worker(void* argument) {
  pthread_mutex_lock(&mutex);
  int sum = keep(2, 1, 2);
#if defined(KEPT)
  sum += add(2);
#endif
#if defined(PRINTED)
  vprintf("%d\n", kept); /* ERROR */
#elif defined(SCANNED)
  vsscanf("1", "%d", kept); /* ERROR */
#endif
  print("%d %s %f %d %d %d %d", sum, "text", 2.5, 3, 4, 5, 6);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
