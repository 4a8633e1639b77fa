// expect: verdict=bug kind=crash naive
// expect: case=garbage verdict=bug kind=crash cflags=-DTARGET=0x123456
// expect: case=data verdict=bug kind=crash cflags=-DTARGET=data
// expect: case=gone verdict=bug kind=crash cflags=-DTARGET=unmapped()
// A call through a pointer that no longer leads to code: reported where it is made.
#include <pthread.h>
#include <sys/mman.h>
#include <atomic>

using Hook = void (*)();

static char data[64];

[[maybe_unused]] static void* unmapped() {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(page, 4096);
  return page;
}

#ifndef TARGET
#define TARGET nullptr
#endif

static std::atomic<Hook> hook{[] {}};

static void* worker(void* argument) {
  hook.load()(); /* ERROR */
  return argument;
}

int main() {
  pthread_t thread;
  data[0] = 1;
  pthread_create(&thread, nullptr, worker, nullptr);
  hook = (Hook)(void*)(TARGET);
  pthread_join(thread, nullptr);
}
