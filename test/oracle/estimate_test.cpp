// The estimate of a search's size, against searches whose size is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "search/search.hpp"

namespace inspect::oracle {
namespace {

std::string repeat(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

std::string create(int threads) {
  std::string text = "thread 0:";
  for (int t = 1; t <= threads; ++t) text += " create t" + std::to_string(t) + ';';
  return text;
}

// Collects what was estimated when a tenth, a quarter, a half and three quarters of all executions were explored.
class Estimates final : public search::Observer {
 public:
  explicit Estimates(std::uint64_t total) : total_(total) {}
  [[nodiscard]] bool wants_estimate() const override { return true; }
  void on_progress(const search::Outcome& o) override {
    constexpr std::uint64_t kPercent[] = {10, 25, 50, 75};
    if (seen.size() == std::size(kPercent) || 100 * o.executions < kPercent[seen.size()] * total_) return;
    ASSERT_TRUE(o.estimate);
    seen.push_back(*o.estimate);
    EXPECT_GE(o.estimate->low, static_cast<double>(o.executions));
    EXPECT_LE(o.estimate->low, o.estimate->executions);
    EXPECT_LE(o.estimate->executions, o.estimate->high);
  }
  std::vector<Estimate> seen;

 private:
  std::uint64_t total_;
};

struct Known {
  const char* name;
  std::string text;
  std::string algorithm;
  double factor;  // how far off the estimate is at most, at a tenth of the search
};

class Estimated : public testing::TestWithParam<Known> {};

TEST_P(Estimated, IsNearTheTotal) {
  const ModelProgram p = parse_model(GetParam().text);
  for (const unsigned batch : {1u, 16u}) {
    InterpretedProgram first(p, batch), second(p, batch);
    search::Options options;
    options.algorithm = GetParam().algorithm;
    const search::Outcome whole = search::explore(first, options);
    ASSERT_TRUE(whole.exhausted);
    EXPECT_FALSE(whole.estimate) << "nothing is left to estimate";
    Estimates estimates(whole.executions);
    search::explore(second, options, &estimates);
    ASSERT_GE(estimates.seen.size(), 4u);
    const auto total = static_cast<double>(whole.executions);
    const auto off = [&](const Estimate& e) { return std::max(e.executions / total, total / e.executions); };
    EXPECT_LE(off(estimates.seen[0]), GetParam().factor) << "at a tenth, batch " << batch;
    for (std::size_t i = 1; i < estimates.seen.size(); ++i) {
      EXPECT_LE(off(estimates.seen[i]), 2.5) << i << ", batch " << batch;
      EXPECT_LE(estimates.seen[i].low, total);
      EXPECT_GE(estimates.seen[i].high, total);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Searches, Estimated,
    testing::Values(
        Known{"load_store_5", create(2) + repeat(2, "thread:" + repeat(5, "r0 = load x0; store x0 1;")), "source", 2},
        Known{"stores_7_7", create(2) + "thread:" + repeat(7, "store x0 1;") + "thread:" + repeat(7, "store x0 2;"), "source",
              5},
        Known{"locks_6", create(6) + repeat(6, "thread: lock m0; unlock m0;"), "source", 6},
        Known{"readers_6", create(7) + "thread: store x0 1;" + repeat(6, "thread: r0 = load x0;"), "source", 6},
        Known{"naive_2x4", create(2) + repeat(2, "thread: store x0 1; store x1 1; store x2 1; store x3 1;"), "naive", 3}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Estimate, IsThereWhenALimitEndsTheSearch) {
  const ModelProgram p = parse_model(create(5) + repeat(5, "thread: lock m0; unlock m0;"));
  InterpretedProgram target(p);
  const search::Outcome o = search::explore(target, {.max_executions = 60});
  ASSERT_TRUE(o.estimate);
  EXPECT_GT(o.estimate->high, 120);
  EXPECT_LT(o.estimate->low, 120);
}

}  // namespace
}  // namespace inspect::oracle
