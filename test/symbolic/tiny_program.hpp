// Small random programs with an interpreter of their own, for comparison with the symbolic engine: the interpreter knows
// nothing of terms, footprints of transitions, or literals.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "symbolic/system/system.hpp"

namespace inspect::symbolic::tiny {

enum class Code : std::uint8_t {
  assign,    // every cell of `writes` := value + what the cells of `reads` hold
  wait,      // until cell a holds value
  lock,      // wait until cell a holds 0, then 1
  unlock,    // cell a := 0
  store_at,  // cell b + (a's lowest bit) := value
  load_at,   // cell c := cell b + (a's lowest bit)
  jump_if,   // to `target` if cell a holds value
  wait_at,   // until cell b + (a's lowest bit) holds value
  fail_if,   // a failed assertion if cell a holds value
};

struct Instruction {
  Code code = Code::assign;
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint64_t value = 0;
  std::vector<std::uint32_t> reads, writes;
  std::size_t target = 0;
};

inline constexpr unsigned kWidth = 2;  // of a cell, in bits

struct Program {
  std::uint32_t cells = 0;
  bool has_input = false;  // cell 0's first value is free
  std::vector<std::vector<Instruction>> threads;
};

Program random_program(std::uint64_t seed);
std::string to_text(const Program& program);
System to_system(const Program& program);

struct TinyState {
  std::vector<std::uint64_t> cells;
  std::vector<std::size_t> at;  // by thread
};

class TinyInterpreter {
 public:
  explicit TinyInterpreter(const Program& program) : program_(program) {}
  [[nodiscard]] TinyState start(std::uint64_t input) const;
  [[nodiscard]] bool enabled(const TinyState& state, std::size_t thread) const;
  [[nodiscard]] bool fails(const TinyState& state, std::size_t thread) const;
  void take(TinyState& state, std::size_t thread) const;
  [[nodiscard]] bool deadlocked(const TinyState& state) const;
  // Two enabled threads whose next instructions, neither a wait nor one of a lock, touch one cell, one of them writes it.
  [[nodiscard]] bool racy(const TinyState& state) const;
  // What the thread's next instruction reads and writes.
  [[nodiscard]] std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>> touches(const TinyState& state,
                                                                                    std::size_t thread) const;

 private:
  const Program& program_;
};

using Schedule = std::vector<std::uint32_t>;

struct Enumeration {
  std::map<std::pair<std::uint64_t, Schedule>, std::size_t> class_of;  // by input and schedule
  std::size_t classes = 0;
  std::size_t assertion_depth = ~std::size_t{0}, deadlock_depth = ~std::size_t{0},
              race_depth = ~std::size_t{0};  // of the first, in any execution
  bool too_many = false;
};
// All executions of exactly `length` transitions; bugs of the shorter ones too.
Enumeration enumerate(const Program& program, std::size_t length, std::size_t limit);

}  // namespace inspect::symbolic::tiny
