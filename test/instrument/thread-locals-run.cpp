// thread_local across units: constant and dynamic initialisation, inline variables, one copy a thread, libraries' own ones.
// RUN: %cxx -O0 %s %S/inputs/tls-other.cpp -o %t && %t
// RUN: %cxx -O2 %s %S/inputs/tls-other.cpp -o %t && %t
// RUN: %cxx -O1 -c %s -o %t.1.o && %cxx -O3 -fPIC -c %S/inputs/tls-other.cpp -o %t.2.o && %cxx %t.1.o %t.2.o -o %t && %t
// RUN: %cxx -O1 -fuse-ld=lld -ffunction-sections -fdata-sections -Wl,--gc-sections %s %S/inputs/tls-other.cpp -o %t && %t
#include <errno.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <string>
#include <thread>

int constructed;
struct tracked {
  int value;
  explicit tracked(int);
  ~tracked();
};
extern thread_local tracked dynamic;
extern thread_local int plain;
extern thread_local std::string text;
inline thread_local int shared_inline = 11;
int* inline_address();
template <class T>
struct holder {
  static thread_local T value;
};
template <class T>
thread_local T holder<T>::value = T(3);

static int* next() {
  static thread_local int calls = 100;
  ++calls;
  return &calls;
}

static void use() {
  inspect_assert(dynamic.value == 40);
  dynamic.value = 1;
  inspect_assert(plain++ == 7 && plain == 8);
  inspect_assert(text == "a string long enough not to be short 7");
  text += "!";
  inspect_assert(&shared_inline == inline_address() && shared_inline == 11);
  inspect_assert(++holder<long>::value == 4);
  inspect_assert(*next() == 101 && *next() == 102);
  errno = 5;
  inspect_assert(errno == 5);
}

int main() {
  plain = 7;
  use();
  int* mine = next();
  std::thread other([mine] {
    use();
    inspect_assert(next() != mine);
  });
  other.join();
  inspect_assert(*mine == 103 && dynamic.value == 1);
}
