// expect: verdict=verified
// expect: case=string verdict=verified cflags=-DSTRING
// expect: case=vector verdict=verified cflags=-DVECTOR algorithms=source,optimal
// expect: case=throw verdict=verified cflags=-DTHROW
// expect: case=made verdict=verified cflags=-DMADE algorithms=source,optimal
// expect: case=two verdict=verified cflags='-DSTRING -DTWO' algorithms=source,optimal
// expect: case=unoptimised verdict=verified cflags=-O0 algorithms=source
// Loops that wait, and make something at each turn that ends with it: a block of the heap, a string, a vector, an exception, an object
// with counts of its owners. Nobody else gets to know it.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<int> flag;
static int result;

[[gnu::noinline]] static bool ready() {
#ifdef STRING
  const std::string status = flag ? "ready, as one can see from afar" : "not yet, but it may be so soon";
  const std::string small = "no";
  return status[0] == 'r' && small[0] == 'n';
#elif defined VECTOR
  std::vector<int> values(3);
  values.push_back(flag);
  return values[3] != 0;
#elif defined THROW
  try {
    if (!flag) throw std::runtime_error("not yet");
    return true;
  } catch (const std::exception&) {
    return false;
  }
#elif defined MADE
  const std::shared_ptr<int> value = std::make_shared<int>(flag);
  const std::shared_ptr<int> other = value;
  return *other != 0;
#else
  int* volatile value = static_cast<int*>(std::malloc(sizeof(int)));
  *value = flag;
  const bool set = *value != 0;
  std::free(value);
  return set;
#endif
}

static void* waiter(void* unused) {
  while (!ready()) {
  }
  assert(result == 1);
  return unused;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, waiter, nullptr);
#ifdef TWO
  pthread_create(&threads[1], nullptr, waiter, nullptr);
#endif
  result = 1;
  flag = 1;
  pthread_join(threads[0], nullptr);
#ifdef TWO
  pthread_join(threads[1], nullptr);
#endif
  return 0;
}
