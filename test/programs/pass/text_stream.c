// expect: verdict=verified
// Streams that read a text of the program's: two threads share one, others are of one thread, and one is of no text.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char shared_text[] = "ab";
static FILE* shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[] = "1";

static void read_own(void) {
  char own[] = "line\nrest";
  char line[8];
  FILE* stream = fmemopen(own, sizeof own - 1, "r");
  if (!fgets(line, sizeof line, stream) || strcmp(line, "line\n") != 0) abort();
  fclose(stream);
  own[0] = 'x';
  fclose(fmemopen(NULL, 16, "w+"));
}

static void* worker(void* unused) {
  const int first = fgetc(shared);
  if (first != 'a' && first != 'b') abort();
  pthread_mutex_lock(&mutex);
  text[0]++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  shared = fmemopen(shared_text, 2, "r");
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_mutex_lock(&mutex);
  FILE* stream = fmemopen(text, 1, "r");
  const int now = fgetc(stream);
  if (now != '2' && now != '3') abort();
  pthread_mutex_unlock(&mutex);
  read_own();
  pthread_join(thread, NULL);
  if (fgetc(shared) != EOF) abort();
  fclose(shared);
  fclose(stream);
}
