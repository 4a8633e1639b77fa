// expect: verdict=verified naive
// A global object makes a key and sets its value before main, and deletes it after main, in every execution.
#include <pthread.h>
#include <cassert>
#include <mutex>
#include <new>
#include <thread>

struct Key {
  pthread_key_t key;
  Key() {
    const int error = pthread_key_create(&key, nullptr) | pthread_setspecific(key, this);
    assert(!error);
  }
  ~Key() {
    const int error = pthread_key_delete(key);
    assert(!error);
  }
};
static Key global;
static std::mutex mutex;
static int count;

static void work() {
  std::lock_guard lock(mutex);
  ++count;
  assert(!pthread_setspecific(global.key, &count));
}

int main() {
  assert(pthread_getspecific(global.key) == &global);
  std::thread thread(work);
  work();
  thread.join();
  assert(count == 2 && pthread_getspecific(global.key) == &count);
  volatile std::size_t huge = SIZE_MAX / 2;
  bool refused = false;
  try {
    char* volatile block = new char[huge];
    delete[] block;
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  assert(refused);
}
