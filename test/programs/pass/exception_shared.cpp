// expect: verdict=verified algorithms=optimal
// expect: case=plain verdict=verified cflags="-O0 -std=gnu++17" algorithms=optimal
// expect: case=promise verdict=verified cflags=-DPROMISE algorithms=optimal
// expect: case=text verdict=verified cflags=-DTEXT algorithms=optimal
// Two threads own one exception, or copies with one text; whoever gives it up last frees it.
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
    assert(std::string(error.what()).find("roken promise") != std::string::npos);
  }
  other.join();
}
#elif defined TEXT
void look(const std::exception* error) {
  assert(std::string(error->what()) == "one text of many characters");
  delete error;
}

int main() {
  const std::runtime_error first("one text of many characters");
  std::thread other(look, new std::runtime_error(first));
  look(new std::runtime_error(first));
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
