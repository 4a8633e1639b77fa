// expect: verdict=verified cflags=-O0 algorithms=source,optimal executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0
// expect: case=acquire verdict=verified cflags='-O0 -DREADY=flag.load(std::memory_order_acquire)' algorithms=source executions(source)=1 redundant(source)=0
// expect: case=call verdict=verified cflags='-O0 -DREADY=ready(1)' algorithms=source executions(source)=1 redundant(source)=0
// expect: case=pointer verdict=verified cflags='-O0 -DREADY=pointer->load()' algorithms=source executions(source)=1 redundant(source)=0
// expect: case=two verdict=verified naive cflags='-O0 -DTHREADS=2' executions(source)=1 executions(optimal)=1
// expect: case=locks verdict=verified cflags='-O0 -DLOCKS -DTHREADS=3' algorithms=source,optimal executions(source)=6 executions(optimal)=6
// expect: case=locks_once verdict=verified naive cflags='-O0 -DLOCKS -DTHREADS=2' algorithms=source executions(source)=2
// Without optimisation std::atomic is read by functions of the library that call others, and all goes through memory: the loops wait
// for one value all the same, and those that take a lock carry nothing from turn to turn.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef READY
#define READY flag.load()
#endif

static std::atomic<int> flag;
static std::atomic_flag lock = ATOMIC_FLAG_INIT;
static int taken;

[[maybe_unused]] static bool ready(int at_least) { return flag >= at_least; }

static void* waits(void* argument) {
#ifdef LOCKS
  while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  ++taken;
  lock.clear(std::memory_order_release);
#else
  [[maybe_unused]] std::atomic<int>* pointer = &flag;
  while (!READY) std::this_thread::yield();
  assert(taken == 1);
#endif
  return argument;
}

int main() {
  pthread_t threads[THREADS];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, waits, nullptr);
#ifndef LOCKS
  taken = 1;
  flag.store(1);
#endif
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
#ifdef LOCKS
  assert(taken == THREADS);
#endif
  return 0;
}
