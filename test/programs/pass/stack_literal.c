// expect: case=O0 verdict=verified cflags="-O0" algorithms=optimal
// expect: case=O1 verdict=verified cflags="-O1" algorithms=optimal
// expect: case=O2 verdict=verified cflags="-O2" algorithms=optimal
// expect: case=g0 verdict=verified cflags="-O1 -g0" algorithms=optimal
// Compound literals live until the end of the block that they stand in, however often control comes by, and until its cleanups
// are done.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <time.h>

struct pair {
  int first, second;
};
struct node {
  const struct node* next;
  int value;
};

static volatile int one = 1;
static const struct pair* kept;
static const int* of_the_file = (const int[]){1, 2, 3};

__attribute__((noinline)) static int look(const int* p) { return *p; }
__attribute__((noinline)) static void keep(const struct pair* pair) { kept = pair; }

static int sum(const struct node* node) {
  int total = 0;
  for (; node; node = node->next) total += node->value;
  return total;
}

// A jump back within the block.
static int jumps_back(int x) {
  while (1) {
    const int* p = NULL;
  again:
    if (p && *p > 3) return *p;
    p = &(int){x++};
    goto again;
  }
}

static int computed_jump(int x) {
  void* const targets[] = {&&first, &&second};
  {
    int* p = &(int){x};
    goto* targets[one];
  first:
    return *p;
  second:
    ++*p;
    goto* targets[*p == 0];
  }
}

static void close_pair(struct pair** pair) { one += (*pair)->first - 1; }
static int cleaned_up(int x) {
  int total = 0;
  for (int i = 0; i < 3; ++i) {
    __attribute__((cleanup(close_pair))) struct pair* p = &(struct pair){1, x};
    if (i == 1) continue;
    if (i == 2) break;
    total += p->second;
  }
  return total;
}

static jmp_buf place;
static int jumps(void) {
  int* volatile p = &(int){3};
  if (!setjmp(place)) {
    *p = 4;
    longjmp(place, 1);
  }
  return *p;
}

#define TOTAL(...) sum_of((const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
static int sum_of(const int* values, size_t count) {
  int total = 0;
  for (size_t i = 0; i < count; ++i) total += values[i];
  return total;
}

static int of_one_thread(void) {
  int total = 0;
  nanosleep(&(struct timespec){0, 1}, NULL);
  while (one < 3) one++, nanosleep(&(struct timespec){0, one}, NULL);
  one = 1;
  for (int i = 0; i < 2; ++i) keep(&(struct pair){i, i}), total += kept->first;
  for (const int* p = (const int[]){3, 2, 1, 0}; *p; ++p) total += *p;
  do total += look(&(int){total}); while (total < 10);
  const int* p = NULL;
  if ((p = &(int){3}) && *p) total += *p;
  else total -= *p;
  switch (look(p = &(int){3})) {
    case 3: total += *p;
  }
  p = one ? &(int){1} : &(int){2};
  total += *p + ({
    const int* q = &(int){4};
    *q;
  });
  return total + sum(&(struct node){&(struct node){NULL, 2}, 3}) + look(of_the_file) + TOTAL(1, 2, 3);
}

static void* reader(void* argument) { return ((struct pair*)argument)->second == 2 ? NULL : argument; }

int main(void) {
  if (of_one_thread() < 0 || jumps_back(1) != 4 || computed_jump(-1) != 1 || cleaned_up(2) != 2 || jumps() != 4) return 1;
  pthread_t threads[2];
  {
    pthread_create(&threads[0], NULL, reader, &(struct pair){1, 2});
    pthread_create(&threads[1], NULL, reader, (struct pair[]){{1, 2}, {3, 4}});
    for (int i = 0; i < 2; ++i) {
      void* result;
      pthread_join(threads[i], &result);
      if (result) return 2;
    }
  }
  return 0;
}
