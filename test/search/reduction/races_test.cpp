// What each reduction asks for, for one race on a path made by hand.
#include "search/reduction/races.hpp"

#include <gtest/gtest.h>

#include "search/reduction/reduction.hpp"
#include "walk.hpp"

namespace inspect::search {
namespace {

using Asked = std::vector<std::pair<std::uint32_t, ThreadId>>;

// Writes down what is scheduled.
class Recorder final : public Backtracking {
 public:
  explicit Recorder(Walk& walk) : walk_(walk) {}
  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const override { return walk_.path().enabled(state); }
  [[nodiscard]] const ThreadSet& scheduled(std::uint32_t) const override { return there; }
  [[nodiscard]] bool awake(std::uint32_t, ThreadId t) const override { return !asleep.contains(t); }
  void schedule(std::uint32_t state, ThreadId t) override { asked.emplace_back(state, t); }
  void insert(std::uint32_t, std::span<const SequenceStep>) override {}

  ThreadSet there, asleep;
  Asked asked;

 private:
  Walk& walk_;
};

// Thread 3 writes x1, thread 1 writes x0, thread 2 reads what thread 3 wrote and is about to write x0.
class OneRace : public testing::Test {
 protected:
  OneRace() {
    w.start(3);
    first = w.take(1);
    w.take(3);
    w.take(2);
    w.path().find_races(2, w.next_label(2), with);
  }
  Asked asked_by(std::string_view name) {
    const auto reduction = find_reduction(name)->make();
    Races races;
    reduction->races_of(w.path(), 2, w.next_label(2), with, races);
    reduction->apply(races, tree);
    return tree.asked;
  }

  Walk w{
      "thread 0: create t1; create t2; create t3;"
      "thread 1: store x0 1; thread 2: r0 = load x1; store x0 2; thread 3: store x1 1"};
  Recorder tree{w};
  std::uint32_t first = 0;
  std::vector<std::uint32_t> with;
};

TEST_F(OneRace, IsFound) { EXPECT_EQ(with, std::vector{first}); }

// Thread 3 comes first: thread 2 read what it wrote.
TEST_F(OneRace, SourceAsksForAnInitial) { EXPECT_EQ(asked_by("source"), (Asked{{first - 1, 3}})); }

TEST_F(OneRace, SourceIsContentWithAnInitialThatIsThere) {
  tree.there = threads({3});
  EXPECT_EQ(asked_by("source"), Asked{});
}

TEST_F(OneRace, DporAsksForTheThreadItselfToo) { EXPECT_EQ(asked_by("dpor"), (Asked{{first - 1, 3}, {first - 1, 2}})); }

TEST_F(OneRace, NaiveAsksForNothing) { EXPECT_EQ(asked_by("naive"), Asked{}); }

// Behind a cut it is not known what comes between: a thread that sleeps does not lead there.
TEST_F(OneRace, BehindACutASleeperDoesNotCount) {
  Races races;
  races.list.push_back({.state = first - 1, .thread = 2, .first = threads({2, 3}), .blind = true});
  tree.asleep = threads({2});
  insert(races, tree);
  EXPECT_EQ(tree.asked, (Asked{{first - 1, 3}}));
}

TEST_F(OneRace, BehindACutAllIsExploredIfAllSleep) {
  Races races;
  races.list.push_back({.state = first - 1, .thread = 2, .first = threads({2}), .blind = true});
  tree.asleep = threads({2});
  insert(races, tree);
  EXPECT_EQ(tree.asked.size(), static_cast<std::size_t>(w.path().enabled(first - 1).size()));
}

}  // namespace
}  // namespace inspect::search
