// expect: verdict=verified
// expect: case=O0 verdict=verified cflags=-O0 algorithms=optimal
// expect: case=O2 verdict=verified cflags=-O2 algorithms=optimal
// expect: case=own verdict=verified cflags=-DOWN sources=../parts/own_snprintf.c
// Functions of the library that are called through pointers, those that take any number of arguments too.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const struct {
  int (*print)(char*, size_t, const char*, ...);
  int (*scan)(const char*, const char*, ...);
  int (*print_all)(char*, const char*, ...);
  int (*print_wide)(wchar_t*, size_t, const wchar_t*, ...);
  int (*show)(const char*, ...);
  int (*number)(const char*);
  double (*real)(const char*);
} volatile calls = {snprintf, sscanf, sprintf, swprintf, printf, atoi, atof};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[40];

static void check(int holds) {
  if (!holds) abort();
}

static void* worker(void* argument) {
  const int n = *(int*)argument;
  wchar_t wide[20];
  char word[10];
  int a = 0, b = 0;
  double real = 0;
  pthread_mutex_lock(&mutex);
#ifdef OWN
  check(calls.print(text, sizeof text, "%d %f", n, 0.5) == 70 + n && text[0] == '%');
#else
  check(calls.print(text, sizeof text, "%d %s %.1f %d %d %d %d", n, "two", 3.5, 4, 5, 6, 7) == 17);
  check(strcmp(text + 1, " two 3.5 4 5 6 7") == 0);
#endif
  check(calls.print_all(text, "%d %s %d %d %.1f", n, "word", 8, 9, 2.5) == 14);
  check(calls.scan(text, "%d %9s %d %d %lf", &a, word, &b, &b, &real) == 5 && a == n && b == 9 && real == 2.5);
  check(calls.number(text) == n && calls.real(text) == n);
  check(calls.print_wide(wide, 20, L"%d", n) == 1);
  check(calls.show("%s %d\n", text, n) > 0);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int one = 1, two = 2;
  pthread_create(&thread, NULL, worker, &one);
  worker(&two);
  pthread_join(thread, NULL);
}
