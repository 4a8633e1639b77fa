// expect: verdict=bug kind=data-race cflags=-O0 algorithms=source,optimal
// expect: case=never verdict=bug kind=livelock cflags='-O0 -DNEVER' algorithms=source,optimal
// expect: case=late verdict=bug kind=assertion cflags='-O0 -DLATE' algorithms=source,optimal naive
// Loops of std::atomic without optimisation that wait for a value, and what may be wrong with them: they order nothing, what they wait
// for never comes, or it is gone before they look.
#include <pthread.h>

#include <atomic>
#include <cassert>

static std::atomic<int> flag;
static int written;

static bool ready() { return flag.load(std::memory_order_relaxed) >= 1; }

static void* waits(void* argument) {
#ifdef LATE
  while (!ready()) {
  }
  assert(flag != 2);
#elif defined NEVER
  while (!ready()) {
  }
#else
  while (!ready()) {
  }
  assert(written == 1);
#endif
  return argument;
}

int main() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, waits, nullptr);
#ifdef NEVER
  flag.store(0);
#else
#ifndef LATE
  written = 1;
#endif
  flag.store(1);
#endif
#ifdef LATE
  flag.store(2);
#endif
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
