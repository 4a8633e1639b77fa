// expect: verdict=verified naive
// What constructors leave in thread_local variables is there in main, in every execution, and in no other thread.
#include <cassert>
#include <pthread.h>

static thread_local int plain = 5;
static thread_local int counted = 0;
struct Dynamic {
  int value;
  Dynamic() : value(++counted) {}
};
static thread_local Dynamic dynamic;
struct Early {
  Early() { plain = 7, dynamic.value = 9; }
};
static Early early;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *) {
  pthread_mutex_lock(&m);
  assert(plain == 5 && dynamic.value == 1 && counted == 1);
  pthread_mutex_unlock(&m);
  return nullptr;
}

int main() {
  assert(plain == 7 && dynamic.value == 9 && counted == 1);
  pthread_t a, b;
  pthread_create(&a, nullptr, run, nullptr);
  pthread_create(&b, nullptr, run, nullptr);
  plain = 8;
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  assert(plain == 8);
  return 0;
}
