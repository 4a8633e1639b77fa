// expect: case=promise verdict=verified cflags=-DPROMISE
// expect: case=task verdict=verified cflags=-DTASK
// expect: case=exception verdict=verified cflags=-DEXCEPTION
// expect: case=notify verdict=verified cflags=-DNOTIFY
// A shared state becomes ready, and waiters are notified, when a thread has ended: after its thread_local objects.
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

static int number;
struct Last {
  int value = 0;
  ~Last() { number = value; }
};
static thread_local Last last;

#if defined TASK
static std::packaged_task<int()> task([] { return last.value = 2; });
#define WORK() task.make_ready_at_thread_exit()
#define WAIT() task.get_future().get()
#elif defined EXCEPTION
static std::promise<void> promise;
#define WORK() (last.value = 2, promise.set_exception_at_thread_exit(std::make_exception_ptr(1)))
#define WAIT() promise.get_future().wait()
#elif defined PROMISE
static std::promise<void> promise;
#define WORK() (last.value = 2, promise.set_value_at_thread_exit())
#define WAIT() promise.get_future().get()
#else
static std::mutex mutex;
static std::condition_variable condition;
static bool ended;
static void notify_late() {
  last.value = 2;
  std::unique_lock<std::mutex> lock(mutex);
  ended = true;
  std::notify_all_at_thread_exit(condition, std::move(lock));
}
static void wait() {
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait(lock, [] { return ended; });
}
#define WORK() notify_late()
#define WAIT() wait()
#endif

int main() {
  std::thread thread([] { WORK(); });
#ifndef DEFECT
  WAIT();
#endif
  const int seen = number;
  thread.join();
  return seen != 2;
}
