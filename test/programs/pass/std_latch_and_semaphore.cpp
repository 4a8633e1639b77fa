// expect: verdict=verified
// The synchronisation classes of C++20 are atomics and futexes inside.
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::latch started(2);
  std::binary_semaphore turn(0);
  int value = 0;
  std::thread worker([&] {
    value = 1;
    turn.release();
    started.arrive_and_wait();
  });
  turn.acquire();
  assert(value == 1);
  started.arrive_and_wait();
  worker.join();
}
