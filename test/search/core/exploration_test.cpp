// How a search ends: limits, cuts, divergence, interrupts, restarts. A model program stands in, with results tampered with.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "oracle/interpreted_program.hpp"
#include "search/search.hpp"

namespace inspect::search {
namespace {

const oracle::ModelProgram& three_locks() {
  static const oracle::ModelProgram p = oracle::parse_model(
      "thread 0: create t1; create t2; create t3; thread 1: lock m0; unlock m0; thread 2: lock m0; unlock m0;"
      "thread 3: lock m0; unlock m0");
  return p;
}

class Tampered final : public Program {
 public:
  using Tamper = std::function<void(std::uint64_t run, Execution&)>;
  explicit Tampered(Tamper tamper, unsigned batch = 1) : inner_(three_locks()), tamper_(std::move(tamper)), batch_(batch) {}

  std::vector<Execution> run(std::span<const Request> requests) override {
    largest = std::max(largest, requests.size());
    std::vector<Execution> all = inner_.run(requests);
    for (Execution& e : all) tamper_(++runs, e);
    return all;
  }
  bool take_change() override { return std::exchange(change, false); }
  [[nodiscard]] unsigned preferred_batch() const override { return batch_; }

  std::uint64_t runs = 0;
  std::size_t largest = 0;
  bool change = false;

