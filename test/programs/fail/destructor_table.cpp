// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=plain verdict=bug kind=data-race cflags=-O0 algorithms=optimal
// The destructor of the derived class gives way to that of its base, which changes the table while a virtual call may read it.
#include <atomic>
#include <thread>

struct Task {
  std::atomic<bool> done{false};
  virtual ~Task() {
    while (!done.load()) std::this_thread::yield();
  }
  virtual void run() { done.store(true); }
};
struct Special final : Task {
  void run() override { done.store(true); }
};

int main() {
  Task* task = new Special;
  std::thread worker([task] { task->run(); });
  delete task;
  worker.join();
}
