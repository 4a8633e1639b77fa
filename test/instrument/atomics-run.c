// The replaced atomics compute what the instructions would.
// RUN: %cc -O0 %s -o %t && %t
// RUN: %cc -O2 %s -o %t && %t
// RUN: %cc -O3 -mcx16 %s -o %t -latomic && %t
#include <inspect/inspect.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CHECK(condition) inspect_assert(condition)

static void narrow(void) {
  _Atomic signed char c = -1;
  CHECK(c == -1);
  CHECK(atomic_fetch_add(&c, 2) == -1 && c == 1);
  _Atomic unsigned char u = 255;
  CHECK(++u == 0 && u-- == 0 && u == 255);
  _Atomic short s = SHRT_MIN;
  CHECK(s-- == SHRT_MIN && s == SHRT_MAX);
}

static void wide(void) {
  _Atomic long l = LONG_MAX;
  CHECK(atomic_fetch_xor(&l, -1) == LONG_MAX && l == LONG_MIN);
  _Atomic unsigned long long u = 1ull << 63;
  CHECK(atomic_fetch_or(&u, 1) == 1ull << 63 && u == (1ull << 63 | 1));
  int cell = 3;
  int* _Atomic p = &cell;
  CHECK(*p == 3 && atomic_exchange(&p, (int*)0) == &cell && p == 0);
  int numbers[4] = {0};
  int* _Atomic q = numbers;
  CHECK(atomic_fetch_add(&q, 1) == numbers && q == numbers + 1);
}

static void exchange(void) {
  atomic_int i = 5;
  int expected = 4;
  CHECK(!atomic_compare_exchange_strong(&i, &expected, 6) && expected == 5 && i == 5);
  CHECK(atomic_compare_exchange_strong(&i, &expected, 6) && i == 6);
  _Atomic float f = 1.5f;
  CHECK((f += 1) == 2.5f && f == 2.5f);
  _Atomic double d = 3;
  CHECK((d *= 2) == 6 && d == 6);
  atomic_flag flag = ATOMIC_FLAG_INIT;
  CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  CHECK(!atomic_flag_test_and_set(&flag));
}

static atomic_int counter;
static void* add(void* unused) {
  for (int i = 0; i < 1000; ++i) atomic_fetch_add(&counter, 1);
  return unused;
}

static void threads(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  CHECK(counter == 4000);
}

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
static __int128 whole;
static void huge(void) {
  CHECK(__sync_bool_compare_and_swap(&whole, 0, (__int128)7 << 64) && whole >> 64 == 7);
}
#else
static void huge(void) {}
#endif

int main(void) {
  narrow();
  wide();
  exchange();
  threads();
  huge();
}
