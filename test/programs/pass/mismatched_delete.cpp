// expect: verdict=verified
// expect: case=own_operators verdict=verified cflags=-DOWN
// Memory goes back to the family of functions that it comes from; operators of the program's own may pair with any.
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>

struct alignas(64) Wide {
  int value = 0;
  ~Wide() { value = 1; }
};

#ifdef OWN
void* operator new(std::size_t size) { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

static void worker() {
  delete new int;
  delete[] new int[3];
  delete new Wide;
  delete[] new Wide[2];
  ::operator delete(::operator new(8, std::nothrow));
  ::operator delete[](::operator new[](8, std::nothrow), std::nothrow);
  ::operator delete(::operator new(64, std::align_val_t(64)), 64, std::align_val_t(64));
  std::free(std::realloc(std::aligned_alloc(64, 64), 128));
  const std::shared_ptr<int[]> array(new int[2]);
#ifdef OWN
  std::free(new int);
#endif
}

int main() {
  std::thread thread(worker);
  worker();
  thread.join();
}
