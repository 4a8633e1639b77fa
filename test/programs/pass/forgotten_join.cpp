// expect: verdict=verified
// std::jthread joins by itself, and asks the thread to stop first.
#include <thread>

int main() {
  std::jthread worker([](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
}
