// Tables, graphs and groups of states that are never left, by hand.
#include <gtest/gtest.h>

#include "explicit_engine/bottoms.hpp"
#include "explicit_engine/pending_threads.hpp"

namespace inspect::explicit_engine {
namespace {

StateGraph graph_of(StateNumber size, const std::vector<std::pair<StateNumber, StateNumber>>& edges) {
  StateGraph graph;
  for (StateNumber s = 0; s < size; ++s) graph.add_state();
  std::uint16_t number = 0;
  for (const auto& [from, to] : edges) graph.add_transition(from, {to, {0, number++}});
  return graph;
}

TEST(StateTable, KnowsWhatItMet) {
  StateTable table;
  EXPECT_TRUE(table.arrive({}).fresh);
  EXPECT_TRUE(table.arrive({}).fresh) << "a state that cannot be told is like no other";
  constexpr std::uint64_t kMany = 10'000;
  for (std::uint64_t i = 1; i <= kMany; ++i) EXPECT_TRUE(table.arrive({i, i % 7}).fresh);
  for (std::uint64_t i = 1; i <= kMany; ++i) {
    const auto again = table.arrive({i, i % 7});
    EXPECT_FALSE(again.fresh);
    EXPECT_EQ(again.number, i + 1);
  }
  EXPECT_TRUE(table.arrive({1, 2}).fresh) << "both halves count";
  EXPECT_LE(table.bytes(), 40 * table.size());
}

TEST(StateGraph, ShortestWays) {
  const StateGraph graph = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {0, 2}, {3, 0}});
  const StateGraph::Ways ways(graph);
  EXPECT_EQ(ways.to(0)->size(), 0u);
  EXPECT_EQ(*ways.to(3), (std::vector<Choice>{{0, 3}, {0, 2}}));
  EXPECT_FALSE(ways.to(4)) << "nothing leads there";
}

TEST(Bottoms, OnlyWhatIsNeverLeft) {
  EXPECT_TRUE(bottoms(graph_of(3, {{0, 1}, {1, 2}})).empty()) << "an end is left by ending";
  EXPECT_TRUE(bottoms(graph_of(3, {{0, 1}, {1, 0}, {1, 2}})).empty()) << "a cycle with a way out";
  EXPECT_EQ(bottoms(graph_of(3, {{0, 1}, {1, 2}, {2, 1}})), (std::vector<StateNumber>{1}));
  EXPECT_EQ(bottoms(graph_of(2, {{0, 1}, {1, 1}})), (std::vector<StateNumber>{1}));
  EXPECT_EQ(bottoms(graph_of(7, {{0, 1}, {1, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 5}, {5, 3}, {3, 1}, {0, 6}, {6, 6}})),
            (std::vector<StateNumber>{1, 6}));
}

TEST(PendingThreads, GoesThereAndBack) {
  PendingThreads pending;
  Event event;
  event.choice = {0, 0};
  event.enabled = ThreadSet{3, 0};
  event.next.operation.kind = INSPECT_OP_Choice;
  event.next.choices = 3;
  Pending other;
  other.operation.kind = INSPECT_OP_CondSignal;
  other.alternatives = ThreadSet{0b110, 0};
  event.changes.push_back({1, other});
  pending.push(event);
  std::vector<Choice> all;
  pending.for_each_choice([&](Choice c) { all.push_back(c); });
  EXPECT_EQ(all, (std::vector<Choice>{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}}));
  pending.pop();
  EXPECT_EQ(pending.of(0).operation.kind, INSPECT_OP_ThreadStart);
  EXPECT_FALSE(pending.enabled().contains(1));
}

}  // namespace
}  // namespace inspect::explicit_engine
