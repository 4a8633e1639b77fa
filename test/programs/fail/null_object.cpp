// expect: verdict=bug kind=crash naive
// A virtual call of an object that may be none.
#include <atomic>
#include <thread>

struct Listener {
  virtual void notify() {}
  virtual ~Listener() = default;
};

int main() {
  Listener object;
  std::atomic<Listener*> listener{&object};
  std::thread worker([&] {
    listener.load()->notify(); /* ERROR */
  });
  listener = nullptr;
  worker.join();
}
