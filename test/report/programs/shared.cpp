#include <memory>
#include <mutex>
#include <thread>

struct Node { int value = 7; Node* next = nullptr; ~Node() { value = 0; } };
struct Cache {
  std::mutex lock;
  std::shared_ptr<Node> head = std::make_shared<Node>();
  Node* peek() { std::lock_guard<std::mutex> guard(lock); return head.get(); }
  void drop() { std::lock_guard<std::mutex> guard(lock); head.reset(); }
};
int main() {
  Cache cache;
  std::thread reader([&] { if (Node* node = cache.peek()) { std::lock_guard<std::mutex> guard(cache.lock); node->value += 1; } });
  std::thread writer([&] { cache.drop(); });
  reader.join();
  writer.join();
}
