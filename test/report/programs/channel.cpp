// A channel of one place whose takers and giver wait on one condition variable and wake one thread.
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

struct Channel {
  std::mutex m;
  std::condition_variable cv;
  std::queue<int> q;
  void put(int v) {
    std::unique_lock<std::mutex> l(m);
    while (q.size() == 1) cv.wait(l);
    q.push(v);
    cv.notify_one();
  }
  void get() {
    std::unique_lock<std::mutex> l(m);
    while (q.empty()) cv.wait(l);
    q.pop();
    cv.notify_one();
  }
} ch;

int main() {
  std::thread giver([] { ch.put(1), ch.put(1); }), one([] { ch.get(); }), two([] { ch.get(); });
  giver.join(), one.join(), two.join();
}
