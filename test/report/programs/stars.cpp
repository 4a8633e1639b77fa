// Bugs whose two places share a line or a step with others, by number.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

struct Node {
  int value = 1;
  Node* next = nullptr;
};
static std::mutex m, left, right;
static Node* head = new Node;
static int n;

static void lock(std::mutex& x) { x.lock(); }
static void both(std::mutex& x, std::mutex& y) { lock(x), lock(y), y.unlock(), x.unlock(); }
static std::thread started() {
  int counter = 5;
  return std::thread([&] { std::lock_guard<std::mutex> g(m); ++counter; });
}
static void freed_meanwhile() {
  std::thread other([] {
    m.lock();
    const Node* seen = head;
    m.unlock();
    m.lock();
    if (seen) n = seen->value;
    m.unlock();
  });
  m.lock();
  delete head;
  head = nullptr;
  m.unlock();
  other.join();
}

int main(int argc, char**) {
  switch (argc) {
    case 1: {
      std::thread t([] { both(left, right); both(left, right); });
      both(right, left);
      t.join();
      break;
    }
    case 2: {
      std::thread t([] { std::lock_guard<std::mutex> g(m); m.lock(); });
      t.join();
      break;
    }
    case 3:
      freed_meanwhile();
      break;
    case 4:
      started().join();
      break;
    case 5: {  // whoever runs first
      std::thread a([] { std::lock_guard<std::mutex> g(m); ++n; }), b([] { std::lock_guard<std::mutex> g(m); ++n; });
      a.join(), b.join();
      assert(n == 3);
      break;
    }
    case 6: {
      std::thread t([] { std::lock_guard<std::mutex> g(m); ++n; });
      { std::lock_guard<std::mutex> g(m); if (n) abort(); }
      t.join();
      break;
    }
    case 7: {
      std::thread a([] { std::lock_guard<std::mutex> g(m); n = n ? n : 1; }), b([] { std::lock_guard<std::mutex> g(m); n = n ? n : 2; });
      a.join(), b.join();
      assert(n == 1);
      break;
    }
  }
}
