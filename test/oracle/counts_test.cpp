// Programs whose number of classes is known from the literature or by counting: complete executions must be exactly as many,
// for every algorithm with sleep sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "oracle/interpreted_program.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"
#include "search/search.hpp"

namespace inspect::oracle {
namespace {

std::string create(int threads) {
  std::string text = "thread 0:";
  for (int t = 1; t <= threads; ++t) text += " create t" + std::to_string(t) + ';';
  return text;
}

std::string repeat(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

// One writer, n readers of one location.
std::string readers(int n) {
  std::string text = create(n + 1) + "thread 1: store x0 1;";
  for (int t = 0; t < n; ++t) text += "thread: r0 = load x0;";
  return text;
}

// N writers, each writes the element behind the one it reads; one thread looks for the last zero (Abdulla et al.).
std::string last_zero(int n) {
  std::string text = create(n + 1) + "thread 1:";
  for (int i = n; i > 0; --i)
    text += "r0 = load x" + std::to_string(i) + "; if r0 == 0 goto " + std::to_string(2 * n + 1) + ';';
  text += "r0 = load x0;";
  for (int i = 1; i <= n; ++i) text += "thread: r0 = load x" + std::to_string(i - 1) + "; store x" + std::to_string(i) + " 1;";
  return text;
}

std::string locks(int n) { return create(n) + repeat(n, "thread: lock m0; unlock m0;"); }
// Each takes the lower of its two forks first; as many as there are mutexes. 2^n - 2.
std::string philosophers(int n) {
  std::string text = create(n);
  for (int i = 0; i < n; ++i) {
    const std::string low = std::to_string(std::min(i, (i + 1) % n)), high = std::to_string(std::max(i, (i + 1) % n));
    text += "thread: lock m" + low + "; lock m" + high + "; unlock m" + high + "; unlock m" + low + ';';
  }
  return text;
}
std::string load_store(int n) { return create(2) + repeat(2, "thread:" + repeat(n, "r0 = load x0; store x0 1;")); }
std::string stores(int n, int m) {
  return create(2) + "thread:" + repeat(n, "store x0 1;") + "thread:" + repeat(m, "store x0 2;");
}

struct Count {
  const char* name;
  std::string text;
  std::uint64_t executions;
};

// Exact with every batch.
TEST(Optimal, CountsDoNotDependOnTheBatch) {
  for (const Count& c : {Count{"", readers(5), 32}, Count{"", last_zero(6), 144}, Count{"", locks(4), 24},
                         Count{"", load_store(4), 3334}, Count{"", stores(5, 4), 126}}) {
    const ModelProgram p = parse_model(c.text);
    for (const unsigned batch : {1u, 2u, 7u, 16u}) {
      InterpretedProgram target(p, batch);
      search::Options options;
      options.algorithm = "optimal";
      const search::Outcome outcome = search::explore(target, options);
      EXPECT_EQ(outcome.executions, c.executions) << c.text << ", batch " << batch;
      EXPECT_EQ(outcome.redundant, 0u) << c.text << ", batch " << batch;
    }
  }
}

search::Outcome run(const ModelProgram& p, std::string_view algorithm, unsigned batch, bool keep_going) {
  InterpretedProgram target(p, batch);
  search::Options options;
  options.algorithm = algorithm;
  options.keep_going = keep_going;
  return search::explore(target, options);
}

// Without a bug --keep-going costs nothing.
TEST(KeepGoing, IsFreeWithoutBugs) {
  for (const std::string& text : {readers(6), last_zero(6), locks(5), load_store(3)}) {
    const ModelProgram p = parse_model(text);
    for (const search::ReductionInfo& r : search::reductions()) {
      if (!r.make()->traits().sleep_sets || needs_of(r) == search::CutNeeds::states) continue;
      for (const unsigned batch : {1u, 7u, 16u}) {
        const search::Outcome stops = run(p, r.name, batch, false), goes_on = run(p, r.name, batch, true);
        EXPECT_EQ(goes_on.executions, stops.executions) << r.name << ", batch " << batch << ", " << text;
        EXPECT_EQ(goes_on.redundant, stops.redundant) << r.name << ", batch " << batch << ", " << text;
      }
    }
  }
}

// Behind a bug each class is explored once all the same; what a sibling under way left out is gone into again.
TEST(KeepGoing, ExploresEachClassOnce) {
  const ModelProgram p =
      parse_model(create(6) + "thread: store x0 1; thread: r0 = load x0; assert r0 != 0;" + repeat(4, "thread: r0 = load x0;"));
  for (const search::ReductionInfo& r : search::reductions()) {
    const search::ReductionTraits traits = r.make()->traits();
    if (!traits.sleep_sets || traits.sequences || !r.cut.empty()) continue;
    const std::string_view algorithm = r.name;
    const search::Outcome one = run(p, algorithm, 1, true);
    EXPECT_GT(one.executions, 32u);
    for (const unsigned batch : {2u, 7u, 16u}) {
      const search::Outcome o = run(p, algorithm, batch, true);
      EXPECT_EQ(o.executions, one.executions) << algorithm << ", batch " << batch;
      EXPECT_EQ(o.bugs.size(), 1u);
    }
  }
}

class Counts : public testing::TestWithParam<Count> {};

TEST_P(Counts, AreExact) {
  const ModelProgram p = parse_model(GetParam().text);
  for (const search::ReductionInfo& r : search::reductions()) {
    if (!r.make()->traits().sleep_sets || needs_of(r) == search::CutNeeds::states) continue;
    InterpretedProgram target(p);
    search::Options options;
    options.algorithm = r.name;
    const search::Outcome outcome = search::explore(target, options);
    EXPECT_TRUE(outcome.exhausted) << outcome.why_not;
    EXPECT_EQ(outcome.executions, GetParam().executions) << r.name;
    if (is_optimal(r)) EXPECT_EQ(outcome.redundant, 0u) << r.name;
    RecordProperty(std::string(r.name) + "_redundant", static_cast<int>(outcome.redundant));
  }
}

INSTANTIATE_TEST_SUITE_P(Literature, Counts,
                         testing::Values(Count{"readers_3", readers(3), 8}, Count{"readers_6", readers(6), 64},
                                         Count{"last_zero_6", last_zero(6), 144}, Count{"locks_6", locks(6), 720},
                                         Count{"philosophers_3", philosophers(3), 6}, Count{"last_zero_4", last_zero(4), 28},
                                         Count{"last_zero_5", last_zero(5), 64}, Count{"locks_5", locks(5), 120},
                                         Count{"load_store_3", load_store(3), 328}, Count{"load_store_4", load_store(4), 3334},
                                         Count{"stores_6_4", stores(6, 4), 210}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace inspect::oracle
