// expect: verdict=verified algorithms=optimal
// expect: case=promise verdict=verified cflags=-DPROMISE algorithms=optimal
// Two threads own one exception; whoever gives it up last frees it.
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#ifdef PROMISE
int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread other([mine = std::move(promise)] {});
  try {
    answer.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
  other.join();
}
#else
void look(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    assert(std::string(e.what()) == "shared");
  }
}

int main() {
  std::exception_ptr error = std::make_exception_ptr(std::runtime_error("shared"));
  std::thread other(look, error);
  std::exception_ptr mine = std::move(error);
  look(std::move(mine));
  other.join();
}
#endif
