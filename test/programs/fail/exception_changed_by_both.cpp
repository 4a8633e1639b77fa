// expect: verdict=bug kind=data-race
// One exception object that two threads rethrow and change: the count of its owners orders only who frees it.
#include <exception>
#include <thread>

struct Failure {
  int tries = 1;
};

static void handle(const std::exception_ptr& error) {
  const std::exception_ptr own = error;
  try {
    std::rethrow_exception(own);
  } catch (Failure& failure) {
    failure.tries++;
  }
}

int main() {
  const std::exception_ptr error = std::make_exception_ptr(Failure());
  std::thread other([&] { handle(error); });
  handle(error);
  other.join();
}
