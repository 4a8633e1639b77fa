// expect: verdict=verified
// What a stream has not written yet goes to the file when it is closed, though other threads write to files of their own.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void* write_one(void* name) {
  FILE* const file = fopen(name, "w");
  assert(file);
  fputs("text", file);
  assert(!fclose(file));
  return NULL;
}

static char paths[2][32] = {"stream_closed_0.txt", "stream_closed_1.txt"};

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_one, paths[0]);
  write_one(paths[1]);
  pthread_join(thread, NULL);
  for (int i = 0; i < 2; ++i) {
    char text[8] = "";
    FILE* const file = fopen(paths[i], "r");
    assert(file && fgets(text, sizeof text, file));
    assert(text[0] == 't' && text[3] == 't');
    fclose(file);
    remove(paths[i]);
  }
  return EXIT_SUCCESS;
}
