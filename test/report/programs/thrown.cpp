#include <stdexcept>
#include <thread>

static void fail(int code) {
  if (code) throw std::runtime_error("no space left");
}
int main(int argc, char**) {
  std::thread thread(fail, argc);
  thread.join();
}
