// Random traces, event by event against happens-before by definition.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <string>

#include "memory/happens_before.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/memory/race_state.hpp"
#include "stub.hpp"

namespace inspect::runtime {
namespace {

using test::Action;
using test::HappensBefore;
using test::TraceEvent;

constexpr std::uint64_t kBases[] = {kStackBase + 3 * kStackSlot - 0x400, kArenaBase + 0x2000, 0x555555558000, 0x7ffff7d00000};

// What a generator prefers: each profile stresses another part.
struct Profile {
  unsigned accesses, atomics, objects, fences, threads, frees;  // relative frequencies
  unsigned window;                                              // bytes of memory used
  bool one_size;                                                // atomics of four aligned bytes only
  double keep_race;                                             // probability of letting a racing event happen
};
constexpr Profile kProfiles[] = {
    {10, 6, 6, 1, 1, 1, 16, false, 0.05},  {6, 12, 0, 4, 1, 0, 8, true, 0.05}, {4, 14, 0, 2, 0, 1, 8, false, 0.03},
    {12, 0, 10, 0, 2, 2, 12, false, 0.05}, {2, 14, 1, 3, 0, 0, 4, true, 0.02}, {10, 8, 4, 2, 3, 2, 64, false, 0.1},
};

class Generator {
 public:
  Generator(std::mt19937& random, const Profile& profile, const std::array<unsigned, 6>& numbers)
      : random_(random), profile_(profile), numbers_(numbers), base_(kBases[below(4)]) {
    alive_[0] = true;
  }

  TraceEvent next(std::uint32_t site) {
    for (;;) {
      TraceEvent e = candidate();
      e.site = site;
      if (e.action != Action::end || site) return e;
    }
  }
  // The event has become part of the trace.
  void happened(const TraceEvent& e) {
    if (e.action == Action::create) {
      alive_[index(e.other)] = true;
      created_ = std::max(created_, index(e.other));
    }
    if (e.action == Action::join) joined_[index(e.other)] = true;
    if (e.action == Action::end) alive_[index(e.thread)] = false;
    if (e.action == Action::free_heap)
      for (unsigned i = 0; i < e.size; ++i) dead_[e.address + i - base_] = true;
  }

 private:
  unsigned below(unsigned n) { return unsigned(random_() % n); }
  unsigned index(unsigned thread) const {
    for (unsigned i = 0; i < numbers_.size(); ++i)
      if (numbers_[i] == thread) return i;
    return 0;
  }
  unsigned alive_thread() {
    for (;;)
      if (const unsigned i = below(unsigned(numbers_.size())); alive_[i]) return numbers_[i];
  }
  inspect_order order() { return inspect_order(INSPECT_RELAXED + below(6)); }

  TraceEvent candidate() {
    const Profile& p = profile_;
    unsigned pick = below(p.accesses + p.atomics + p.objects + p.fences + p.threads + p.frees);
    const unsigned thread = alive_thread();
    if (created_ < 2 || pick < p.threads) return thread_event(thread);
    pick -= p.threads;
    if (pick < p.accesses) {
      TraceEvent e = access(thread);
      if (e.action == Action::access && below(8) == 0) e.action = Action::object_access;
      return e;
    }
    pick -= p.accesses;
    if (pick < p.atomics) return atomic(thread);
    pick -= p.atomics;
    if (pick < p.objects) {
      constexpr Action kActions[] = {Action::acquire, Action::release, Action::acquire_shared, Action::release_shared};
      return {kActions[below(4)], thread, 0x1000 + 64 * below(3)};
    }
    pick -= p.objects;
    if (pick < p.fences) return {.action = Action::fence, .thread = thread, .order = order()};
    TraceEvent e = access(thread);
    e.action = base_ == kBases[0] ? Action::free_stack : Action::free_heap;
    e.write = true;
    return e;
  }

  TraceEvent thread_event(unsigned thread) {
    if (created_ + 1 < numbers_.size() && (created_ < 2 || below(2)))
      return {.action = Action::create, .thread = thread, .other = numbers_[created_ + 1]};
    const unsigned i = 1 + below(unsigned(numbers_.size()) - 1);
    if (i <= created_ && !alive_[i] && !joined_[i]) return {.action = Action::join, .thread = thread, .other = numbers_[i]};
    if (thread != numbers_[0] && below(3) == 0) return {.action = Action::end, .thread = thread};
    return access(thread);
  }

  // A live range; of size 0 when the dice find none.
  TraceEvent access(unsigned thread) {
    constexpr unsigned kSizes[] = {1, 1, 2, 4, 4, 8, 3, 16};
    for (int attempt = 0; attempt < 20; ++attempt) {
      const unsigned size = kSizes[below(8)];
      if (size > profile_.window) continue;
      unsigned at = below(profile_.window - size + 1);
      if (below(3)) at &= ~(size - 1);
      if (is_dead(at, size)) continue;
      return {.action = Action::access, .thread = thread, .address = base_ + at, .size = size, .write = below(2) == 0};
    }
    return {.action = Action::fence, .thread = thread, .order = INSPECT_RELAXED};
  }

  TraceEvent atomic(unsigned thread) {
    TraceEvent e = access(thread);
    if (e.action != Action::access) return e;
    if (profile_.one_size) {
      e.address = (e.address & ~3ull);
      e.size = 4;
      if (is_dead(unsigned(e.address - base_), 4)) return {.action = Action::fence, .thread = thread, .order = INSPECT_RELAXED};
    }
    constexpr Action kActions[] = {Action::load, Action::load, Action::store, Action::rmw, Action::rmw, Action::failed_cas};
    e.action = kActions[below(6)];
    e.order = order();
    if (e.action == Action::rmw && below(3)) {
      e.commuting = true;
      e.group = below(2);
    }
    return e;
  }
  bool is_dead(unsigned at, unsigned size) const {
    for (unsigned i = at; i < at + size; ++i)
      if (dead_[i]) return true;
    return false;
  }

