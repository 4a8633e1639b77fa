// An exception leaves the function or the block whose local the other thread still writes to; inlined, the function lies in the
// frame that catches, and no clean-up says that its local has ended.
// expect: case=function verdict=bug kind=memory-error cflags=-DLEAVE=from_function()
// expect: case=function-optimised verdict=bug kind=memory-error cflags="-O2 -DLEAVE=from_function()"
// expect: case=callee verdict=bug kind=memory-error cflags=-DLEAVE=from_callee()
// expect: case=nested verdict=bug kind=memory-error cflags=-DLEAVE=from_nested()
// expect: case=array verdict=bug kind=memory-error cflags=-DLEAVE=from_array(3)
// expect: case=lambda verdict=bug kind=memory-error cflags=-DLEAVE=from_lambda()
#include <pthread.h>

static pthread_t writer;

static void *write_late(void *local) {
  *static_cast<int *>(local) = 1; /* ERROR */
  return nullptr;
}

static void lend(int *local) { pthread_create(&writer, nullptr, write_late, local); }

[[maybe_unused]] static void from_function() {
  int local = 0;
  lend(&local);
  throw 1;
}

__attribute__((noinline)) static void raise_error() { throw 1; }
[[maybe_unused]] static void from_callee() {
  int local = 0;
  lend(&local);
  raise_error();
}

[[maybe_unused]] static void from_nested() {
  int local = 0;
  lend(&local);
  try {
    raise_error();
  } catch (int) {
    throw;
  }
}

[[maybe_unused, gnu::always_inline]] static inline void from_array(int count) {
  int local[count];
  local[0] = 0;
  lend(local);
  throw 1;
}

[[maybe_unused]] static void from_lambda() {
  [] {
    int local = 0;
    lend(&local);
    throw 1;
  }();
}

int main() {
  try {
    LEAVE;
  } catch (int) {
  }
  pthread_join(writer, nullptr);
}
