// The scheduler constraints against an enumeration of all executions and their classes, by an interpreter that shares no code
// with them.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other seeds than those of CI.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "models.hpp"
#include "symbolic/encode/check.hpp"
#include "symbolic/encode/events.hpp"
#include "symbolic/system/dump.hpp"

namespace inspect::symbolic::tiny {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}
std::uint64_t first_seed() { return number_from("INSPECT_FUZZ_SEED", 1); }
std::uint64_t seeds(std::uint64_t otherwise) { return number_from("INSPECT_FUZZ_COUNT", otherwise); }

constexpr OrderKind kOrders[] = {OrderKind::none, OrderKind::ppor, OrderKind::mpor, OrderKind::lex};

TEST(Classes, EachIsCoveredAndOptimalOnesRepeatNone) {
  std::size_t programs = 0, classes = 0, executions = 0, models[4] = {}, failures = 0, repeated_by_ppor = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(1000) && failures < 5; ++seed) {
    const Program p = random_program(seed);
    const std::size_t length = length_for(p, seed);
    const Enumeration truth = enumerate(p, length, kMostExecutions);
    if (truth.too_many || truth.class_of.empty()) continue;
    ++programs;
    classes += truth.classes;
    executions += truth.class_of.size();
    for (const OrderKind order : kOrders) {
      const Census census = take_census(p, truth, length, order);
      models[static_cast<int>(order)] += census.models;
      if (order == OrderKind::ppor) repeated_by_ppor += census.repeated;
      std::string wrong = census.wrong(order);
      if (order == OrderKind::none && census.models != truth.class_of.size()) wrong += ", not every execution is a model";
      if (wrong.empty()) continue;
      ++failures;
      ADD_FAILURE() << "seed " << seed << ", " << word_of(order) << ", length " << length << ": " << wrong << '\n'
                    << to_text(p);
    }
  }
  std::cout << programs << " programs, " << executions << " executions, " << classes << " classes; models: none " << models[0]
            << ", ppor " << models[1] << ", mpor " << models[2] << ", lex " << models[3] << '\n';
  EXPECT_GT(programs * 3, seeds(1000));
  EXPECT_GT(executions, classes * 2) << "classes must have several executions";
  EXPECT_GT(repeated_by_ppor, 0u) << "or ppor is not told apart from the optimal ones";
}

CheckOptions only(PropertyKind property, OrderKind order, std::size_t bound) {
  CheckOptions options;
  options.order = order;
  options.bound = bound;
  options.checks = property == PropertyKind::check;
  options.deadlocks = property == PropertyKind::deadlock;
  options.races = property == PropertyKind::race;
  return options;
}

std::size_t depth_of(const Enumeration& truth, PropertyKind property) {
  if (property == PropertyKind::race) return truth.race_depth;
  return property == PropertyKind::deadlock ? truth.deadlock_depth : truth.assertion_depth;
}

// The first state in which the property fails is as deep as the interpreter says, for every order.
TEST(Verdicts, AreThoseOfTheMachine) {
  std::size_t programs = 0, assertions = 0, deadlocks = 0, races = 0, failures = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(500) && failures < 5; ++seed) {
    const Program p = random_program(seed);
    std::size_t length = 0;
    for (const auto& thread : p.threads) length += thread.size();
    const Enumeration truth = enumerate(p, length, kMostExecutions);
    if (truth.too_many) continue;
    ++programs;
    assertions += truth.assertion_depth <= length;
    deadlocks += truth.deadlock_depth <= length;
    races += truth.race_depth <= length;
    const System system = to_system(p);
    for (const OrderKind order : kOrders)
      for (const PropertyKind property : {PropertyKind::check, PropertyKind::deadlock, PropertyKind::race}) {
        const CheckResult result = check(system, only(property, order, length));
        const std::size_t depth = depth_of(truth, property);
        const bool is_bug = result.verdict == CheckVerdict::bug;
        if (is_bug == (depth <= length) && (!is_bug || result.counterexample->schedule.size() == depth)) continue;
        ++failures;
        ADD_FAILURE() << "seed " << seed << ", " << word_of(order) << ", property " << static_cast<int>(property) << ": "
                      << word_of(result.verdict) << ", truth " << depth << '\n'
                      << to_text(p);
      }
  }
  std::cout << programs << " programs, " << assertions << " with failing assertions, " << deadlocks << " with deadlocks, "
            << races << " with races\n";
  EXPECT_GT(assertions * 20, programs);
  EXPECT_GT(deadlocks * 20, programs);
  EXPECT_GT(races * 5, programs);
  EXPECT_GT((programs - races) * 5, programs);
}

