#include "search/cut/reachable_effects.hpp"

#include <gtest/gtest.h>

namespace inspect::search {
namespace {

constexpr std::uint64_t kVariable = 100, kLock = 200, kOtherLock = 300, kCell = 400;

Operation operation(inspect_kind kind, std::uint32_t site = 0) {
  Operation o{};
  o.kind = kind;
  o.size = 4;
  o.site = site;
  return o;
}

CodeValue address(std::uint64_t at) { return {.kind = CodeValue::Kind::address, .address = at, .size = 8, .any = {}}; }

// Code made by hand: values 0 to 2 are the addresses of a variable and of two locks.
struct ByHand {
  ByHand() { add_function(); }
  std::uint32_t add_function() {
    code.functions.push_back({.values = {address(kVariable), address(kLock), address(kOtherLock)}, .blocks = {{}}});
    return static_cast<std::uint32_t>(code.functions.size() - 1);
  }
  CodeFunction& function(std::uint32_t f = 0) { return code.functions[f]; }
  void add(CodeStep step, std::uint32_t f = 0, std::uint32_t block = 0) {
    auto& steps = function(f).blocks[block].steps;
    if (step.operation.site) code.sites[step.operation.site].push_back({f, block, static_cast<std::uint32_t>(steps.size())});
    steps.push_back(std::move(step));
  }
  void write(ValueId at, std::uint32_t f = 0, std::uint32_t block = 0) {
    add({.kind = CodeStep::Kind::access, .operation = operation(INSPECT_OP_PlainWrite), .at = at, .arguments = {}, .why = {}},
        f, block);
  }
  void lock(ValueId at, std::uint32_t f = 0, std::uint32_t block = 0, std::uint32_t site = 0) {
    add({.kind = CodeStep::Kind::operation,
         .operation = operation(INSPECT_OP_MutexLock, site),
         .at = at,
         .arguments = {},
         .why = {}},
        f, block);
  }
  void unlock(ValueId at, std::uint32_t f = 0, std::uint32_t block = 0) {
    add({.kind = CodeStep::Kind::operation,
         .operation = operation(INSPECT_OP_MutexUnlock),
         .at = at,
         .arguments = {},
         .why = {}},
        f, block);
  }
  void call(std::uint32_t callee) { add({.kind = CodeStep::Kind::call, .callee = callee, .arguments = {}, .why = {}}); }
  void leave(std::uint32_t f) { add({.kind = CodeStep::Kind::leave, .arguments = {}, .why = {}}, f); }
  // The locks of all plain writes of the variable, from the step of that site on.
  std::vector<Locksets::Set> locks_of_writes(std::uint32_t site = 0, Locksets::Number held = 0) {
    effects.walk(0, {}, site, held);
    std::vector<Locksets::Set> all;
    for (const auto& access : effects.accesses())
      if (!access.atomic) all.push_back(locks.set(access.locks));
    return all;
  }

  Code code;
  Locksets locks;
  ReachableEffects effects{code, locks, [](std::uint64_t at) -> std::optional<std::uint64_t> {
                             return at == kCell ? std::optional<std::uint64_t>(kLock) : std::nullopt;
                           }};
};

using Sets = std::vector<Locksets::Set>;
const Locksets::Set kLocked{{kLock, true}};

TEST(ReachableEffects, AWriteUnderALock) {
  ByHand h;
  h.lock(1);
  h.write(0);
  h.unlock(1);
  EXPECT_EQ(h.locks_of_writes(), Sets{kLocked});
  EXPECT_EQ(h.effects.obstacle, "");
  ASSERT_EQ(h.effects.operations().size(), 2u);
  EXPECT_EQ(h.effects.operations()[0].operation.object, kLock);
}

TEST(ReachableEffects, ALockGivenBackProtectsNothing) {
  ByHand h;
  h.lock(1);
  h.unlock(1);
  h.write(0);
  EXPECT_EQ(h.locks_of_writes(), Sets{{}});
}

// Only where every path holds it.
TEST(ReachableEffects, BranchesMeetWithWhatBothHold) {
  ByHand h;
  h.function().blocks.resize(3);
  h.function().blocks[0].next = {1, 2};
  h.function().blocks[1].next = {2};
  h.lock(1, 0, 1);
  h.write(0, 0, 2);
  EXPECT_EQ(h.locks_of_writes(), Sets{{}});
}

TEST(ReachableEffects, OneOfTwoLocksIsNoneForSure) {
  ByHand h;
  h.function().values.push_back({.kind = CodeValue::Kind::any_of, .any = {1, 2}});
  h.lock(3);
  h.write(0);
  EXPECT_EQ(h.locks_of_writes(), Sets{{}});
}

TEST(ReachableEffects, APointerInMemoryIsRead) {
  ByHand h;
  h.function().values.push_back(address(kCell));
  h.function().values.push_back({.kind = CodeValue::Kind::load, .of = 3, .any = {}});
  h.lock(4);
  h.write(0);
  EXPECT_EQ(h.locks_of_writes(), Sets{kLocked});
  EXPECT_EQ(h.effects.read_cells(), std::set{kCell});
}

// It begins behind the lock of site 7; what came before it is over.
TEST(ReachableEffects, OnlyWhatFollowsTheStep) {
  ByHand h;
  h.write(0);
  h.lock(1, 0, 0, 7);
  h.write(0);
  EXPECT_EQ(h.locks_of_writes(7, h.locks.with(0, kLock, true)), Sets{kLocked});
}

// A function called under a lock in one place is not confused with the same function called without it.
TEST(ReachableEffects, CallsAreToldApartByTheirLocks) {
  ByHand h;
  const std::uint32_t callee = h.add_function();
  h.write(0, callee);
  h.leave(callee);
  h.call(callee);
  h.lock(1);
  h.call(callee);
  EXPECT_EQ(h.locks_of_writes(), (Sets{{}, kLocked}));
}

// What the caller does after the call follows the step inside it.
TEST(ReachableEffects, ACallReturnsToWhereItCameFrom) {
  ByHand h;
  const std::uint32_t callee = h.add_function();
  h.lock(1, callee, 0, 7);
  h.leave(callee);
  h.call(callee);
  h.write(0);
  EXPECT_EQ(h.locks_of_writes(7, h.locks.with(0, kLock, true)), Sets{kLocked});
}

TEST(ReachableEffects, RecursionAndUnknownStepsAreObstacles) {
  ByHand recursive;
  recursive.call(0);
  recursive.locks_of_writes();
  EXPECT_EQ(recursive.effects.obstacle, "a recursive function");
  ByHand unknown;
  unknown.add({.kind = CodeStep::Kind::unknown, .arguments = {}, .why = "assembly"});
  unknown.locks_of_writes();
  EXPECT_EQ(unknown.effects.obstacle, "assembly");
}

}  // namespace
}  // namespace inspect::search
