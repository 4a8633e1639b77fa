// Small executions that the tests of reports share, and names for what is in them.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "model/schedule.hpp"
#include "report/names.hpp"

namespace inspect::report {

enum : std::uint64_t { kA = 0x10000, kB = 0x20000, kX = 0x30000 };

// Sites are their line numbers; objects have fixed names.
class TableNames : public Names {
 public:
  Site site(std::uint32_t number) const override {
    Site site;
    if (number) site = {"bank.c", "f", "p->x", number, 3};
    return site;
  }
  std::string thread(ThreadId number) const override { return number == 0 ? "0" : "0." + std::to_string(number - 1); }
  std::string object(std::uint64_t address) const override {
    return address == kA ? "a" : address == kB ? "b" : address == kX ? "x" : "";
  }
};

inline Operation operation(inspect_kind kind, std::uint64_t object, std::uint32_t line, std::uint8_t flags = 0) {
  Operation o{};
  o.kind = kind;
  o.object = object;
  o.size = 4;
  o.site = line;
  o.flags = flags;
  return o;
}

inline Event event(ThreadId thread, Operation o, Operation next, std::initializer_list<unsigned> enabled) {
  Event e;
  e.choice = {thread, 0};
  e.operation = o;
  e.next.operation = next;
  for (const unsigned t : enabled) e.enabled.insert(t);
  return e;
}

// Two threads lock a and b in opposite orders and are stuck.
inline std::vector<Event> deadlock() {
  const auto lock_a = operation(INSPECT_OP_MutexLock, kA, 10), lock_b = operation(INSPECT_OP_MutexLock, kB, 11);
  const auto then_b = operation(INSPECT_OP_MutexLock, kB, 20), then_a = operation(INSPECT_OP_MutexLock, kA, 21);
  return {event(0, lock_a, then_b, {0, 1}), event(1, lock_b, then_a, {})};
}

inline const RecordedBug kDeadlock{"deadlock", "0.0", "bank.c:21:3", "-", "every thread waits"};

}  // namespace inspect::report
