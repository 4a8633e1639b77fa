// expect: verdict=verified
// Each thread has a pointer of its own to the one object; the last to leave destroys it.
#include <memory>
#include <thread>

int main() {
  auto current = std::make_shared<int>(1);
  std::thread reader([mine = current] { return *mine; });
  current = std::make_shared<int>(2);
  reader.join();
}
