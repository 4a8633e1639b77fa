#include "search/causality/blocks.hpp"

#include <gtest/gtest.h>

#include "walk.hpp"

namespace inspect::search {
namespace {

// Main waits for both, so only the two threads move.
struct Two : Walk {
  Two()
      : Walk(
            "thread 0: create t1; create t2; join t1; join t2;"
            "thread 1: store x0 1; store x1 1; thread 2: store x2 1; store x3 1") {
    start(2);
  }
};

TEST(Blocks, ASwitchFromAnEnabledThreadPreempts) {
  Two w;
  const std::uint32_t state = w.take(1);
  EXPECT_FALSE(preempts(w.path(), state, 1));
  EXPECT_TRUE(preempts(w.path(), state, 2));
  EXPECT_FALSE(preempts(w.path(), 0, 0));  // nothing came before
}

TEST(Blocks, ASwitchFromAThreadThatHasEndedIsFree) {
  Two w;
  w.take(1);
  w.take(1);
  const std::uint32_t end = w.take(1);
  ASSERT_EQ(w.path().operation(end).kind, INSPECT_OP_ThreadExit);
  EXPECT_FALSE(preempts(w.path(), end, 2));
}

TEST(Blocks, ABlockBeginsWhereTheThreadTookOver) {
  Two w;
  const std::uint32_t first = w.take(1), second = w.take(1), other = w.take(2);
  EXPECT_EQ(block_start(w.path(), first), first - 1);
  EXPECT_EQ(block_start(w.path(), second), first - 1);
  EXPECT_EQ(block_start(w.path(), other), second);
  EXPECT_EQ(block_start(w.path(), 3), 0u);  // main's start and its creations
}

}  // namespace
}  // namespace inspect::search
