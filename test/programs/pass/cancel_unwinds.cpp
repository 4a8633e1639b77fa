// expect: verdict=verified naive
// A thread that is cancelled runs the destructors of its frames; a catch (...) passes it on.
#include <pthread.h>
#include <semaphore.h>

#include <cassert>

namespace {
sem_t never;
int destroyed, passed_on;
struct Object {
  ~Object() { ++destroyed; }
};

void* run(void*) {
  Object outer;
  try {
    Object inner;
    sem_wait(&never);
  } catch (...) {
    ++passed_on;
    throw;
  }
  return nullptr;
}
}  // namespace

int main() {
  pthread_t thread;
  void* result;
  sem_init(&never, 0, 0);
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && destroyed == 2 && passed_on == 1);
}
