#include "process/log_check.hpp"

#include <gtest/gtest.h>

namespace inspect::process {
namespace {

constexpr unsigned kThreads = 3;

inspect_record record(inspect_record_type type, unsigned thread = 0, unsigned kind = INSPECT_OP_MutexLock) {
  inspect_record r{};
  r.type = static_cast<std::uint8_t>(type);
  r.thread = static_cast<std::uint8_t>(thread);
  r.operation.kind = static_cast<decltype(r.operation.kind)>(kind);
  return r;
}

bool fits(const inspect_record& r, unsigned threads = kThreads) { return LogCheck(threads, {}).fits(r); }

TEST(LogCheck, NoIndexIsBeyondItsTable) {
  for (unsigned type = INSPECT_RECORD_STEP; type < INSPECT_RECORD_END; ++type) {
    const auto t = static_cast<inspect_record_type>(type);
    EXPECT_TRUE(fits(record(t, kThreads - 1))) << type;
    EXPECT_FALSE(fits(record(t, kThreads))) << type;
  }
  EXPECT_FALSE(fits(record(INSPECT_RECORD_END)));
  EXPECT_FALSE(fits(record(inspect_record_type{})));
  for (const auto type : {INSPECT_RECORD_STEP, INSPECT_RECORD_PENDING, INSPECT_RECORD_NEW_PENDING, INSPECT_RECORD_ALTERNATIVES,
                          INSPECT_RECORD_ACCESS})
    EXPECT_FALSE(fits(record(type, 0, INSPECT_OP_COUNT))) << type;
}

TEST(LogCheck, OnlyThreadsThatThereAreAreEnabled) {
  inspect_record r = record(INSPECT_RECORD_PENDING);
  r.value = 0b111;
  EXPECT_TRUE(fits(r));
  r.value = 0b1111;
  EXPECT_FALSE(fits(r));
  r.value = 0, r.value2 = 1;  // thread 64
  EXPECT_FALSE(fits(r));
  EXPECT_TRUE(fits(r, 65));
  EXPECT_FALSE(fits(r, 64));
}

TEST(LogCheck, ASwapIsOfThreadsThatThereAre) {
  inspect_record r = record(INSPECT_RECORD_SYMMETRIC_PAIR, 1);
  r.value = 2, r.value2 = kMaxThreads;  // nobody is about to join both
  EXPECT_TRUE(fits(r));
  r.value = kThreads;
  EXPECT_FALSE(fits(r));
  r.value = 2, r.value2 = kMaxThreads + 1;
  EXPECT_FALSE(fits(r));
}

// The request asks for the steps of threads 0, 1 and any alternative of 2, of which the first is known.
TEST(LogCheck, TheStepsAreThoseThatWereAskedFor) {
  search::Request request;
  request.prefix = {{0, 0}, {1, 4}, {2, search::kAnyAlternative}};
  request.known = 1;
  const auto step = [](unsigned thread, unsigned alternative) {
    inspect_record r = record(INSPECT_RECORD_STEP, thread);
    r.alternative = static_cast<std::uint16_t>(alternative);
    return r;
  };
  LogCheck good(kThreads, request);
  EXPECT_TRUE(good.fits(step(1, 4)));
  EXPECT_TRUE(good.fits(step(2, 9)));
  EXPECT_TRUE(good.fits(step(0, 1))) << "behind the prefix the program chooses";
  EXPECT_FALSE(LogCheck(kThreads, request).fits(step(0, 0))) << "the first step is known";
  EXPECT_FALSE(LogCheck(kThreads, request).fits(step(1, 3)));
  LogCheck other(kThreads, request);
  EXPECT_TRUE(other.fits(step(1, 4)));
  EXPECT_FALSE(other.fits(step(1, 0)));
}

TEST(LogCheck, AResultIsWithinTheLog) {
  inspect_result r{};
  EXPECT_TRUE(is_sound(r, kThreads));
  r.begin = 2, r.end = 1;
  EXPECT_FALSE(is_sound(r, kThreads));
  r.end = kMostRecords + 1;
  EXPECT_FALSE(is_sound(r, kThreads));
  r = {};
  r.bug_thread = kThreads;
  EXPECT_FALSE(is_sound(r, kThreads));
  r = {};
  r.end_kind = INSPECT_END_BUG;
  r.detail = INSPECT_BUG_LAST;
  EXPECT_TRUE(is_sound(r, kThreads));
  r.detail = INSPECT_BUG_LAST + 1;
  EXPECT_FALSE(is_sound(r, kThreads));
  r = {};
  r.end_kind = INSPECT_END_SPINNING + 1;
  EXPECT_FALSE(is_sound(r, kThreads));
}

TEST(LogCheck, ARaceIsWithinItsExecution) {
  search::Request request;
  request.prefix = {{0, 0}, {0, 0}};
  request.known = 1;
  inspect_race race{};
  race.steps = 4;
  EXPECT_TRUE(is_sound(race, kThreads, request, 3));
  EXPECT_FALSE(is_sound(race, kThreads, request, 2));
  race.other_thread = kThreads;
  EXPECT_FALSE(is_sound(race, kThreads, request, 3));
}

}  // namespace
}  // namespace inspect::process
