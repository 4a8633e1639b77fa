// What atomics and fences order: the rules of C++20 and SEMANTICS C.1 to C.3, each with a program that breaks without it.
#include <gtest/gtest.h>

#include "runtime/memory/race.hpp"
#include "stub.hpp"

namespace inspect::runtime {
namespace {

using test::begin;

constexpr std::uintptr_t kData = kArenaBase + 0x1000, kFlag = 0x555555558000;
constexpr auto kRelaxed = INSPECT_RELAXED, kAcquire = INSPECT_ACQUIRE, kRelease = INSPECT_RELEASE, kAcqRel = INSPECT_ACQ_REL,
               kSeqCst = INSPECT_SEQ_CST;
constexpr unsigned kAdd = 1, kOr = 2;

struct Thread_ {
  std::uint8_t id;
  bool write() const { return race_access(id, kData, 4, true, 1); }
  bool read() const { return race_access(id, kData, 4, false, 1); }
  bool load(inspect_order o, std::uintptr_t a = kFlag, unsigned n = 4) const { return race_atomic_load(id, a, n, o, 1); }
  bool store(inspect_order o, std::uintptr_t a = kFlag, unsigned n = 4) const { return race_atomic_store(id, a, n, o, 1); }
  bool rmw(inspect_order o, std::uintptr_t a = kFlag, unsigned n = 4) const { return race_atomic_rmw(id, a, n, o, 1); }
  bool count(inspect_order o, unsigned group = kAdd, unsigned n = 4) const {
    return race_atomic_rmw(id, kFlag, n, o, 1, 1 + group);
  }
  bool cas(bool success, inspect_order o, inspect_order f) const {
    return success ? race_atomic_rmw(id, kFlag, 4, o, 1) : race_atomic_load(id, kFlag, 4, f, 1);
  }
  void fence(inspect_order o) const { race_fence(id, o); }
};
constexpr Thread_ a{1}, b{2}, c{3}, d{4};

class Atomic : public testing::Test {
 protected:
  void SetUp() override {
    begin();
    for (const Thread_& t : {a, b, c, d}) race_thread_created(0, t.id);
  }
};

struct Orders {
  inspect_order store, load;
  bool ordered;
};
class MessagePassing : public testing::TestWithParam<Orders> {};
INSTANTIATE_TEST_SUITE_P(Atomic, MessagePassing,
                         testing::Values(Orders{kRelaxed, kRelaxed, false}, Orders{kRelease, kRelaxed, false},
                                         Orders{kRelaxed, kAcquire, false}, Orders{kRelease, kAcquire, true},
                                         Orders{kRelease, INSPECT_CONSUME, true}, Orders{kSeqCst, kSeqCst, true},
                                         Orders{kRelease, kSeqCst, true}, Orders{kSeqCst, kAcquire, true}));

TEST_P(MessagePassing, StoreThenLoad) {
  begin();
  race_thread_created(0, 1);
  race_thread_created(0, 2);
  EXPECT_TRUE(a.write() && a.store(GetParam().store) && b.load(GetParam().load));
  EXPECT_EQ(b.read(), GetParam().ordered);
}

TEST_P(MessagePassing, RmwThenRmw) {
  begin();
  race_thread_created(0, 1);
  race_thread_created(0, 2);
  EXPECT_TRUE(a.write() && a.rmw(GetParam().store) && b.rmw(GetParam().load));
  EXPECT_EQ(b.read(), GetParam().ordered);
}

// SEMANTICS C.4: o->v = 1; p.store(o, relaxed).
TEST_F(Atomic, RelaxedPublicationIsARace) {
  EXPECT_TRUE(a.write() && a.store(kRelaxed) && b.load(kSeqCst));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, LoadThatReadsAnotherLocation) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && b.load(kAcquire, kFlag + 4));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, LaterStoreHidesTheRelease) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && c.store(kRelaxed) && b.load(kAcquire));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, OwnLaterStoreEndsTheReleaseSequenceSinceCpp20) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && a.store(kRelaxed) && b.load(kAcquire));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, ReleaseSequenceThroughReadModifyWrites) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && c.rmw(kRelaxed) && d.rmw(kRelaxed) && b.load(kAcquire));
  EXPECT_TRUE(b.read());
}

