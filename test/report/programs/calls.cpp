// What the C library is called for, and what a reader looks for in its place: the number of words says which.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include <pthread.h>

struct Buffer {
  int data[5] = {};
};
static Buffer* shared = new Buffer;
static std::mutex m;
static std::once_flag once;
static int x, value;
static std::map<int, int> table;

static void release() {
  Buffer* mine = shared;
  std::lock_guard<std::mutex> hold(m);
  delete mine;
}

int main(int argc, char**) {
  switch (argc) {
    case 1: {  // what another thread wrote is in the file
      std::thread writer([] {
        FILE* f = fopen("calls.txt", "w");
        fputs("a", f);
        fclose(f);
      });
      FILE* f = fopen("calls.txt", "r");
      const int c = f ? fgetc(f) : EOF;
      if (f) fclose(f);
      writer.join();
      assert(c == EOF);
      break;
    }
    case 2: {  // nobody waits for it
      std::thread left([] {});
      break;
    }
    case 3: {
      std::thread a(release), b(release);
      a.join();
      b.join();
      break;
    }
    case 4: {
      std::thread named([] { pthread_setname_np(pthread_self(), "worker"), m.lock(), x = 1, m.unlock(); });
      named.join();
      assert(x == 0);
      break;
    }
    case 5: {
      std::thread first([] { std::call_once(once, [] { value = 1; }); });
      value = 2;
      first.join();
      break;
    }
    case 6: {
      std::thread ends([] { exit(5); });
      ends.join();
      break;
    }
    case 7: {  // both accesses are in the library's code
      std::thread other([] { table[1] = 1; });
      table[2] = 2;
      other.join();
      break;
    }
    case 8: {  // a thread whose outermost code is the library's
      std::packaged_task<int()> task([] { return 3; });
      auto result = task.get_future();
      std::thread runs(std::move(task));
      const int got = result.get();
      runs.join();
      assert(got == 4);
      break;
    }
  }
}
