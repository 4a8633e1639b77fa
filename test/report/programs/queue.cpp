#include <atomic>
#include <cassert>
#include <thread>

struct Node { char letter; bool taken; std::atomic<Node*> next{nullptr}; };
class Stack {
 public:
  void push(Node* node) {
    Node* top = top_.load();
    do node->next.store(top); while (!top_.compare_exchange_weak(top, node));
  }
  Node* pop() {
    Node* top = top_.load();
    while (top) {
      Node* next = top->next.load();
      if (top_.compare_exchange_strong(top, next)) return top;
    }
    return nullptr;
  }
 private:
  std::atomic<Node*> top_{nullptr};
};
std::atomic<int> popped{0};
int main() {
  Stack stack;
  auto* a = new Node{'a', false};
  auto* b = new Node{'b', false};
  stack.push(a);
  stack.push(b);
  auto user = [&] {
    if (Node* n = stack.pop()) { ++popped; Node* m = stack.pop(); if (m) ++popped; stack.push(n); --popped; }
  };
  std::thread one(user), two(user);
  one.join();
  two.join();
  int left = 0;
  while (stack.pop()) ++left;
  assert(left + popped.load() == 2);
}
