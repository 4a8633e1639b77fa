// expect: verdict=verified algorithms=optimal
// Two threads own one exception; whoever gives it up last frees it.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

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
