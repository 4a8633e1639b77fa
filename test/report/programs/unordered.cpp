// A stack without locks that frees what another thread may still look at.
#include <atomic>
#include <thread>

class Stack {
  struct Node {
    int value;
    Node* next;
  };
  std::atomic<Node*> head_{nullptr};

 public:
  void push(int v) {
    Node* n = made(v);
    while (!head_.compare_exchange_weak(n->next, n)) {
    }
  }
  Node* made(int v) { return new Node{v, head_.load()}; }
  int pop() {
    Node* n = head_.load();
    if (!n) return 0;
    // n may be freed here
    Node* const next = n->next;
    if (!head_.compare_exchange_strong(n, next)) return 0;
    const int v = n->value;
    delete n;
    return v;
  }
};

int main() {
  Stack s;
  s.push(1);
  s.push(2);
  std::thread a([&] { s.pop(); }), b([&] { s.pop(); });
  a.join();
  b.join();
}