TEST_F(Atomic, ReadModifyWriteAddsItsOwnRelease) {
  EXPECT_TRUE(a.store(kRelease) && c.write() && c.rmw(kRelease) && b.load(kAcquire) && b.read());
}

TEST_F(Atomic, ReleaseAfterTheAccessOnly) {
  EXPECT_TRUE(a.store(kRelease) && a.write() && b.load(kAcquire));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, FailedCompareExchangeHasTheFailureOrder) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && b.cas(false, kAcqRel, kRelaxed));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, FailedCompareExchangeAcquires) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && b.cas(false, kRelaxed, kAcquire) && b.read());
}

TEST_F(Atomic, FailedCompareExchangeReleasesNothing) {
  EXPECT_TRUE(a.write() && a.cas(false, kAcqRel, kAcquire) && b.load(kAcquire));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, FailedCompareExchangeDoesNotEndAReleaseSequence) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && c.cas(false, kAcqRel, kRelaxed) && b.load(kAcquire) && b.read());
}

TEST_F(Atomic, SuccessfulCompareExchangeIsAReadModifyWrite) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && c.cas(true, kRelaxed, kRelaxed) && b.load(kAcquire) && b.read());
}

TEST_F(Atomic, FencesOnBothSides) {
  EXPECT_TRUE(a.write());
  a.fence(kRelease);
  EXPECT_TRUE(a.store(kRelaxed) && b.load(kRelaxed));
  b.fence(kAcquire);
  EXPECT_TRUE(b.read());
}

TEST_F(Atomic, SeqCstFencesAreBoth) {
  EXPECT_TRUE(a.write());
  a.fence(kSeqCst);
  EXPECT_TRUE(a.store(kRelaxed) && b.load(kRelaxed));
  b.fence(kSeqCst);
  EXPECT_TRUE(b.read());
}

TEST_F(Atomic, ReleaseFenceWithAcquireLoad) {
  EXPECT_TRUE(a.write());
  a.fence(kRelease);
  EXPECT_TRUE(a.store(kRelaxed) && b.load(kAcquire) && b.read());
}

TEST_F(Atomic, ReleaseStoreWithAcquireFence) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && b.load(kRelaxed));
  b.fence(kAcquire);
  EXPECT_TRUE(b.read());
}

TEST_F(Atomic, FencesOfTheWrongKind) {
  EXPECT_TRUE(a.write());
  a.fence(kAcquire);
  EXPECT_TRUE(a.store(kRelaxed) && b.load(kRelaxed));
  b.fence(kRelease);
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, FencesAlonePublishNothing) {
  EXPECT_TRUE(a.write());
  a.fence(kSeqCst);
  b.fence(kSeqCst);
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, AccessAfterTheReleaseFence) {
  a.fence(kRelease);
  EXPECT_TRUE(a.write() && a.store(kRelaxed) && b.load(kAcquire));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, LoadAfterTheAcquireFence) {
  EXPECT_TRUE(a.write() && a.store(kRelease));
  b.fence(kAcquire);
  EXPECT_TRUE(b.load(kRelaxed));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, FenceThenRelaxedReadModifyWriteReleases) {
  EXPECT_TRUE(a.write());
  a.fence(kRelease);
  EXPECT_TRUE(a.rmw(kRelaxed) && b.load(kAcquire) && b.read());
}

TEST_F(Atomic, PlainAndAtomicConflict) {
  EXPECT_TRUE(race_access(1, kFlag, 4, true, 1));
  EXPECT_FALSE(b.load(kSeqCst));
  EXPECT_TRUE(race_report().other_write && !race_report().write && race_report().atomic && !race_report().other_atomic);
}

TEST_F(Atomic, PlainReadAgainstAtomicStore) {
  EXPECT_TRUE(a.store(kSeqCst));
  EXPECT_FALSE(race_access(2, kFlag + 1, 1, false, 1));
  EXPECT_TRUE(race_report().other_atomic && !race_report().atomic);
}

TEST_F(Atomic, PlainReadAgainstAtomicLoadIsFine) {
  EXPECT_TRUE(a.load(kRelaxed));
  EXPECT_TRUE(race_access(2, kFlag, 4, false, 1));
  EXPECT_TRUE(b.load(kRelaxed));
  EXPECT_FALSE(race_access(3, kFlag, 4, true, 1));
}

