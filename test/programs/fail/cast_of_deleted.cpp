// expect: verdict=bug kind=memory-error
// dynamic_cast looks into the object, which another thread deletes.
#include <thread>

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  int value = 1;
};

int main() {
  Base* const object = new Derived;
  std::thread other([=] { delete object; });
  const bool is_derived = dynamic_cast<Derived*>(object) != nullptr;
  other.join();
  return is_derived ? 0 : 1;
}
