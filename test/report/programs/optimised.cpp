// Two threads lock in opposite orders, all in one function that is inlined.
#include <mutex>
#include <thread>

struct Plain {
  int a = 0;
  std::mutex lock;
} p, q;

static void both(Plain& x, Plain& y) {
  std::scoped_lock g(x.lock);
  std::unique_lock<std::mutex> h(y.lock);
  ++x.a;
}

int main() {
  std::thread t([] { both(p, q); });
  both(q, p);
  t.join();
}
