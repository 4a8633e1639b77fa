// expect: verdict=verified
// One exception object that two threads rethrow; a lock orders what they change in it.
#include <exception>
#include <mutex>
#include <thread>

struct Failure {
  int tries = 1;
};

static std::mutex changes;

static void handle(const std::exception_ptr& error) {
  const std::exception_ptr own = error;
  try {
    std::rethrow_exception(own);
  } catch (Failure& failure) {
    const std::lock_guard<std::mutex> lock(changes);
    failure.tries++;
  }
}

int main() {
  const std::exception_ptr error = std::make_exception_ptr(Failure());
  std::thread other([&] { handle(error); });
  handle(error);
  other.join();
}
