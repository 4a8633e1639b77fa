// expect: verdict=bug kind=uncaught-exception
// An exception that leaves a thread's function: its type and text are told.
#include <stdexcept>
#include <thread>

static void work() { throw std::out_of_range("too far"); /* ERROR */ }

int main() {
  std::thread thread(work);
  thread.join();
  return 0;
}
