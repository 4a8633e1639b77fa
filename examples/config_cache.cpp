// expect: verdict=bug kind=assertion
// A cache under a reader-writer lock. Between giving up the read lock and taking the write lock another thread can be faster:
// the configuration is loaded twice.
//
//     ./dev check examples/config_cache.cpp
//
// The repair is to look again once the write lock is held.
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::shared_mutex mutex;
static std::map<std::string, int> cache;
static std::atomic<int> loads = 0;

static int load(const std::string& key) {
  assert(++loads == 1);
  return static_cast<int>(key.size());
}

static int lookup(const std::string& key) {
  {
    std::shared_lock lock(mutex);
    auto found = cache.find(key);
    if (found != cache.end()) return found->second;
  }
  std::unique_lock lock(mutex);
  return cache[key] = load(key);
}

int main() {
  std::thread other([] { lookup("port"); });
  lookup("port");
  other.join();
}