TEST_F(Atomic, EveryConcurrentAtomicWriteIsRemembered) {
  EXPECT_TRUE(a.store(kRelaxed) && b.store(kRelaxed) && c.store(kRelease) && d.load(kAcquire));
  EXPECT_FALSE(race_access(4, kFlag, 4, false, 1));
  EXPECT_EQ(race_report().other_thread, 1);
}

TEST_F(Atomic, InitialisationIsBeforeTheLoadThatAcquiresItsPublication) {
  EXPECT_TRUE(race_access(1, kFlag, 4, true, 1) && a.store(kRelease) && b.load(kAcquire));
}

TEST_F(Atomic, InitialisationIsUnorderedWithARelaxedLoad) {
  EXPECT_TRUE(race_access(1, kFlag, 4, true, 1) && a.store(kRelease));
  EXPECT_FALSE(b.load(kRelaxed));
}

// SEMANTICS C.3: increments commute, so neither order of two of them may hide the race of the other.
TEST_F(Atomic, CommutingIncrementsDoNotOrderEachOther) {
  EXPECT_TRUE(a.write() && a.count(kAcqRel) && b.count(kAcqRel));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, AReaderOfTheCounterAcquiresAllIncrements) {
  EXPECT_TRUE(a.write() && a.count(kRelease) && b.count(kRelease) && c.load(kAcquire) && c.read());
}

TEST_F(Atomic, AUsedIncrementAcquiresAllBeforeIt) {
  EXPECT_TRUE(a.write() && a.count(kRelease) && b.count(kRelease) && c.rmw(kAcquire) && c.read());
}

TEST_F(Atomic, CommutingIncrementsAcquireWhatPrecedesTheRun) {
  EXPECT_TRUE(a.write() && a.store(kRelease) && b.count(kAcqRel) && c.count(kAcquire) && c.read());
}

TEST_F(Atomic, AReadEndsTheRun) {
  EXPECT_TRUE(a.write() && a.count(kRelease) && b.load(kRelaxed) && b.count(kAcquire) && b.read());
}

TEST_F(Atomic, AnotherOperatorEndsTheRun) {
  EXPECT_TRUE(a.write() && a.count(kRelease, kAdd) && b.count(kAcquire, kOr) && b.read());
}

TEST_F(Atomic, AnotherSizeEndsTheRun) {
  EXPECT_TRUE(a.write() && a.count(kRelease, kAdd, 4) && b.count(kAcquire, kAdd, 2) && b.read());
}

TEST_F(Atomic, CommutingRelaxedIncrementsUnderAFence) {
  EXPECT_TRUE(a.write() && a.count(kRelease) && b.count(kRelaxed));
  b.fence(kAcquire);
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, WideStoreReadByNarrowLoads) {
  EXPECT_TRUE(a.write() && a.store(kRelease, kFlag, 8));
  EXPECT_TRUE(b.load(kAcquire, kFlag + 6, 1) && b.read());
}

TEST_F(Atomic, NarrowStoreOverPartOfAWideOne) {
  EXPECT_TRUE(a.write() && a.store(kRelease, kFlag, 8) && c.store(kRelaxed, kFlag, 4));
  EXPECT_TRUE(b.load(kAcquire, kFlag, 4));
  EXPECT_TRUE(d.load(kAcquire, kFlag + 4, 4) && d.read());
  EXPECT_FALSE(b.write());
}

TEST_F(Atomic, WideLoadReadsBothNarrowStores) {
  EXPECT_TRUE(a.write() && a.store(kRelease, kFlag, 4));
  EXPECT_TRUE(c.load(kAcquire) && c.write() && c.store(kRelease, kFlag + 4, 4));
  EXPECT_TRUE(b.load(kAcquire, kFlag, 8) && b.write());
}

TEST_F(Atomic, NeighboursShareNoClock) {
  EXPECT_TRUE(a.write() && a.store(kRelease, kFlag, 2) && b.load(kAcquire, kFlag + 2, 2));
  EXPECT_FALSE(b.read());
}

TEST_F(Atomic, SixteenBytes) {
  EXPECT_TRUE(a.write() && a.store(kRelease, kFlag, 16) && b.load(kAcquire, kFlag, 16) && b.read());
}

}  // namespace
}  // namespace inspect::runtime
