// A parallel quicksort: a thread sorts the left part of an array, its creator the right one, down to a smallest size; how many
// parts were sorted is counted under a lock, so that the threads meet (the count is ours). COUNT numbers.
#include <pthread.h>

#ifndef COUNT
#define COUNT 12
#endif
#ifndef SMALLEST
#define SMALLEST 6
#endif

struct part {
  int first, last;
};
static int numbers[COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parts;

static int split(int first, int last) {
  const int pivot = numbers[last];
  int at = first;
  for (int i = first; i < last; i++) {
    if (numbers[i] >= pivot) continue;
    const int other = numbers[at];
    numbers[at++] = numbers[i];
    numbers[i] = other;
  }
  numbers[last] = numbers[at];
  numbers[at] = pivot;
  return at;
}

static void* sort(void* argument) {
  const struct part* part = argument;
  int first = part->first;
  const int last = part->last;
  pthread_mutex_lock(&lock);
  parts++;
  pthread_mutex_unlock(&lock);
  if (first >= last) return 0;
  const int middle = split(first, last);
  struct part left = {first, middle - 1}, right = {middle + 1, last};
  if (last - first < SMALLEST) {
    sort(&left);
    sort(&right);
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, 0, sort, &left);
  sort(&right);
  pthread_join(thread, 0);
  return 0;
}

int main(void) {
  for (int i = 0; i < COUNT; i++) numbers[i] = i * 7 % COUNT;
  struct part all = {0, COUNT - 1};
  sort(&all);
  for (int i = 1; i < COUNT; i++)
    if (numbers[i - 1] > numbers[i]) return 1;
  return 0;
}
