// expect: verdict=bug kind=data-race
// expect: case=argument verdict=bug kind=data-race cflags=-DFORMAT=format
// A real number is printed with the locale's point.
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

#ifndef FORMAT
#define FORMAT "%.1f"
#endif

static const char* volatile format = "%.1f";

static void* printer(void* unused) {
  char text[20];
  snprintf(text, sizeof text, FORMAT, 1.5);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, printer, NULL);
  setlocale(LC_ALL, "C.UTF-8");
  pthread_join(thread, NULL);
}
