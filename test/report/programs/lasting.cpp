// Objects from before main and of one thread alone; the number of arguments says which of them the bug is about.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Cache {
  std::mutex lock;
  int hits;
  bool warm;
};
struct Node {
  int value;
  Node* next;
};

static thread_local Cache cache;
thread_local int depth = 3;
static Node* head = new Node{4, nullptr};
static std::vector<int> numbers{1, 2, 3};
static std::unique_ptr<Cache> everybodys = std::make_unique<Cache>();

static void use(int which, Cache* mains, int* depth_of_main, int* inner_of_main) {
  if (which == 1) mains->warm = true;
  if (which == 2) *depth_of_main = 7;
  if (which == 3) *inner_of_main = 8;
  if (which == 4) head->value = 5;
  if (which == 5) numbers[1] = 5;
  if (which == 6) everybodys->warm = true;
  if (which == 7) {
    std::lock_guard own(cache.lock);
    std::lock_guard other(mains->lock);
  }
  if (which == 8) delete head;
}

int main(int argc, char**) {
  static thread_local int inner = 5;
  std::thread thread(use, argc, &cache, &depth, &inner);
  if (argc == 1) assert(!cache.warm);
  if (argc == 2) assert(depth);
  if (argc == 3) assert(inner);
  if (argc == 4 || argc == 8) assert(head->value);
  if (argc == 5) assert(numbers[1]);
  if (argc == 6) assert(!everybodys->warm);
  if (argc == 7) {
    std::lock_guard own(cache.lock);
    thread.join();
    return 0;
  }
  thread.join();
}
