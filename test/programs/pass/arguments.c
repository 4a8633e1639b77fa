// expect: verdict=verified args="2 'two words'" stdin=ab
// Arguments and standard input reach the program, the same in every execution.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* worker(void* unused) { return NULL; }

int main(int count, char** words) {
  assert(count == 3 && strcmp(words[2], "two words") == 0);
  char text[4];
  assert(read(0, text, sizeof text) == 2 && text[0] == 'a' && text[1] == 'b');
  pthread_t threads[4];
  const int n = atoi(words[1]);
  for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  return 0;
}
