// expect: verdict=verified naive
// expect: case=main verdict=verified cflags=-DIN_MAIN
// A handler that throws again passes the unwinding of pthread_exit on; destructors run.
#include <cxxabi.h>
#include <pthread.h>
#include <atomic>
#include <cassert>

static std::atomic<bool> leave;
static std::atomic<int> left, ended;

struct Guard {
  ~Guard() { ++left; }
};

static void* worker(void*) {
  Guard outer;
  try {
    Guard inner;
    try {
      if (leave) pthread_exit(nullptr);
    } catch (...) {
      throw;
    }
  } catch (abi::__forced_unwind&) {
    ++ended;
    throw;
  }
  ++ended;
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
  assert(left == 2 && ended == 1);
}
