// expect: verdict=bug kind=data-race
// The initialisation is safe; what the threads do with the object afterwards is not.
#include <thread>

struct Registry {
  int users = 0;
};

static Registry& registry() {
  static Registry instance;
  return instance;
}

int main() {
  auto use = [] { registry().users++; }; /* ERROR */
  std::thread a(use), b(use);
  a.join();
  b.join();
}