// By events: as many transitions as a thread has, so all executions of programs without loops, and more than those of the
// others.
TEST(Verdicts, ByEventsAreThoseOfTheMachine) {
  std::size_t programs = 0, bugs = 0, loops = 0, failures = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(3000) && failures < 5; ++seed) {
    const Program p = random_program(seed);
    std::size_t length = 0;
    for (const auto& thread : p.threads) length += thread.size();
    const System system = to_system(p);
    bool has_loop = false;
    for (const Thread& t : system.threads) has_loop |= !longest_path(t);
    if (has_loop) length = std::min<std::size_t>(2 * length, 10);
    const Enumeration truth = enumerate(p, length, 20 * kMostExecutions);
    if (truth.too_many) continue;
    ++programs;
    loops += has_loop;
    for (const PropertyKind property : {PropertyKind::check, PropertyKind::deadlock, PropertyKind::race}) {
      CheckOptions options = only(property, OrderKind::none, length);
      options.encoding = EncodingKind::event;
      const CheckResult result = check(system, options);
      const std::size_t depth = depth_of(truth, property);
      const bool is_bug = result.verdict == CheckVerdict::bug;
      bugs += is_bug;
      // The interpreter's executions are shorter than those of threads that may each take so many.
      const bool is_right = is_bug ? (depth <= length ? result.counterexample->schedule.size() >= depth
                                                      : has_loop && result.counterexample->schedule.size() > length)
                                   : depth > length && (has_loop || result.verdict == CheckVerdict::verified);
      if (is_right) continue;
      ++failures;
      ADD_FAILURE() << "seed " << seed << ", property " << static_cast<int>(property) << ": " << word_of(result.verdict)
                    << ", truth " << depth << '\n'
                    << to_text(p);
    }
  }
  std::cout << programs << " programs, " << loops << " with loops, " << bugs << " bugs\n";
  EXPECT_GT(bugs * 2, programs);
  EXPECT_GT(loops * 20, programs);
}

// The last states of models are the states that the interpreter reaches: all of them, and no others.
TEST(Events, LastStatesAreThoseOfTheMachine) {
  std::size_t programs = 0, states = 0, failures = 0;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + seeds(600) && failures < 5; ++seed) {
    const Program p = random_program(seed);
    const System system = to_system(p);
    if (std::ranges::any_of(system.threads, [](const Thread& t) { return !longest_path(t); })) continue;
    const States truth = reachable_states(p);
    if (truth.size() > 300) continue;
    ++programs;
    states += truth.size();
    const States found = states_by_events(p, seed % 2 ? 128 : 0);
    if (found == truth) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << found.size() << " states, truth " << truth.size() << '\n' << to_text(p);
  }
  std::cout << programs << " programs, " << states << " states\n";
  EXPECT_GT(programs * 3, seeds(600));
}

// One question for all depths finds the same bugs.
TEST(Verdicts, AtOnceAreTheSame) {
  for (std::uint64_t seed = 1; seed < 300; ++seed) {
    const System system = to_system(random_program(seed));
    for (const OrderKind order : kOrders) {
      CheckOptions options;
      options.order = order;
      options.bound = 6;
      const bool is_bug = check(system, options).verdict == CheckVerdict::bug;
      options.at_once = true;
      EXPECT_EQ(check(system, options).verdict == CheckVerdict::bug, is_bug) << seed << ' ' << word_of(order);
    }
  }
}

TEST(Verdicts, VerifiedOnlyWhenNothingGoesOn) {
  Program p;
  p.cells = 2;
  Instruction back;  // a loop without an end
  back.code = Code::jump_if;
  p.threads = {{back}, {Instruction{}}};
  const System system = to_system(p);
  CheckOptions options;
  options.bound = 10;
  EXPECT_EQ(check(system, options).verdict, CheckVerdict::inconclusive);
  p.threads[0][0].target = 1;
  const System ends = to_system(p);
  EXPECT_EQ(check(ends, options).verdict, CheckVerdict::verified);
}

}  // namespace
}  // namespace inspect::symbolic::tiny
