#include "search/share/frontier.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

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

}  // namespace
}  // namespace inspect::search
