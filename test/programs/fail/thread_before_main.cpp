// expect: verdict=unsupported reason="before main: a constructor creates a thread"
// A global object that starts a thread: its constructor runs before main, where no execution has begun.
#include <thread>

struct Service {
  int value = 0;
  std::thread worker{[this] { value = 1; }};
  ~Service() { worker.join(); }
};
Service service;

int main() { return 0; }
