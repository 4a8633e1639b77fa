// Each thread prints into memory of its own, and looks where the library says that the text is.
//
// expect: verdict=verified
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

int main(void) {
  int number = 17;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &number);
  worker(&number);
  pthread_join(thread, NULL);
}
