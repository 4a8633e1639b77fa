#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

struct Pool {
  std::mutex m;
  std::condition_variable cv;
  std::queue<std::function<void()>> q;
  bool stop = false;
  std::vector<std::thread> workers;

  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) workers.emplace_back([this] { work(); });
  }
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> lock(m);
        cv.wait(lock, [this] { return stop || !q.empty(); });
        if (stop && q.empty()) return;
        job = std::move(q.front());
        q.pop();
      }
      job();
    }
  }
  void add(std::function<void()> job) {
    std::lock_guard<std::mutex> lock(m);
    q.push(std::move(job));
    cv.notify_one();
  }
  ~Pool() {
    stop = true;  // without the lock
    cv.notify_all();
    for (auto& w : workers) w.join();
  }
};

int main() {
  Pool pool(2);
  pool.add([] {});
}