 private:
  oracle::InterpretedProgram inner_;
  Tamper tamper_;
  unsigned batch_;
};

Outcome explore_with(Tampered& program, Options options = {}) { return explore(program, options); }
void untouched(std::uint64_t, Execution&) {}

TEST(Exploration, CountsEverything) {
  Tampered program(untouched);
  const Outcome o = explore_with(program);
  EXPECT_TRUE(o.exhausted);
  EXPECT_EQ(o.why_not, "");
  EXPECT_EQ(o.executions, 6u);
  EXPECT_EQ(o.executions + o.redundant, program.runs);
  EXPECT_EQ(o.threads, 4u);
  EXPECT_EQ(o.max_depth, 17u);
  EXPECT_TRUE(o.bugs.empty());
}

TEST(Exploration, TheBatchIsThePrograms) {
  Tampered program(untouched, 4);
  EXPECT_EQ(explore_with(program).executions, 6u);
  EXPECT_GT(program.largest, 1u);
  EXPECT_LE(program.largest, 4u);
}

TEST(Exploration, ALimitOnExecutionsIsExactAndNotExhaustive) {
  for (const unsigned batch : {1u, 16u}) {
    Tampered program(untouched, batch);
    const Outcome o = explore_with(program, {.max_executions = 4});
    EXPECT_EQ(o.executions, 4u);
    EXPECT_FALSE(o.exhausted);
    EXPECT_EQ(o.why_not, "the limit on executions was reached");
  }
  Tampered program(untouched);
  EXPECT_TRUE(explore_with(program, {.max_executions = 1000}).exhausted);
}

TEST(Exploration, TimeAndInterrupts) {
  Tampered slow(untouched);
  EXPECT_EQ(explore_with(slow, {.time_limit = 1e-9}).why_not, "the time limit was reached");
  Tampered program(untouched);
  Options options;
  options.must_end = [&] { return program.runs >= 2 ? std::optional<std::string>("interrupted") : std::nullopt; };
  const Outcome o = explore_with(program, options);
  EXPECT_EQ(o.why_not, "interrupted");
  EXPECT_FALSE(o.exhausted);
  EXPECT_EQ(program.runs, 2u);
}

TEST(Exploration, AnExecutionThatWasStoppedIsOpenAsBefore) {
  for (const std::uint64_t when : {0u, 3u}) {
    Tampered program([when](std::uint64_t run, Execution& e) {
      if (run < when) return;
      e = {};
      e.end = EndKind::stopped;
      e.message = "enough";
    });
    const Outcome o = explore_with(program);
    EXPECT_EQ(o.why_not, "enough");
    EXPECT_FALSE(o.exhausted);
    EXPECT_FALSE(o.limit);
    EXPECT_EQ(o.executions, when ? 2u : 0u);
  }
}

TEST(Exploration, ACutExecutionIsNeverExhaustive) {
  Tampered program([](std::uint64_t run, Execution& e) {
    if (run != 2) return;
    e.end = EndKind::limit;
    e.detail = INSPECT_LIMIT_STEPS;
    e.message = "too many steps";
    e.site = 5;
  });
  const Outcome o = explore_with(program);
  EXPECT_FALSE(o.exhausted);
  EXPECT_EQ(o.why_not, "too many steps");
  EXPECT_EQ(o.limited, 1u);
  ASSERT_TRUE(o.limit);
  EXPECT_EQ(o.limit->site, 5u);
  EXPECT_FALSE(o.limit->schedule.empty());
  EXPECT_EQ(o.executions, 5u);
}

// Counted in steps, whatever the interpreter: of the executions behind it too, and of those that are redundant.
TEST(Exploration, ALoopWithoutEndEndsTheSearchAfterSoManySteps) {
  const auto tamper = [](std::uint64_t run, Execution& e) {
    if (run != 2) return;
    e.end = EndKind::limit;
    e.detail = INSPECT_LIMIT_LOOP;
    e.message = "a loop";
  };
  for (const bool keep_going : {false, true}) {
    Tampered program(tamper);
    const Outcome o = explore_with(program, {.keep_going = keep_going, .endless_steps = 40});
    EXPECT_EQ(program.runs, keep_going ? 6u : 4u);  // 17 steps each
    EXPECT_EQ(o.executions, keep_going ? 5u : 3u);
    EXPECT_EQ(o.why_not, "a loop");
    EXPECT_FALSE(o.exhausted);
  }
}

TEST(Exploration, TheExecutorMayDieWithoutAResult) {
  Tampered program([](std::uint64_t run, Execution& e) {
    if (run != 3) return;
    e = {};
    e.end = EndKind::limit;
    e.message = "killed";
  });
  EXPECT_EQ(explore_with(program).why_not, "killed");
}

TEST(Exploration, UnsupportedStopsUnlessKeptGoing) {
  const auto tamper = [](std::uint64_t run, Execution& e) {
    if (run != 1) return;
    e.end = EndKind::unsupported;
    e.message = "fork";
  };
  for (const bool keep_going : {false, true}) {
    Tampered program(tamper);
    const Outcome o = explore_with(program, {.keep_going = keep_going});
    ASSERT_TRUE(o.unsupported);
    EXPECT_EQ(o.unsupported->message, "fork");
    EXPECT_FALSE(o.exhausted);
    EXPECT_EQ(program.runs > 1, keep_going);
  }
}

TEST(Exploration, DivergenceStopsAndNamesTheStep) {
  Tampered program([](std::uint64_t run, Execution& e) {
    if (run == 2) {
      e.end = EndKind::diverged;
      e.detail = 3;
      e.message = "no";
    } else if (run == 3) {  // the same prefix, to see which step it is
      e.events[1].operation.object += 64;
    }
  });
  const Outcome o = explore_with(program);
  ASSERT_TRUE(o.divergence);
  EXPECT_EQ(o.divergence->detail, 3u);
  EXPECT_NE(o.divergence->message.find("no; step 2 was "), std::string::npos) << o.divergence->message;
  EXPECT_FALSE(o.exhausted);
  EXPECT_EQ(program.runs, 3u);
}

TEST(Exploration, TheFirstBugStopsWithItsWholeSchedule) {
  const auto tamper = [](std::uint64_t run, Execution& e) {
    if (run % 2) return;
    e.end = EndKind::bug;
    e.detail = INSPECT_BUG_DEADLOCK;
    e.message = run % 4 ? "one" : "another";
  };
  Tampered once(tamper);
  const Outcome first = explore_with(once);
  ASSERT_EQ(first.bugs.size(), 1u);
  EXPECT_EQ(first.bugs[0].executions_before, 1u);
  EXPECT_EQ(first.executions, 2u);
  EXPECT_EQ(first.bugs[0].schedule.size(), 17u);
  EXPECT_EQ(first.bugs[0].events.size(), 17u);
  EXPECT_FALSE(first.exhausted);
  Tampered all(tamper);
  const Outcome kept = explore_with(all, {.keep_going = true});
  EXPECT_EQ(kept.bugs.size(), 2u);
  EXPECT_TRUE(kept.exhausted);
  EXPECT_EQ(kept.executions, 6u);
}

TEST(Exploration, AChangeOfTheProgramStartsAgain) {
  bool* change = nullptr;
  Tampered program([&](std::uint64_t run, Execution&) { *change |= run == 4; });
  change = &program.change;
  const Outcome o = explore_with(program);
  EXPECT_TRUE(o.exhausted);
  EXPECT_EQ(o.executions, 6u);
  EXPECT_EQ(program.runs, 4 + o.executions + o.redundant);
}

// Whatever is asked to be known is what was reported before: hashes agree with the program's own.
TEST(Exploration, KnownStepsHaveTheirHash) {
  Tampered program([](std::uint64_t, Execution& e) { EXPECT_NE(e.end, EndKind::diverged); });
  EXPECT_TRUE(explore_with(program, {.batch = 3}).exhausted);
}

}  // namespace
}  // namespace inspect::search
