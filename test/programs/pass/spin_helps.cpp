// expect: verdict=verified
// Whoever waits for a task runs queued ones meanwhile; a turn that finds none takes the lock, makes an empty handle, and gives both back.
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

struct Task {
  std::atomic<bool> done{false};
};
using Handle = std::shared_ptr<Task>;

static std::mutex mutex;
static std::deque<Handle> queue;

static bool run_one() {
  Handle task;
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (queue.empty()) return false;
    task = queue.front();
    queue.pop_front();
  }
  task->done = true;
  return true;
}

static void wait_for(const Handle& task) {
  while (!task->done)
    if (!run_one()) std::this_thread::yield();
}

int main() {
  const Handle task = std::make_shared<Task>();
  queue.push_back(task);
  std::thread worker([] { run_one(); });
  wait_for(task);
  worker.join();
}
