// expect: case=temporary verdict=bug kind=memory-error cflags=-DTEMPORARY
// expect: case=temporary_O0 verdict=bug kind=memory-error cflags="-DTEMPORARY -O0" algorithms=optimal
// expect: case=temporary_O2 verdict=bug kind=memory-error cflags="-DTEMPORARY -O2" algorithms=optimal
// expect: case=exception verdict=bug kind=memory-error cflags=-DEXCEPTION
// expect: case=exception_O0 verdict=bug kind=memory-error cflags="-DEXCEPTION -O0" algorithms=optimal
// expect: case=exception_O2 verdict=bug kind=memory-error cflags="-DEXCEPTION -O2" algorithms=optimal
// A temporary ends with its statement; an exception ends the objects of the functions that it leaves.
#include <string>
#include <thread>

static void look(const char* text) {
  if (*text == 'x') std::this_thread::yield(); /* ERROR */
}

#ifdef TEMPORARY
static std::thread run() { return std::thread(look, std::string("short").c_str()); /* ERROR */ }
#else
[[gnu::noinline]] static void leave(std::thread& thread) {
  char local[8] = "short";
  thread = std::thread(look, local);
  throw 1;
}
static std::thread run() {
  std::thread thread;
  try {
    leave(thread); /* ERROR */
  } catch (int) {  /* ERROR */
  }
  return thread;
}
#endif

int main() { run().join(); } /* ERROR */
