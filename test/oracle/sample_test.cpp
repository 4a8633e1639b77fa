// Sampling on model programs: what it sees exists, seeds repeat, and pct keeps its promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "search/sample/sample.hpp"

namespace inspect::oracle {
namespace {

constexpr const char* kNames[] = {"random", "pct"};

class Seen final : public search::Observer {
 public:
  explicit Seen(const ModelProgram& program) : program_(program) {}
  [[nodiscard]] bool wants_executions() const override { return true; }
  void on_execution(const Execution& e, std::span<const Event* const> events) override {
    schedules.emplace_back();
    for (const Event* event : events) schedules.back().push_back(event->choice);
    if (e.end == EndKind::bug) bugs.insert(key_of(e));
    if (e.end == EndKind::spinning) return;
    const Contribution c = contribution_of(program_, events);
    all_classes.insert(c.form);
    if (e.end == EndKind::bug && is_cut_short(e.detail)) return;
    classes.insert(c.form);
    histories.insert(c.history);
  }

  std::vector<std::vector<Choice>> schedules;
  std::unordered_set<std::uint64_t> classes, all_classes, histories;
  std::set<BugKey> bugs;

 private:
  const ModelProgram& program_;
};

search::Outcome run(const ModelProgram& p, const search::Options& options, Seen* seen = nullptr, unsigned batch = 1) {
  InterpretedProgram target(p, batch);
  return search::explore(target, options, seen);
}

template <class Some, class All>
bool subset(const Some& some, const All& all) {
  return std::ranges::all_of(some, [&](const auto& x) { return all.contains(x); });
}

TEST(Sample, EverythingSeenExists) {
  std::size_t listed = 0, seen_of_all = 0, all_of_all = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const ModelProgram p = random_program(seed);
    const auto all = enumerate(p, 4000);
    if (!all) continue;
    ++listed;
    for (const char* name : kNames) {
      Seen seen(p);
      const search::Outcome o = run(p, {.algorithm = name, .max_executions = 50, .keep_going = true, .seed = seed}, &seen, 4);
      EXPECT_TRUE(subset(seen.classes, all->classes)) << name << ' ' << seed << '\n' << to_text(p);
      EXPECT_TRUE(subset(seen.histories, all->histories)) << name << ' ' << seed;
      EXPECT_TRUE(subset(seen.bugs, all->bugs)) << name << ' ' << seed;
      EXPECT_FALSE(o.exhausted);
      EXPECT_EQ(o.executions + o.redundant, 50u);
      ASSERT_TRUE(o.sampled);
      EXPECT_EQ(o.sampled->classes, seen.all_classes.size()) << name << ' ' << seed << '\n' << to_text(p);
      EXPECT_EQ(o.bugs.size(), seen.bugs.size());
      for (const search::FoundBug& b : o.bugs) EXPECT_EQ(verify_replay(p, b.schedule, b.events), "") << name << ' ' << seed;
      seen_of_all += seen.classes.size();
      all_of_all += all->classes.size();
    }
  }
  EXPECT_GT(listed, 500u);
  EXPECT_GT(2 * seen_of_all, all_of_all) << "small programs: most classes are met";
}

TEST(Sample, ASeedRepeatsWhateverTheBatchIs) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const ModelProgram p = random_program(seed);
    for (const char* name : kNames) {
      const search::Options options{.algorithm = name, .max_executions = 70, .keep_going = true, .seed = seed};
      Seen first(p), second(p), other(p);
      const search::Outcome a = run(p, options, &first, 1), b = run(p, options, &second, 7);
      EXPECT_EQ(first.schedules, second.schedules) << name << ' ' << seed;
      EXPECT_EQ(a.sampled->classes, b.sampled->classes);
      EXPECT_EQ(a.transitions, b.transitions);
      EXPECT_EQ(a.why_not, b.why_not);
      search::Options elsewhere = options;
      elsewhere.seed = seed + 1;
      run(p, elsewhere, &other, 1);
      if (first.all_classes.size() > 10) EXPECT_NE(first.schedules, other.schedules) << name << ' ' << seed;
    }
  }
}

