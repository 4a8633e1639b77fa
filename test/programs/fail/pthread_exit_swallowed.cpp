// expect: verdict=bug kind=uncaught-exception naive
// expect: case=main verdict=bug kind=uncaught-exception cflags=-DIN_MAIN
// expect: case=thrd verdict=bug kind=uncaught-exception cflags=-DLEAVE=thrd_exit(0)
// expect: case=noexcept verdict=bug kind=uncaught-exception cflags=-DNOEXCEPT
// expect: case=other verdict=bug kind=uncaught-exception cflags=-DTHROW_OTHER
// catch (...) must pass on the unwinding of pthread_exit; a function that is noexcept cannot be left by it.
#include <pthread.h>
#include <threads.h>
#include <atomic>

#ifndef LEAVE
#define LEAVE pthread_exit(nullptr)
#endif

static std::atomic<bool> leave;

#ifdef NOEXCEPT
static void work() noexcept {
  if (leave) LEAVE;
}
#else
static void work() {
  try {
    if (leave) LEAVE;
  } catch (...) {
#ifdef THROW_OTHER
    throw 1;
#endif
  }
}
#endif

static void* worker(void*) {
  try {
    work();
  } catch (int) {
  }
  return nullptr;
}

static void* starter(void*) {
  leave = true;
  return nullptr;
}

int main() {
  pthread_t thread;
#ifdef IN_MAIN
  pthread_create(&thread, nullptr, starter, nullptr);
  worker(nullptr);
#else
  pthread_create(&thread, nullptr, worker, nullptr);
  starter(nullptr);
#endif
  pthread_join(thread, nullptr);
}
