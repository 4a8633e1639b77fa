// expect: verdict=verified
// expect: case=argument verdict=verified  cflags=-DFORMAT=format
// What is printed of integers is the same in all locales.
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

#ifndef FORMAT
#define FORMAT "%d"
#endif

static const char* volatile format = "%d";

static void* printer(void* unused) {
  char text[20];
  snprintf(text, sizeof text, FORMAT, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, printer, NULL);
  setlocale(LC_ALL, "C.UTF-8");
  pthread_join(thread, NULL);
}
