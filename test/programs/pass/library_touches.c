// What library calls leave alone: bytes behind a match or a difference, room that a text does not fill, elements that only the program's
// comparison looks at, state that two calls only read.
// expect: verdict=verified algorithms=source
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <libgen.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char text[16] = "key=value";
static void* root;
static int numbers[] = {1, 2, 3};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void note(char* line, const char* what, ...) {
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(line, 4096, what, arguments);
  va_end(arguments);
}

// Each block is as large as what the call touches.
static void fill_exactly(void) {
  char* block = malloc(4);
  snprintf(block, 100, "%d", 123);
  note(block, "%.*s", 3, text);
  memccpy(block, "abc", 0, 100);
  struct tm day = {.tm_year = 100, .tm_mday = 1};
  assert(strftime(block, 100, "%d.", &day) == 3);
  assert(confstr(_CS_PATH, block, 4) > 4);
  assert(memchr(memcpy(block, "abc", 4), 'c', 100) == block + 2);
  free(block);
}

static void* worker(void* unused) {
  const int key = 2;
  fill_exactly();
  assert(!strncmp(text, "key", 3) && strcmp(text, "kez") < 0);
  assert(strchr(text, '=') == text + 3 && memchr(text, '=', sizeof text));
  assert(*(int*)bsearch(&key, numbers, 3, sizeof *numbers, by_value) == 2);
  assert(**(int**)tfind(&key, &root, by_value) == 2);
  assert(isalpha('a') && toupper('b') == 'B');
  pthread_mutex_lock(&lock);
  char line[32];
  note(line, "%s", text);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  tsearch(&numbers[1], &root, by_value);
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  fill_exactly();
  const int key = 2;
  assert(tfind(&key, &root, by_value) && getenv("PATH"));
  pthread_mutex_lock(&lock);
  text[5] = 'V';  // behind what the worker looks at, but for the line that it makes under the lock
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  struct tm* day = localtime(&(time_t){86400});
  assert(day->tm_year >= 70);
  return 0;
}
