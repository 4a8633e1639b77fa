// expect: verdict=verified
// Calls that the table of library functions knows, on memory of one thread: nothing is left out.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* worker(void* argument) {
  char text[32], copy[32];
  snprintf(text, sizeof text, "worker %ld", (long)argument);
  strcpy(copy, text);
  if (strlen(copy) != strlen("worker 1") || strcmp(text, copy) != 0) abort();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)1);
  pthread_create(&b, NULL, worker, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("done\n");
  return 0;
}
