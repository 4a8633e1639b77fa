// Nobody keeps the promise, unless there is an argument.
#include <cassert>
#include <future>
#include <memory>
#include <thread>

int main(int argc, char**) {
  auto promise = std::make_shared<std::promise<int>>();
  std::future<int> future = promise->get_future();
  std::thread thread([promise, argc] {
    if (argc > 1) promise->set_value(argc);
  });
  int got = future.get();
  thread.join();
  assert(got == 1);
}
