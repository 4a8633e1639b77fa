// What is known of a program's code without running it: for each function its control flow, the accesses and operations on the
// way, and where their addresses come from.
//
// A function is a graph of blocks of steps. Guarantees expected of whoever provides it: every access, operation and call that
// an execution can perform stands on the path that it takes, in its order; what cannot be described is a step `unknown`; a
// value's places include every address that it can have, as long as accesses stay inside the objects that their addresses were
// computed from. Deliberately unknown here: how it was found (instrument/pass, oracle/), and what it is used for
// (race_free_analysis.hpp).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/execution.hpp"

namespace inspect::search {

using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = ~ValueId{0};

// Where an address comes from.
struct CodeValue {
  enum class Kind : std::uint8_t {
    unknown,
    address,   // `address` + amount, in an object [address, address + size)
    argument,  // argument number `amount` of the function
    own,       // an object that the thread itself has made: a local variable, a fresh allocation
    offset,    // `of` + amount
    within,    // somewhere in the object that `of` points to
    load,      // what the eight bytes at `of` hold
    any_of     // one of `any`
  };
  Kind kind = Kind::unknown;
  ValueId of = kNoValue;
  std::int64_t amount = 0;
  std::uint64_t address = 0, size = 0;
  std::vector<ValueId> any;
};

struct CodeStep {
  enum class Kind : std::uint8_t {
    access,     // plain: operation.kind is PlainRead or PlainWrite; operation.size 0: of any size
    operation,  // visible, at the objects `at` and `at2`
    call,       // of functions[callee]
    leave,      // the function returns
    unknown     // anything may happen; `why`
  };
  Kind kind = Kind::unknown;
  Operation operation{};
  ValueId at = kNoValue, at2 = kNoValue;
  std::uint32_t callee = 0;
  std::vector<ValueId> arguments;
  std::string why;
};

struct CodeBlock {
  std::vector<CodeStep> steps;
  std::vector<std::uint32_t> next;
};

struct CodeFunction {
  std::uint64_t address = 0;  // as a thread's routine is named
  bool address_taken = false;
  std::vector<CodeValue> values;
  std::vector<CodeBlock> blocks;  // [0] is where it begins
};

struct CodePlace {
  std::uint32_t function = 0, block = 0, step = 0;
};

struct Code {
  std::vector<CodeFunction> functions;
  std::unordered_map<std::uint64_t, std::uint32_t> by_address;
  std::uint64_t main = 0;                                           // address of the first thread's function
  std::unordered_map<std::uint32_t, std::vector<CodePlace>> sites;  // where the steps of a site stand
  // False for reads whose value only goes into the memory of hooked writes: it decides nothing about what comes next.
  std::unordered_map<std::uint32_t, bool> steers;  // by site; a read whose site is missing steers
  // By site of such a read: the sites where that value, or one computed from it, is written.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> flows;
  std::string obstacle;            // why neither observations nor this table can be relied on; empty if they can
  std::string reachable_obstacle;  // likewise, for this table alone
  // Where the variables of the program lie: no object of a stack or the heap does.
  std::uint64_t globals_begin = 0, globals_end = 0;
  // Where objects lie that threads make themselves (stacks, heaps): one slot for each thread.
  struct Slots {
    std::uint64_t begin = 0, each = 0;
  };
  std::vector<Slots> slots;
  // The thread whose slot it lies in; none: it is in no slot.
  [[nodiscard]] std::optional<ThreadId> owner_of(std::uint64_t address) const {
    for (const Slots& s : slots)
      if (address >= s.begin && address - s.begin < s.each * kMaxThreads)
        return static_cast<ThreadId>((address - s.begin) / s.each);
    return std::nullopt;
  }
  // Does any call use what a join, a barrier, a file operation returns?
  bool join_results = true, barrier_results = true, file_results = true;
  // Does a read at the site steer, according to the table? Asked of the site of a write: if a library call makes the write, it
  // may have read there as well.
  [[nodiscard]] bool updates(std::uint32_t site) const {
    const auto at = steers.find(site);
    return at != steers.end() && at->second;
  }
  [[nodiscard]] bool steering(std::uint32_t site) const {
    const auto at = steers.find(site);
    return at == steers.end() || at->second;
  }
};

}  // namespace inspect::search
