#include "explicit_engine/ltl/emptiness.hpp"

#include <gtest/gtest.h>

#include "explicit_engine/ltl/check.hpp"
#include "explicit_engine/ltl/lasso.hpp"
#include "explicit_engine/ltl/parser.hpp"
#include "reference.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

// "3+2": a violation with a prefix of 3 steps and a cycle of 2; "": none.
std::string violation(const TestGraph& graph, const char* text, Fairness fairness = Fairness::none) {
  const Formula formula = *parse(text);
  const auto found = find_violation(graph, formula, *violations(formula), fairness);
  if (!found) return found.error();
  return *found ? std::to_string((*found)->prefix.size()) + "+" + std::to_string((*found)->cycle.size()) : "";
}

TEST(Translation, KnownSizes) {
  const auto states = [](const char* text) { return violations(*parse(text))->states.size(); };
  EXPECT_EQ(states("true"), 0u);
  EXPECT_EQ(states("false"), 1u);
  EXPECT_EQ(states("p || !p"), 0u);
  EXPECT_EQ(states("F G p"), 1u);  // infinitely often not p: one state, one mark
  EXPECT_EQ(states("G F p"), 2u);
  EXPECT_EQ(states("G (p -> F q)"), 2u);
  EXPECT_EQ(states("F p"), 1u);
}

TEST(Translation, WhatIsTooLargeIsSaid) {
  std::string text = "p0";
  for (int i = 1; i < 40; ++i) text += " || F G p" + std::to_string(i);
  const auto automaton = violations(*parse(text));
  ASSERT_FALSE(automaton.ok());
  EXPECT_NE(automaton.error().find("check its parts one by one"), std::string::npos);
}

TEST(Emptiness, ARunThatEndsStutters) {
  TestGraph graph;  // p, then the end without p
  graph.all = {{1, {{1, 0}}, false}, {0, {}, true}};
  EXPECT_EQ(violation(graph, "G p"), "1+1");
  EXPECT_EQ(violation(graph, "F !p"), "");
  EXPECT_EQ(violation(graph, "G F p"), "1+1");
  EXPECT_EQ(violation(graph, "p U G !p"), "");
  graph.all[1].ends = false;  // of no interest: there is no infinite run
  EXPECT_EQ(violation(graph, "G p"), "");
  EXPECT_EQ(violation(graph, "false"), "");
}

TEST(Emptiness, SelfLoopsAndWhatCannotBeReached) {
  TestGraph graph;  // a state with a loop; a component that nothing leads to
  graph.all = {{1, {{0, 0}}, false}, {0, {{2, 0}}, false}, {0, {{1, 0}}, false}};
  EXPECT_EQ(violation(graph, "G p"), "");
  EXPECT_EQ(violation(graph, "F G !p"), "0+1");
}

TEST(Emptiness, DeepGraphsNeedNoRecursion) {
  TestGraph graph;
  constexpr std::uint32_t kStates = 200'000;
  graph.all.resize(kStates);
  for (std::uint32_t s = 0; s + 1 < kStates; ++s) graph.all[s].steps = {{s + 1, 0}};
  graph.all.back().steps = {{0, 0}};
  graph.all.back().valuation = 1;
  EXPECT_EQ(violation(graph, "G F p"), "");
  EXPECT_EQ(violation(graph, "F G p"), "0+" + std::to_string(kStates));
}

TEST(Fairness, NoThreadIsPassedOverForEver) {
  TestGraph graph;  // thread 1 could end the waiting of thread 0
  graph.thread_count = 2;
  graph.all = {{0, {{0, 0}, {1, 1}}, false}, {1, {{1, 0}}, false}};
  EXPECT_EQ(violation(graph, "F p"), "0+1");
  EXPECT_EQ(violation(graph, "F p", Fairness::weak), "");
}

TEST(Fairness, WhoIsDisabledNowAndThenMayBePassedOver) {
  TestGraph graph;  // thread 1 is enabled in every second state only: weak fairness promises it nothing
  graph.thread_count = 2;
  graph.all = {{0, {{1, 0}, {2, 1}}, false}, {0, {{0, 0}}, false}, {1, {{2, 0}}, false}};
  EXPECT_EQ(violation(graph, "F p", Fairness::weak), "0+2");
}

TEST(Fairness, ThreadsThatEndedAreDisabled) {
  TestGraph graph;  // thread 1 ends, thread 0 goes on without p
  graph.thread_count = 2;
  graph.all = {{1, {{1, 1}}, false}, {0, {{1, 0}}, false}};
  EXPECT_EQ(violation(graph, "G F p", Fairness::weak), "1+1");
}

TEST(Fairness, AnEndIsFair) {
  TestGraph graph;  // a deadlock: nothing is enabled
  graph.thread_count = 3;
  graph.all = {{0, {{1, 1}}, false}, {0, {}, true}};
  EXPECT_EQ(violation(graph, "F p", Fairness::weak), "1+1");
}

// Both threads must be passed, and the cycle has to come by at p as well: one state is not enough.
TEST(Fairness, TheCycleVisitsAllThatItMust) {
  TestGraph graph;
  graph.thread_count = 2;
  graph.all = {{0, {{1, 0}, {0, 0}}, false}, {1, {{0, 1}, {1, 0}}, false}};
  graph.all[0].steps.push_back({0, 1});
  EXPECT_EQ(violation(graph, "!(G F p && G F !p)", Fairness::weak), "0+2");
}

TEST(Lassos, AreShortened) {
  TestGraph graph;  // the nearest way to the cycle leads through a detour that nothing needs
  graph.all = {{0, {{1, 0}}, false}, {0, {{2, 0}, {0, 0}}, false}, {1, {{2, 0}}, false}};
  const Formula formula = *parse("G !p");
  const Lasso lasso{{{0, 0}, {1, 1}, {0, 0}, {1, 0}, {2, 0}, {2, 0}}, {{2, 0}, {2, 0}}};
  ASSERT_TRUE(is_run(graph, lasso));
  const Lasso shorter = shortened(graph, formula, Fairness::none, lasso);
  EXPECT_TRUE(is_run(graph, shorter));
  EXPECT_EQ(shorter.prefix.size(), 2u);
  EXPECT_EQ(shorter.cycle.size(), 1u);
}

}  // namespace
}  // namespace inspect::explicit_engine::ltl
