// expect: case=array verdict=bug kind=memory-error cflags=-DWRONG="delete(array())"
// expect: case=single verdict=bug kind=memory-error cflags=-DWRONG="delete[](new(int))"
// expect: case=malloc verdict=bug kind=memory-error cflags=-DWRONG="delete(static_cast<int*>(std::malloc(4)))"
// expect: case=free verdict=bug kind=memory-error cflags=-DWRONG="std::free(new(int))"
// expect: case=realloc verdict=bug kind=memory-error cflags=-DWRONG="std::free(std::realloc(new(int),8))"
// expect: case=aligned verdict=bug kind=memory-error cflags=-DWRONG="::operator\ delete(::operator\ new(64,std::align_val_t(64)))"
// expect: case=unaligned verdict=bug kind=memory-error cflags=-DWRONG="::operator\ delete(::operator\ new(64),std::align_val_t(64))"
// expect: case=shared verdict=bug kind=memory-error cflags=-DWRONG="std::shared_ptr<int>(array()).reset()"
// Memory goes back to another family of functions than it comes from. In pass/mismatched_delete.cpp to its own.
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>

[[maybe_unused]] static int* array() { return new int[3]; }

int main() {
  std::thread thread([] { WRONG; });
  thread.join();
}
