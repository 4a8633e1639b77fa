// expect: verdict=verified cflags=-mcx16
// A counter of sixteen bytes counts although the loop looks at something else.
#include <atomic>

unsigned __int128 counter;
std::atomic<int> turns;

int main() {
  do {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  } while (__atomic_load_n(&counter, __ATOMIC_SEQ_CST) < 20);
}
