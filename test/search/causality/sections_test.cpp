#include "search/causality/sections.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

Operation touching(std::uint64_t object) {
  Operation o{};
  o.kind = INSPECT_OP_AtomicStore;
  o.object = object;
  o.size = 8;
  return o;
}

Event section(ThreadId t, std::uint32_t site, std::vector<Operation> footprint) {
  Event e{};
  e.choice.thread = t;
  e.operation.kind = INSPECT_OP_AtomicSection;
  e.operation.site = site;
  e.footprint = std::move(footprint);
  return e;
}

TEST(Sections, ALabelHoldsAllThatWasEverTouched) {
  Sections s;
  const Event first = section(1, 7, {touching(100)}), other = section(1, 7, {touching(200)});
  EXPECT_FALSE(s.label(1, first.operation).is_section);  // unknown: it depends on everything
  EXPECT_TRUE(s.label(1, first.operation).depends_on_all());
  EXPECT_TRUE(s.learn(first));
  EXPECT_FALSE(s.learn(first));
  EXPECT_TRUE(s.learn(other));
  EXPECT_FALSE(s.learn(first));
  const Label label = s.label(1, first.operation);
  EXPECT_TRUE(label.is_section);
  EXPECT_EQ(label.ranges.size(), 2u);
}

TEST(Sections, EachThreadAndPlaceHasItsOwn) {
  Sections s;
  s.learn(section(1, 7, {touching(100)}));
  EXPECT_TRUE(s.label(2, section(2, 7, {}).operation).depends_on_all());
  EXPECT_TRUE(s.label(1, section(1, 8, {}).operation).depends_on_all());
}

TEST(Sections, WhatTouchesNothingIsIndependentOfAll) {
  Sections s;
  EXPECT_TRUE(s.learn(section(1, 7, {})));
  EXPECT_FALSE(s.learn(section(1, 7, {})));
  const Operation own = section(1, 7, {}).operation, store = touching(100);
  EXPECT_FALSE(dependent(s.label(1, own), s.label(2, store)));
}

TEST(Sections, OtherOperationsAreTheirOwnLabel) {
  Sections s;
  Event store{};
  store.operation = touching(100);
  EXPECT_FALSE(s.learn(store));
  EXPECT_FALSE(s.label(1, store.operation).is_section);
}

// What one search tells another.
TEST(Sections, WhatIsVisitedCanBeLearnt) {
  Sections from, to;
  from.learn(section(1, 7, {touching(100), touching(200)}));
  from.learn(section(2, 9, {}));
  const auto tell = [&] {
    bool grew = false;
    from.for_each([&](ThreadId t, std::uint32_t site, const Operation& o) { grew |= to.learn(t, site, o); });
    return grew;
  };
  EXPECT_TRUE(tell());
  EXPECT_FALSE(tell());
  EXPECT_EQ(to.label(1, section(1, 7, {}).operation).ranges.size(), 2u);
  EXPECT_TRUE(to.label(2, section(2, 9, {}).operation).is_section);
}

}  // namespace
}  // namespace inspect::search
