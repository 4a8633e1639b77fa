// expect: verdict=bug kind=uncaught-exception
// expect: case=noexcept verdict=bug kind=uncaught-exception cflags=-DNOEXCEPT
// A catch (...) that does not pass the unwinding on, or a function that lets nothing out: the process is ended.
#include <pthread.h>
#include <semaphore.h>

namespace {
sem_t never;

#ifdef NOEXCEPT
void wait() noexcept { sem_wait(&never); }
#else
void wait() {
  try {
    sem_wait(&never);
  } catch (...) {
  }
}
#endif

void* run(void*) {
  wait();
  return nullptr;
}
}  // namespace

int main() {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
}
