// expect: verdict=verified algorithms=optimal
// expect: case=plain verdict=verified cflags=-O0 algorithms=optimal
// expect: case=all verdict=verified options=--visible=all algorithms=optimal
// One thread is still inside a virtual call when another begins to destroy the object: the destructor of the object's own class
// stores the table that is there, which changes nothing, and waits before it does anything else.
#include <atomic>
#include <thread>

struct Task {
  std::atomic<bool> done{false};
  virtual ~Task() {
    while (!done.load()) std::this_thread::yield();
  }
  virtual void run() { done.store(true); }
};

int main() {
  auto* task = new Task;
  std::thread worker([task] { task->run(); });
  delete task;
  worker.join();
}
