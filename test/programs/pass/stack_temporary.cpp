// expect: verdict=verified
// expect: case=O0 verdict=verified cflags=-O0 algorithms=optimal
// expect: case=O2 verdict=verified cflags=-O2 algorithms=optimal
// What looks as if it had ended, but has not: temporaries that a reference keeps, and places that something new has taken.
#include <algorithm>
#include <csetjmp>
#include <future>
#include <initializer_list>
#include <map>
#include <string>
#include <thread>
#include <vector>

static std::size_t length(const std::string& text) { return text.size(); }

static const std::string& same(const std::string& text) { return text; }

static std::size_t in_other_thread(const std::string& text) {
  return std::async(std::launch::async, [&text] { return length(text); }).get();
}

struct Guard {
  explicit Guard(int& count) : count_(count) {}
  ~Guard() { ++count_; }
  int& count_;
};

static int depth(int n) {
  int local = n;
  int* const p = &local;
  if (n == 0) throw 7;
  const int below = depth(n - 1);
  return below + *p;
}

static std::size_t kept_temporaries() {
  const std::string& kept = std::string("kept");
  std::size_t sum = in_other_thread(kept) + in_other_thread(std::string("gone")) + length(same(std::string("x")));
  for (const char c : std::string("abc")) sum += std::size_t(c == 'b');
  for (const std::string& s : {std::string("p"), std::string("q")}) sum += in_other_thread(s);
  const auto [first, second] = std::pair<std::string, int>("pair", 2);
  return sum + length(first) + std::size_t(second);
}

static int left_by_exceptions() {
  int ends = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      Guard guard(ends);
      depth(i);
    } catch (int& value) {
      ends += value;
    }
  }
  return ends;
}

static int left_by_jumps() {
  static std::jmp_buf back;
  volatile int turns = 0;
  if (setjmp(back) < 3) {
    int local = turns++;
    std::thread([&local] { ++local; }).join();
    std::longjmp(back, turns);
  }
  return turns;
}

static int sorted(int n) {
  std::vector<std::string> words{"c", "a", "b"};
  std::sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) { return a < b; });
  std::map<std::string, int> counts;
  for (const auto& word : words) counts[word] += n;
  int sum = 0;
  for (auto& [word, count] : counts) std::thread([&sum, &count] { sum += count; }).join();
  return sum;
}

int main() {
  return kept_temporaries() == 4 + 4 + 1 + 1 + 2 + 4 + 2 && left_by_exceptions() == 24 && left_by_jumps() == 3 && sorted(2) == 6
             ? 0
             : 1;
}
