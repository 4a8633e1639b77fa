// expect: verdict=bug kind=data-race|memory-error
// The count inside a shared_ptr is safe, the pointer variable itself is not.
#include <memory>
#include <thread>

int main() {
  auto current = std::make_shared<int>(1);
  std::thread reader([&] {
    auto mine = current;
    return *mine;
  });
  current = std::make_shared<int>(2);
  reader.join();
}