  std::mt19937& random_;
  const Profile& profile_;
  const std::array<unsigned, 6>& numbers_;
  std::uint64_t base_;
  std::array<bool, 6> alive_{}, joined_{};
  std::array<bool, 128> dead_{};
  unsigned created_ = 0;
};

bool perform(const TraceEvent& e) {
  const auto t = std::uint8_t(e.thread), other = std::uint8_t(e.other);
  switch (e.action) {
    case Action::access:
      return race_access(t, e.address, e.size, e.write, e.site);
    case Action::object_access:
      return race_object_access(t, e.address, e.size, e.write, e.site);
    case Action::free_stack:
      return race_stack_end(t, e.address, e.size, e.site);
    case Action::free_heap:
      return race_free(t, e.address, e.size, e.site);
    case Action::load:
      return race_atomic_load(t, e.address, e.size, e.order, e.site);
    case Action::store:
      return race_atomic_store(t, e.address, e.size, e.order, e.site);
    case Action::rmw:
      return race_atomic_rmw(t, e.address, e.size, e.order, e.site, e.commuting ? 1 + e.group : 0);
    case Action::failed_cas:
      return race_atomic_load(t, e.address, e.size, e.order, e.site);
    case Action::fence:
      race_fence(t, e.order);
      break;
    case Action::acquire:
      race_acquire(t, e.address);
      break;
    case Action::release:
      race_release(t, e.address);
      break;
    case Action::acquire_shared:
      race_acquire_shared(t, e.address);
      break;
    case Action::release_shared:
      race_release_shared(t, e.address);
      break;
    case Action::create:
      race_thread_created(t, other);
      break;
    case Action::join:
      race_thread_joined(t, other);
      break;
    case Action::end:
      race_thread_ended(t);
      break;
  }
  return true;
}

std::string text(const HappensBefore& trace) {
  constexpr const char* kNames[] = {
      "access", "object_access", "free_stack", "free_heap",      "load",           "store",  "rmw",  "failed_cas",
      "fence",  "acquire",       "release",    "acquire_shared", "release_shared", "create", "join", "end"};
  std::string result;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const TraceEvent& e = trace[i];
    result += std::to_string(i) + ": T" + std::to_string(e.thread) + " " + kNames[int(e.action)] + " @" +
              std::to_string(e.address & 0xfff) + "+" + std::to_string(e.size) + (e.write ? " write" : "") + " order " +
              std::to_string(e.order) + (e.commuting ? " commuting " + std::to_string(e.group) : "") + " other " +
              std::to_string(e.other) + "\n";
  }
  return result;
}

// The pair reported is one of those that race by definition.
void expect_true_report(const HappensBefore& trace) {
  const RaceReport& r = race_report();
  const TraceEvent& last = trace[trace.size() - 1];
  ASSERT_EQ(r.thread, last.thread) << text(trace);
  ASSERT_EQ(r.site, last.site) << text(trace);
  ASSERT_EQ(r.size, last.size) << text(trace);
  bool found = false;
  for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
    const TraceEvent& e = trace[i];
    if (e.site != r.other_site || e.thread != r.other_thread || !trace.races_with_last(i)) continue;
    found = e.address <= r.address && r.address < e.address + e.size && last.address <= r.address &&
            r.address < last.address + last.size;
    const auto is_free = [](const TraceEvent& x) { return x.action == Action::free_stack || x.action == Action::free_heap; };
    ASSERT_EQ(r.with_free, is_free(e) || is_free(last)) << text(trace);
  }
  ASSERT_TRUE(found) << "reported " << r.other_site << "\n" << text(trace);
}

void run_trace(std::mt19937& random, const Profile& profile, unsigned& races) {
  constexpr std::array<unsigned, 6> kDense{0, 1, 2, 3, 4, 5}, kSparse{0, 127, 3, 64, 90, 1};
  Generator generator(random, profile, random() % 4 ? kDense : kSparse);
  HappensBefore trace;
  const std::uint32_t first_site = random() % 8 ? 1 : 0x80000001;
  const unsigned length = 10 + random() % 60;
  for (unsigned i = 0; i < length; ++i) {
    const TraceEvent e = generator.next(first_site + i);
    trace.add(e);
    const bool racy = trace.race_of_last().has_value();
    if (racy && double(random() % 1000) >= 1000 * profile.keep_race) {
      trace.remove_last();
      continue;
    }
    generator.happened(e);
    const bool passed = perform(e);
    ASSERT_EQ(passed, !racy) << text(trace);
    if (passed) continue;
    ++races;
    expect_true_report(trace);
    return;
  }
}

TEST(RaceStress, AgreesWithTheDefinition) {
  const char* const asked = std::getenv("RACE_STRESS_TRACES");
  const long traces = asked ? std::atol(asked) : 120000;
  const char* const seed = std::getenv("RACE_STRESS_SEED");
  std::mt19937 random(seed ? unsigned(std::atol(seed)) : 20240607u);
  test::begin();
  unsigned races = 0;
  for (long i = 0; i < traces && !HasFatalFailure(); ++i) {
    if (i % 1000 == 999) race_state().hot.base = kFlushAt - 40;  // a wrap of the clocks is near
    race_begin_execution();
    run_trace(random, kProfiles[i % std::size(kProfiles)], races);
  }
  if (!asked) {
    EXPECT_GT(races, traces / 10);
    EXPECT_LT(races, traces * 9 / 10);
  }
  RecordProperty("races", int(races));
}

}  // namespace
}  // namespace inspect::runtime
