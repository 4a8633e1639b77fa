// expect: verdict=verified
// A thread_local object is constructed on first use and destroyed at the end of its thread, before the join returns.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive = 0;

struct Session {
  Session() { ++alive; }
  ~Session() { --alive; }
  int requests = 0;
};

static thread_local Session session;

int main() {
  auto work = [] { assert(++session.requests == 1); };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(alive == 0);
}
