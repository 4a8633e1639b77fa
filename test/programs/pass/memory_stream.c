// Each thread prints into memory of its own, and looks where the library says that the text is. Or both print into one.
//
// expect: verdict=verified
// expect: case=both verdict=verified cflags=-DBOTH algorithms=optimal,dpor
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void* worker(void* number) {
  char* text;
  wchar_t* wide;
  size_t size;
  FILE* stream = open_memstream(&text, &size);
  fprintf(stream, "%d", *(int*)number);
  fflush(stream);
  assert(size == 2 && !strcmp(text, "17"));
  fputs(" more", stream);
  fclose(stream);
  assert(size == 7 && !strcmp(text, "17 more"));
  free(text);
  stream = open_wmemstream(&wide, &size);
  fputws(L"wide", stream);
  fclose(stream);
  assert(size == 4 && !wcscmp(wide, L"wide"));
  free(wide);
  return NULL;
}

static FILE* shared;

static void* printer(void* unused) {
  fputs("text", shared);
  fflush(shared);
  return unused;
}

static void both_print(void) {
  char* text;
  size_t size;
  pthread_t thread;
  shared = open_memstream(&text, &size);
  pthread_create(&thread, NULL, printer, NULL);
  fflush(shared);
  fputs("text", shared);
  pthread_join(thread, NULL);
  fclose(shared);
  assert(!strcmp(text, "texttext"));
  free(text);
}

int main(void) {
#if defined(BOTH)
  both_print();
#else
  int number = 17;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &number);
  worker(&number);
  pthread_join(thread, NULL);
#endif
}
