#include "search/cut/summary.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

ThreadOperation store(ThreadId t, std::uint64_t object, Lockset locks = 0) {
  ThreadOperation o{t, {}, locks};
  o.operation.kind = INSPECT_OP_AtomicStore;
  o.operation.object = object;
  o.operation.size = 8;
  return o;
}

TEST(Summaries, OperationsDifferByThreadLabelAndLocks) {
  Summaries all;
  const auto n = all.number_of(store(1, 100));
  EXPECT_EQ(all.number_of(store(1, 100)), n);
  EXPECT_NE(all.number_of(store(2, 100)), n);
  EXPECT_NE(all.number_of(store(1, 200)), n);
  EXPECT_NE(all.number_of(store(1, 100, 1)), n);
  EXPECT_EQ(all.operation(n).thread, 1);
  EXPECT_EQ(all.operation(n).operation.object, 100u);
}

TEST(Summaries, EqualSetsHaveOneNumber) {
  Summaries all;
  Summaries::Set a, b;
  Summaries::insert(a, 3);
  Summaries::insert(a, 70);
  Summaries::insert(b, 70);
  EXPECT_NE(all.number_of(a), all.number_of(b));
  Summaries::insert(b, a);
  EXPECT_EQ(all.number_of(a), all.number_of(b));
  EXPECT_EQ(all.number_of(Summaries::Set{}), 0u);
  std::vector<Summaries::Number> members;
  Summaries::for_each(all.set(all.number_of(b)), [&](Summaries::Number n) { members.push_back(n); });
  EXPECT_EQ(members, (std::vector<Summaries::Number>{3, 70}));
}

}  // namespace
}  // namespace inspect::search
