// expect: verdict=verified
// expect: case=O0 verdict=verified cflags=-O0 algorithms=optimal
// expect: case=O2 verdict=verified cflags=-O2 algorithms=optimal
// Arguments of class type live as long as the statement of the call, each time anew; so do results that nobody takes.
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>

template <class T>
static T* same(T* pointer) {
  return pointer;
}

static int run(int* number) {
  std::thread([number] { ++*number; }).join();
  return *number;
}

struct Plain {  // no destructor, but a copy of its own
  int numbers[4] = {};
  explicit Plain(int n) { numbers[1] = n; }
  Plain(const Plain& other) { numbers[1] = other.numbers[1]; }
};

struct Value : Plain {
  using Plain::Plain;
  Value(const Value& other) = default;
  ~Value() { ++numbers[1]; }
};

static Value make(int n) { return Value(n); }

template <class T>
[[gnu::noinline]] static int take(T value) {
  return run(&value.numbers[1]);
}

template <class T>
[[gnu::noinline]] static int take_two(T first, T second = T(4)) {
  return run(&first.numbers[1]) + second.numbers[1];
}

template <class T>
[[gnu::noinline]] static int* lend(T value) {
  return same(&value.numbers[1]);
}

template <class T>
[[gnu::noinline]] static std::pair<int*, int> lend_in_pair(T value) {
  return {same(&value.numbers[1]), 1};
}

[[gnu::noinline]] static int fail(Value value) { throw run(&value.numbers[1]); }

template <class T>
static int repeat(int turns) {
  const T kept(1);
  int sum = 0;
  for (int i = 0; i < turns; ++i) {
    sum += take(kept) + take_two(kept) + take(T(i));
    sum += i ? take(i > 1 ? kept : T(2)) : 0;
    sum += take(kept) && take(T(5));
    sum += run(lend(kept)) + *lend_in_pair(kept).first;  // the callers' statements go on
  }
  return sum;
}

static int caught() {
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    try {
      sum += fail(Value(i));
    } catch (int n) {
      sum += n + take(Value(i));
    }
  }
  return sum;
}

static int discarded() {
  for (int i = 0; i < 2; ++i) {
    make(i);
    Value{i};
  }
  const Value& kept = make(3);
  const int& part = make(4).numbers[1];
  return take(kept) + part + ({ make(2); }).numbers[1];
}

static int built_again() {
  Value value(1);
  value.~Value();
  new (&value) Value(2);
  return run(&value.numbers[1]);
}

static std::size_t library() {
  const auto length = [](std::string text) { return text.size(); };
  const auto text = [](std::string text) { return same(text.c_str()); };
  std::size_t sum = 0;
  for (int i = 0; i < 2; ++i) sum += length("ab") + std::strlen(text("abc"));
  const auto number = [](std::unique_ptr<int> owned) { return std::size_t(run(owned.get())); };
  for (int i = 0; i < 2; ++i) sum += number(std::make_unique<int>(i));
  std::thread(take<Value>, Value(1)).join();
  return sum;
}

int main() {
  const bool right = library() == 13 && repeat<Plain>(1) && repeat<Value>(1) && caught() == 6 && discarded() == 10 && built_again() == 3;
  return right ? 0 : 1;
}
