// expect: verdict=bug kind=data-race
// Writing under a shared lock.
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  int hits = 0;
  auto read = [&] {
    std::shared_lock lock(mutex);
    ++hits; /* ERROR */
  };
  std::thread a(read), b(read);
  a.join();
  b.join();
}
