#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

struct Account { std::mutex lock; int balance = 10; };
enum class State { idle, ready, done };
struct Channel {
  std::mutex m;
  std::condition_variable changed;
  std::atomic<State> state{State::idle};
};
Account accounts[4];

int main() {
  Channel channel;
  std::thread consumer([&channel] {
    std::unique_lock<std::mutex> lock(channel.m);
    if (channel.state == State::idle) channel.changed.wait(lock);
    std::scoped_lock both(accounts[3].lock);
    accounts[3].balance -= 5;
  });
  {
    std::lock_guard<std::mutex> first(accounts[3].lock);
    channel.state = State::ready;  // without channel.m
    channel.changed.notify_one();
  }
  consumer.join();
}
