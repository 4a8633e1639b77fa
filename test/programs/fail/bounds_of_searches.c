// expect: case=length verdict=bug kind=memory-error cflags=-DLENGTH
// expect: case=print verdict=bug kind=memory-error cflags=-DPRINT algorithms=optimal
// expect: case=local verdict=bug kind=memory-error cflags="-DLOCAL -O0" algorithms=optimal
// expect: case=append verdict=bug kind=memory-error cflags=-DAPPEND algorithms=optimal
// expect: case=compare verdict=bug kind=memory-error cflags=-DCOMPARE algorithms=optimal
// expect: case=find verdict=bug kind=memory-error cflags=-DFIND algorithms=optimal
// expect: case=sort verdict=bug kind=memory-error cflags=-DSORT algorithms=optimal
// expect: case=number verdict=bug kind=memory-error cflags="-DNUMBER -O0" algorithms=optimal
// expect: case=tokens verdict=bug kind=memory-error cflags=-DTOKENS algorithms=optimal
// expect: case=mutex verdict=bug kind=memory-error cflags=-DMUTEX algorithms=optimal
// expect: case=semaphore verdict=bug kind=memory-error cflags=-DSEMAPHORE algorithms=optimal
// A library function that searches, sorts, appends or locks goes beyond a variable, into what happens to stand behind it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char word[4] = {'1', '2', '3', '4'};
static char behind[16] = "56";
static char text[8] = "one";
static int numbers[4] = {4, 3, 2, 1};
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static sem_t ends[2], end;
static volatile int count = 5;
static volatile size_t sink;

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void go_beyond(void) {
#if defined LENGTH
  sink = strlen(word); /* ERROR */
#elif defined PRINT
  puts(word); /* ERROR */
#elif defined LOCAL
  char copy[4];
  memcpy(copy, word, sizeof copy);
  sink = strlen(copy); /* ERROR */
#elif defined APPEND
  strcat(text, ", two"); /* ERROR */
#elif defined COMPARE
  sink = strcmp(word, "123456") == 0; /* ERROR */
#elif defined FIND
  sink = memchr(word, 'x', count) != NULL; /* ERROR */
#elif defined SORT
  qsort(numbers, count, sizeof *numbers, by_value); /* ERROR */
#elif defined NUMBER
  sink = atoi(word); /* ERROR */
#elif defined TOKENS
  sink = strtok(word, ",") != NULL; /* ERROR */
#elif defined MUTEX
  pthread_mutex_lock(&locks[count - 3]); /* ERROR */
#else
  sem_post(&ends[count - 3]); /* ERROR */
#endif
}

static void* worker(void* argument) {
  go_beyond();
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&ends[0], 0, 0);
  sem_init(&end, 0, 0);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  sink = strlen(behind);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
}
