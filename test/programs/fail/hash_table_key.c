// expect: verdict=inconclusive algorithms=optimal
// expect: case=freed verdict=inconclusive cflags=-DFREED algorithms=optimal
// The library's hash table keeps the program's keys, and reads them in later searches.
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static char key[] = "key";

static void* search(void* unused) {
  char other[] = "kez";
  hsearch((ENTRY){other, NULL}, FIND);
  return unused;
}

#if defined(FREED)
int main(void) {
  char* const text = strdup(key);
  hcreate(8);
  hsearch((ENTRY){text, NULL}, ENTER);
  free(text);
  search(NULL);
  return 0;
}
#else
int main(void) {
  hcreate(8);
  hsearch((ENTRY){key, NULL}, ENTER);
  pthread_t thread;
  pthread_create(&thread, NULL, search, NULL);
  key[2] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
#endif
