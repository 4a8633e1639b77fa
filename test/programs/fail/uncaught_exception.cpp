// expect: verdict=bug kind=uncaught-exception
// An exception that leaves a thread ends the program.
#include <atomic>
#include <stdexcept>
#include <thread>

int main() {
  std::atomic<int> connections = 0;
  auto connect = [&] {
    if (connections.fetch_add(1) == 1) throw std::runtime_error("too many");
  };
  std::thread a(connect), b(connect);
  a.join();
  b.join();
}