// A uniform walk meets both ends of a fair coin, and both values of a choice.
TEST(Sample, RandomIsUniformOverTransitions) {
  const ModelProgram p = parse_model("thread 0: r0 = choose 4; if r0 == 0 goto 3; store x0 1");
  std::array<unsigned, 4> times{};
  class Count final : public search::Observer {
   public:
    explicit Count(std::array<unsigned, 4>& times) : times_(times) {}
    [[nodiscard]] bool wants_executions() const override { return true; }
    void on_execution(const Execution&, std::span<const Event* const> events) override {
      ++times_[events[1]->choice.alternative];
    }

   private:
    std::array<unsigned, 4>& times_;
  } count(times);
  InterpretedProgram target(p);
  search::explore(target, {.algorithm = "random", .max_executions = 4000}, &count);
  for (const unsigned n : times) EXPECT_NEAR(n, 1000, 150);  // five standard deviations
}

struct Planted {
  const char* name;
  unsigned depth;
  const char* text;
};

// Depth 1: two operations in the wrong order. 2: one in between two others. 3: in between, and the other thread in between
// again.
constexpr Planted kPlanted[] = {
    {"order", 1,
     "thread 0: create t1; create t2; thread 1: r0 = load x0; store x1 1; store x2 1; store x3 1; assert r0 != 1;"
     "thread 2: store x4 1; store x4 2; store x4 3; store x0 1"},
    {"atomicity", 2,
     "thread 0: create t1; create t2; thread 1: store x2 1; store x2 2; store x0 1; store x0 0; store x2 3; store x2 4;"
     "thread 2: store x3 1; store x3 2; r0 = load x0; assert r0 != 1; store x3 3"},
    {"there_and_back", 3,
     "thread 0: create t1; create t2; thread 1: store x2 1; store x0 1; store x2 2; r0 = load x1; assert r0 != 1;"
     "thread 2: store x3 1; r0 = load x0; if r0 != 1 goto 5; store x1 1; store x1 0; store x3 2"},
};

class Pct : public testing::TestWithParam<Planted> {};

// With m executions the bound p makes m·p the least mean number of hits; below half of it lies less than one run in a hundred.
TEST_P(Pct, FindsWhatItPromises) {
  const ModelProgram p = parse_model(GetParam().text);
  search::Options options{.algorithm = "pct", .max_executions = 20000, .keep_going = true, .seed = 1};
  options.pct_depth = GetParam().depth;
  class Hits final : public search::Observer {
   public:
    [[nodiscard]] bool wants_executions() const override { return true; }
    void on_execution(const Execution& e, std::span<const Event* const>) override { hits += e.end == EndKind::bug; }
    std::uint64_t hits = 0;
  } counter;
  InterpretedProgram target(p);
  const search::Outcome o = search::explore(target, options, &counter);
  ASSERT_TRUE(o.sampled);
  EXPECT_EQ(o.sampled->pct_depth, GetParam().depth);
  EXPECT_DOUBLE_EQ(o.sampled->pct_bound, 1 / (o.threads * std::pow(static_cast<double>(o.max_depth), GetParam().depth - 1.0)));
  const double promised = 20000 * o.sampled->pct_bound;
  EXPECT_GT(promised, 1);
  EXPECT_GE(static_cast<double>(counter.hits), promised / 2);
  RecordProperty("hits", static_cast<int>(counter.hits));
  RecordProperty("promised", static_cast<int>(promised));
  // Fewer change points than the bug needs do not reach it.
  if (GetParam().depth < 2) return;
  options.pct_depth = GetParam().depth - 1;
  options.max_executions = 2000;
  Hits fewer;
  InterpretedProgram again(p);
  search::explore(again, options, &fewer);
  EXPECT_EQ(fewer.hits, 0u);
}

INSTANTIATE_TEST_SUITE_P(Planted, Pct, testing::ValuesIn(kPlanted),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Sample, WithoutALimitItIsTheDefault) {
  const ModelProgram p = parse_model("thread 0: create t1; store x0 1; thread 1: store x0 2");
  const search::Outcome o = run(p, {.algorithm = "random"});
  EXPECT_EQ(o.executions, search::kDefaultSamples);
  EXPECT_NE(o.why_not.find("the default"), std::string::npos) << o.why_not;
  EXPECT_EQ(o.sampled->classes, 2u);
}

TEST(Sample, TheFirstBugEndsIt) {
  const ModelProgram p = parse_model(kPlanted[0].text);
  for (const unsigned batch : {1u, 16u}) {
    const search::Outcome o = run(p, {.algorithm = "random", .seed = 3}, nullptr, batch);
    ASSERT_EQ(o.bugs.size(), 1u);
    EXPECT_EQ(o.executions, o.bugs[0].executions_before + 1);
  }
}

}  // namespace
}  // namespace inspect::oracle
