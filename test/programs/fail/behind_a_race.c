// A data race hides what goes wrong behind it, unless the search goes on: --races=report finds both.
// expect: case=count cflags=-DCOUNT options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=first_behind cflags=-DCOUNT options=--races=report verdict=bug kind=data-race kinds=assertion,data-race
// expect: case=stop cflags=-DCOUNT options=--keep-going verdict=bug kind=data-race kinds=data-race
// expect: case=count_ignored cflags=-DCOUNT options=--races=ignore verdict=bug kind=assertion kinds=assertion assumption="data races are taken for ordinary accesses" naive
// expect: case=count_all cflags=-DCOUNT options="--races=report --keep-going --visible=all" verdict=bug kind=data-race kinds=assertion,data-race
// expect: case=count_sampled cflags=-DCOUNT options="--races=report --keep-going" algorithms=random,pct verdict=bug kind=data-race kinds=assertion,data-race
// expect: case=count_bounded cflags=-DCOUNT options="--races=report --preemptions=1 --keep-going" verdict=bug kind=data-race kinds=assertion,data-race algorithms=dpor
// expect: case=heap cflags=-DHEAP options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=stack cflags=-DSTACK options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=bits cflags=-DBITS options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=torn cflags=-DTORN options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=atomic cflags=-DATOMIC options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=elements cflags=-DELEMENTS options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race algorithms=dpor,source,optimal
// expect: case=two_steps cflags=-DTWO_STEPS options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=late cflags=-DLATE options="--races=report --keep-going" verdict=bug kind=data-race kinds=assertion,data-race naive
// expect: case=crash cflags=-DCRASH options="--races=report --keep-going" verdict=bug kind=data-race kinds=crash,data-race naive
// expect: case=deadlock cflags=-DDEADLOCK options="--races=report --keep-going" verdict=bug kind=data-race kinds=data-race,deadlock naive
// expect: case=lost_signal cflags=-DLOST_SIGNAL options="--races=report --keep-going" verdict=bug kind=data-race kinds=data-race,deadlock naive
// expect: case=double_free cflags=-DDOUBLE_FREE options="--races=report --keep-going" verdict=bug kind=data-race kinds=data-race,memory-error naive
// expect: case=exit_status cflags=-DEXIT_STATUS options="--races=report --keep-going" verdict=bug kind=data-race kinds=data-race,exit-status naive
// expect: case=misuse cflags=-DMISUSE options="--races=report --keep-going" verdict=bug kind=data-race kinds=api-misuse,data-race naive
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int result;

#if defined COUNT || defined STACK || defined HEAP
// An increment is a read and a write.
static void* first(void* counter) {
  ++*(int*)counter;
  return NULL;
}
#define second first
static void verify(int* counter) { assert(*counter == 2); }
#elif defined BITS
static struct {
  unsigned left : 4, right : 4;
} volatile bits;
static void* first(void* unused) {
  bits.left = 1;
  return unused;
}
static void* second(void* unused) {
  bits.right = 1;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  assert(bits.left && bits.right);
}
#elif defined TORN
static struct pair {
  long low, high;
} shared;
static volatile long distance;
static void* first(void* unused) {
  shared.low = 1;
  shared.high = 1;
  return unused;
}
static void* second(void* unused) {
  struct pair copy;
  memcpy(&copy, &shared, sizeof copy);
  distance = copy.low - copy.high;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  assert(!distance);
}
#elif defined ATOMIC
// One of the two is atomic, and the other takes a value that is old by then.
static int number;
static void* first(void* unused) {
  __atomic_fetch_add(&number, 1, __ATOMIC_SEQ_CST);
  return unused;
}
static void* second(void* unused) {
  number = number + 1;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  assert(number == 2);
}
#elif defined ELEMENTS
static volatile int elements[3];
static void* first(void* unused) {
  for (int i = 0; i < 3; ++i) elements[i] = 1;
  return unused;
}
static void* second(void* unused) {
  for (int i = 0; i < 3; ++i) elements[i] = 2;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  assert(elements[0] == 1 || elements[1] == 2 || elements[2] == 1);
}
#elif defined TWO_STEPS
// The second race is met only where the first came out in the rare way.
static volatile int gate, value;
static void* first(void* unused) {
  gate = 1;
  gate = 0;
  if (value) result = 3;
  return unused;
}
static void* second(void* unused) {
  if (gate) value = 1;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  assert(result != 3);
}
#elif defined LATE
// What is checked is not what races.
static volatile int ready;
static void* first(void* unused) {
  pthread_mutex_lock(&one);
  result = 1;
  pthread_mutex_unlock(&one);
  ready = 1;
  return unused;
}
static void* second(void* unused) {
  if (!ready) return unused;
  pthread_mutex_lock(&one);
  assert(result == 0);
  pthread_mutex_unlock(&one);
  return unused;
}
static void verify(int* unused) { (void)unused; }
#elif defined CRASH
static int* volatile where = &result;
static void* first(void* unused) {
  if (where) *where = 1;
  return unused;
}
static void* second(void* unused) {
  where = NULL;
  return unused;
}
static void verify(int* unused) { (void)unused; }
#elif defined DEADLOCK
// Who believes to be alone takes the locks the other way round.
static volatile int busy;
static void* first(void* unused) {
  busy = 1;
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  return unused;
}
static void* second(void* unused) {
  const int alone = !busy;
  pthread_mutex_lock(alone ? &two : &one);
  pthread_mutex_lock(alone ? &one : &two);
  pthread_mutex_unlock(&two);
  pthread_mutex_unlock(&one);
  return unused;
}
static void verify(int* unused) { (void)unused; }
#elif defined LOST_SIGNAL
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int done;
static void* first(void* unused) {
  done = 1;
  pthread_cond_signal(&changed);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&one);
  if (!done) pthread_cond_wait(&changed, &one);
  pthread_mutex_unlock(&one);
  return unused;
}
static void verify(int* unused) { (void)unused; }
#elif defined DOUBLE_FREE
static volatile int users = 2;
static void* first(void* object) {
  const int left = users - 1;
  users = left;
  if (!left) free(object);
  return NULL;
}
static void* second(void* object) {
  const int left = users - 1;
  users = left;
  if (left < 1) free(object);
  if (left == 1 && !users) free(object);
  return NULL;
}
static void verify(int* unused) { (void)unused; }
#elif defined EXIT_STATUS
static volatile int status;
static void* first(void* unused) {
  status = 0;
  return unused;
}
static void* second(void* unused) {
  status = 5;
  return unused;
}
static void verify(int* unused) {
  (void)unused;
  exit(status);
}
#elif defined MISUSE
static volatile int locked;
static void* first(void* unused) {
  pthread_mutex_lock(&one);
  locked = 1;
  pthread_mutex_unlock(&one);
  return unused;
}
static void* second(void* unused) {
  if (locked) pthread_mutex_unlock(&one);
  return unused;
}
static void verify(int* unused) { (void)unused; }
#endif

int main(void) {
  pthread_t a, b;
  void* shared_object = &result;
#ifdef HEAP
  shared_object = calloc(1, sizeof(int));
#endif
#ifdef DOUBLE_FREE
  shared_object = malloc(8);
#endif
#ifdef STACK
  int on_stack = 0;
  shared_object = &on_stack;
#endif
  pthread_create(&a, NULL, first, shared_object);
  pthread_create(&b, NULL, second, shared_object);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  verify(shared_object);
  return 0;
}
