// Instrumented C++ behaves as it would: exceptions, threads, containers, streams, virtual calls, coroutines, function statics.
// RUN: %cxx -O0 -std=gnu++20 %s -o %t && %t | FileCheck %s
// RUN: %cxx -O1 -std=gnu++20 %s -o %t && %t | FileCheck %s
// RUN: %cxx -O2 -std=gnu++20 %s -o %t && %t | FileCheck %s
// RUN: %cxx -O3 -std=gnu++20 -flto=thin -fuse-ld=lld %s -o %t && %t | FileCheck %s
#include <algorithm>
#include <atomic>
#include <coroutine>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
};
struct square : shape {
  int side;
  explicit square(int s) : side(s) {}
  int area() const override { return side * side; }
};

static int depth(int n) {
  struct guard {
    int& count;
    ~guard() { ++count; }
  };
  int unwound = 0;
  try {
    guard g{unwound};
    if (n == 0) throw std::runtime_error("bottom");
    return depth(n - 1) + 1;
  } catch (const std::logic_error&) {
    return -1;
  }
}

struct generator {
  struct promise_type {
    int current = 0;
    generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { return current = v, std::suspend_always{}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  ~generator() { handle.destroy(); }
};
static generator count(int n) {
  for (int i = 0; i < n; ++i) co_yield i;
}

int main() {
  std::atomic<int> total{0};
  std::mutex lock;
  std::map<int, std::string> names;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      total += i;
      std::lock_guard<std::mutex> hold(lock);
      names[i] = "thread " + std::to_string(i);
    });
  for (auto& t : threads) t.join();
  std::cout << total << ' ' << names.size() << ' ' << names[3] << '\n';  // CHECK: 6 4 thread 3
  try {
    depth(5);
  } catch (const std::exception& e) {
    std::cout << e.what() << '\n';  // CHECK: bottom
  }
  std::vector<std::unique_ptr<shape>> shapes;
  for (int i = 1; i < 4; ++i) shapes.push_back(std::make_unique<square>(i));
  std::cout << std::accumulate(shapes.begin(), shapes.end(), 0, [](int s, auto& x) { return s + x->area(); }) << '\n';  // CHECK: 14
  std::ostringstream out;
  generator g = count(3);
  while (g.handle.resume(), !g.handle.done()) out << g.handle.promise().current << ',';
  std::cout << out.str() << std::endl;  // CHECK: 0,1,2,
  std::shared_ptr<int> shared = std::make_shared<int>(9);
  std::function<int()> f = [shared] { return *shared; };
  std::cout << f() + int(shared.use_count()) << '\n';  // CHECK: 11
}
