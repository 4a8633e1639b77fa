#include "search/share/frontier.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "walk.hpp"

namespace inspect::search {
namespace {

Operation random_operation(Random& r) {
  Operation o{};
  o.kind = static_cast<std::uint8_t>(r.below(INSPECT_OP_COUNT));
  o.order = static_cast<std::uint8_t>(r.below(7));
  o.flags = static_cast<std::uint8_t>(r.below(16));
  o.site = r.below(1000);
  o.object = r.next();
  o.size = r.below(64);
  o.object2 = r.chance(30) ? r.next() : 0;
  o.size2 = o.object2 ? r.below(64) : 0;
  return o;
}

Choice random_choice(Random& r) {
  return {static_cast<ThreadId>(r.below(kMaxThreads)), static_cast<std::uint16_t>(r.below(5))};
}

Frontier random_frontier(std::uint64_t seed) {
  Random r(seed);
  Frontier f;
  for (unsigned i = r.below(4); i > 0; --i) f.sections.push_back({random_choice(r), random_operation(r)});
  for (unsigned i = r.below(4); i > 0; --i) f.sleepers.push_back({random_choice(r), random_operation(r)});
  std::uint32_t depth = r.below(3), named = 0;
  for (unsigned i = 1 + r.below(8); i > 0; --i) {
    FrontierNode& n = f.nodes.emplace_back();
    n.node.depth = depth;
    n.node.state = r.chance(50) ? NodeState::open : r.chance(50) ? NodeState::closed : NodeState::pending;
    n.node.choice = random_choice(r);
    n.node.operation = random_operation(r);
    n.node.free = r.chance(50);
    n.node.exact = r.chance(50);
    n.node.sent = r.chance(50);
    n.node.never_sleeps = r.chance(50);
    n.node.backtrack = {r.next(), r.next()};
    n.node.executions = r.next();
    n.node.hash = r.next();
    n.unit = r.chance(30) ? r.next() : 0;
    for (std::uint32_t s = 0; s < named; ++s)
      if (r.chance(40)) n.sleepers.push_back(s);
    for (; named < f.sleepers.size() && (r.chance(40) || i == 1); ++named) n.sleepers.push_back(named);
    depth = f.nodes.front().node.depth + 1 + r.below(n.node.depth - f.nodes.front().node.depth + 1);
  }
  if (r.chance(50)) f.sequences.push_back({0, {{random_choice(r), r.chance(50), 0, random_operation(r)}}});
  return f;
}

TEST(Frontier, WhatIsWrittenIsRead) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const std::string text = format_frontier(random_frontier(seed));
    const auto read = parse_frontier(text);
    ASSERT_TRUE(read.ok()) << read.error() << '\n' << text;
    EXPECT_EQ(format_frontier(*read), text);
  }
}

TEST(Frontier, AnyOtherTextIsRefused) {
  Random r(1);
  unsigned refused = 0, tried = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::string text = format_frontier(random_frontier(seed));
    text.erase(r.below(static_cast<std::uint32_t>(text.size())));  // cut
    if (text.empty() || text.back() == '\n') continue;
    ++tried;
    refused += !parse_frontier(text).ok();
  }
  EXPECT_EQ(refused, tried);
  for (const char* text : {"nothing\n", "node\n", "node 0 2 3\n", "sleeper 1\n", "sequence 0\n", "node zz\n", "\n"})
    EXPECT_FALSE(parse_frontier(text).ok()) << text;
}

// Two levels deeper than the node before it: there is no parent.
TEST(Frontier, ANodeNeedsAParent) {
  Frontier f;
  for (const std::uint32_t depth : {1u, 3u}) f.nodes.emplace_back().node.depth = depth;
  EXPECT_FALSE(parse_frontier(format_frontier(f)).ok());
  f.nodes.back().node.depth = 1;
  EXPECT_FALSE(parse_frontier(format_frontier(f)).ok());
  f.nodes.back().node.depth = 2;
  EXPECT_TRUE(parse_frontier(format_frontier(f)).ok());
}

// A sleeper stands once, in the order in which nodes name them, and sleeps somewhere.
TEST(Frontier, SleepersAreNumberedAsTheyCome) {
  Frontier f;
  f.sleepers.resize(2);
  f.nodes.emplace_back().sleepers = {0, 1};
  EXPECT_TRUE(parse_frontier(format_frontier(f)).ok());
  for (const std::vector<std::uint32_t>& wrong : {std::vector{1u, 0u}, {0u, 0u, 1u}, {0u}, {}}) {
    f.nodes.front().sleepers = wrong;
    EXPECT_FALSE(parse_frontier(format_frontier(f)).ok());
  }
}

