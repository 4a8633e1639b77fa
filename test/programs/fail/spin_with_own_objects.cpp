// expect: verdict=bug kind=livelock
// expect: case=throw verdict=bug kind=livelock cflags=-DTHROW
// expect: case=old verdict=bug kind=memory-error cflags=-DOLD naive
// expect: case=told verdict=bug kind=memory-error cflags=-DTOLD algorithms=source,optimal
// expect: case=mailbox verdict=bug kind=assertion cflags=-DMAILBOX algorithms=source,optimal
// expect: case=kept verdict=inconclusive cflags=-DKEPT algorithms=source reason="an allocation"
// expect: case=replaced verdict=inconclusive cflags=-DREPLACED algorithms=source
// Loops that wait and make something at each turn: for what never comes; or it is more than a wait, for the turn frees what was there
// before, tells of what it has made, or keeps it.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <stdexcept>

static std::atomic<int> flag;
static std::atomic<int*> shared;
static std::atomic<int> seen;

[[gnu::noinline]] static void turn(int* volatile& old) {
#ifdef THROW
  try {
    throw std::runtime_error("not yet");
  } catch (const std::exception&) {
  }
#elif defined OLD
  std::free(old);
#else
  int* volatile block = static_cast<int*>(std::malloc(sizeof(int)));
  *block = 1;
#ifdef TOLD
  shared = block;
  shared = nullptr;
#elif defined MAILBOX
  shared = block;
  if (shared.exchange(nullptr) == nullptr) {
    ++seen;
    return;
  }
#endif
#ifdef REPLACED
  std::free(old);
  old = block;
#elif !defined KEPT
  std::free(block);
#endif
#endif
}

static void* waiter(void* unused) {
  int* volatile old = static_cast<int*>(std::malloc(sizeof(int)));
  while (flag != 1) turn(old);
  assert(seen == 0);
#ifndef OLD
  std::free(old);
#endif
  return unused;
}

static void* other(void* unused) {
#ifdef TOLD
  if (int* const block = shared) assert(*block == 1);
#elif defined MAILBOX
  if (int* const block = shared.exchange(nullptr)) std::free(block);
#endif
#if defined THROW || !(defined OLD || defined TOLD || defined MAILBOX || defined KEPT || defined REPLACED)
  flag = 2;
#else
  flag = 1;
#endif
  return unused;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, waiter, nullptr);
  pthread_create(&threads[1], nullptr, other, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
