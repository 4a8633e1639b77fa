// expect: verdict=inconclusive algorithms=optimal
// The library's hash table keeps the program's keys, and reads them in later searches.
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static char key[] = "key";

static void* search(void* unused) {
  char other[] = "kez";
  hsearch((ENTRY){other, NULL}, FIND);
  return unused;
}

int main(void) {
  hcreate(8);
  hsearch((ENTRY){key, NULL}, ENTER);
  pthread_t thread;
  pthread_create(&thread, NULL, search, NULL);
  key[2] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
