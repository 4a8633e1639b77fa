// expect: case=new verdict=verified cflags="-DHANDLER=std::new_handler -DSET=std::set_new_handler -DGET=std::get_new_handler"
// expect: case=terminate verdict=verified cflags="-DHANDLER=std::terminate_handler -DSET=std::set_terminate -DGET=std::get_terminate"
// Threads set a handler at any time: no race, but either may be first.
#include <cassert>
#include <exception>
#include <new>
#include <thread>

static void handler() {}

int main() {
  const HANDLER before = GET();
  std::thread thread([] { SET(handler); });
  const HANDLER seen = GET();
#ifdef DEFECT
  assert(seen == before);
#else
  assert(seen == before || seen == handler);
#endif
  thread.join();
  assert(GET() == handler);
}
