// expect: verdict=verified naive
// expect: case=O0 verdict=verified cflags=-O0 algorithms=optimal
// expect: case=O3 verdict=verified cflags=-O3 algorithms=optimal
// Library functions that search, sort, append or lock up to the last byte of a variable.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct both {
  char first[4], second[4];
};

static char word[4] = {'1', '2', '3'}, open[4] = {'1', '2', '3', '4'};
static char text[8] = "one";
static struct both pair = {"one", "two"};
static int numbers[4] = {4, 3, 2, 1};
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t ends[2];
static volatile int count = 4;
static volatile size_t sink;

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* worker(void* argument) {
  char copy[4];
  memcpy(copy, word, sizeof copy);
  sink = strlen(copy) + strlen(word) + strnlen(open, count) + strlen(pair.second);
  puts(word);
  printf("%.4s\n", open);
  strcat(text, " two");
  sink = strncmp(open, "12345", count) == 0;
  sink = strcmp(open, "1235") == 0;
  sink = memchr(open, '4', count + 9) != NULL;
  sink = memchr(open + count, '4', count - 4) != NULL;
  qsort(numbers, count, sizeof *numbers, by_value);
  sink = atoi(word) + strtol(word, NULL, 10);
  sink = strtok(word, ",") != NULL;
  pthread_mutex_lock(&locks[count - 3]);
  pthread_mutex_unlock(&locks[count - 3]);
  sem_post(&ends[count - 3]);
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&ends[1], 0, 0);
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&ends[count - 3]);
  pthread_join(thread, NULL);
}