// Thread 1 has stored, thread 2 is under way: what a file holds of it is as if it had not been sent. Thread 1 sleeps in it, and
// what slept before.
TEST(FrontierWriter, WritesWhatIsLeftToExplore) {
  Walk w("thread 0: create t1; create t2; thread 1: store x0 1; thread 2: store x1 2");
  w.start(2);
  const NodeId state = w.here();
  w.take(1);
  const NodeId one = w.here();
  w.back_to(w.depth() - 1);
  const NodeId two = w.add_pending(2);
  w.tree()[state].backtrack = threads({1, 2});
  w.tree()[two].state = NodeState::in_flight;
  w.tree()[two].sent = true;
  const NodeId before = w.tree().add_sleeper({0, 0}, {});
  w.tree()[state].sleep = {before};
  w.tree()[two].sleep = {before, one};
  FrontierWriter writer(w.tree());
  writer.add(state);
  writer.add(one, 9);
  writer.add(two);
  writer.add_sequence(two, {w.step(1)});
  const Frontier f = writer.take();
  ASSERT_EQ(f.nodes.size(), 3u);
  EXPECT_EQ(f.nodes[0].node.backtrack, threads({1, 2}));
  EXPECT_EQ(f.nodes[0].node.depth + 1, f.nodes[2].node.depth);
  EXPECT_EQ(f.nodes[1].unit, 9u);
  EXPECT_EQ(f.nodes[1].node.hash, w.tree()[one].hash);
  EXPECT_TRUE(f.nodes[1].sleepers.empty());
  EXPECT_EQ(f.nodes[2].node.state, NodeState::pending);
  EXPECT_TRUE(f.nodes[2].node.sent);
  EXPECT_EQ(f.nodes[0].sleepers, std::vector<std::uint32_t>{0});
  EXPECT_EQ(f.nodes[2].sleepers, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_EQ(f.sleepers.size(), 2u);  // each once
  EXPECT_EQ(f.sleepers[1].choice, (Choice{1, 0}));
  ASSERT_EQ(f.sequences.size(), 1u);
  EXPECT_EQ(f.sequences[0].first, 2u);  // the number of its node
}

// Field by field: depth 2, open, marks free, exact and sent; thread 1, alternative 0, an atomic store at site 2a of 4 bytes at
// 1000; backtrack, preemptions, executions, hash, unit, sleeper 0.
TEST(Frontier, IsTheDocumentedText) {
  Frontier f;
  Operation store{};
  store.kind = INSPECT_OP_AtomicStore;
  store.order = 5;
  store.site = 0x2a;
  store.object = 0x1000;
  store.size = 4;
  f.sleepers.push_back({{3, 1}, store});
  FrontierNode& n = f.nodes.emplace_back();
  n.node.depth = 2;
  n.node.state = NodeState::open;
  n.node.free = n.node.exact = n.node.sent = true;
  n.node.choice = {1, 0};
  n.node.operation = store;
  n.node.backtrack = {6, 0};
  n.node.preemptions = 3;
  n.node.executions = 0x10;
  n.node.hash = 0xabc;
  n.unit = 9;
  n.sleepers = {0};
  f.sequences.push_back({0, {{{2, 0}, false, 7, store}}});
  char kind[8];
  std::snprintf(kind, sizeof kind, "%x", unsigned{INSPECT_OP_AtomicStore});
  const std::string operation = std::string(kind) + " 5 0 0 2a 1000 4 0 0";
  EXPECT_EQ(format_frontier(f), "sleeper 3 1 " + operation + "\nnode 2 2 13 1 0 " + operation +
                                    " 6 0 3 10 abc 9 0\nsequence 0 0 2 0 " + operation + "\n");
  const auto read = parse_frontier(format_frontier(f));
  ASSERT_TRUE(read.ok());
  const Node& back = read->nodes[0].node;
  EXPECT_TRUE(back.free && back.exact && back.sent && !back.never_sleeps && !back.remote);
  EXPECT_EQ(back.backtrack, (ThreadSet{6, 0}));
  EXPECT_EQ(back.hash, 0xabcu);
  EXPECT_EQ(read->sleepers[0].choice, (Choice{3, 1}));
  EXPECT_FALSE(read->sequences[0].second[0].exact);
}

}  // namespace
}  // namespace inspect::search
