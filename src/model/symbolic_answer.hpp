// What the program inspect-symbolic answers, as values and as lines of words on a pipe.
//
// Guarantees: parsing undoes writing; an answer without its last line is none, so that a process that dies has not answered.
// Threads have the names of schedules (0, 0.0, 0.1 …). Deliberately unknown here: how the answer was found, what is made of it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace inspect {

// One visible operation of a thread with the local code behind it.
struct SymbolicStep {
  std::string thread;
  std::string what;    // "lock", "load" …
  std::string source;  // FILE:LINE; empty: not known
  std::string wakes;   // of a signal: the thread
  friend bool operator==(const SymbolicStep&, const SymbolicStep&) = default;
};

// A free value that the program takes.
struct SymbolicInput {
  std::string thread, name, function, source;  // name: of the variable; empty: not known
  std::size_t step = 0;                        // that takes it, from 0
  unsigned bits = 0;
  std::uint64_t value = 0;
  std::uint64_t count = 0;  // it was a choice of so many; 0: of all that the type holds
  friend bool operator==(const SymbolicInput&, const SymbolicInput&) = default;
};

struct SymbolicBug {
  std::string kind, message, source;
  friend bool operator==(const SymbolicBug&, const SymbolicBug&) = default;
};

struct SymbolicFigures {
  std::uint64_t bound = 0, depth = 0, threads = 0, cells = 0, variables = 0, clauses = 0, conflicts = 0;
  double seconds = 0;
  friend bool operator==(const SymbolicFigures&, const SymbolicFigures&) = default;
};

struct SymbolicAnswer {
  std::string verdict;  // verified, bug, inconclusive, unsupported
  std::string reason;
  std::string encoding;  // how executions became clauses: step, event; empty: none did
  std::optional<SymbolicBug> bug;
  std::vector<SymbolicStep> steps;  // of the bug; the last ones are those that go wrong
  std::vector<SymbolicInput> inputs;
  std::vector<std::string> uninitialised;  // what nobody initialises: the bug needs it to be another value than zero
  std::vector<std::string> assumptions;
  std::string transitions;  // the program as a transition system, if that was asked for
  SymbolicFigures figures;
  bool is_whole = false;
  friend bool operator==(const SymbolicAnswer&, const SymbolicAnswer&) = default;
};

// Lines, each with its end.
std::string dump_lines(std::string_view transitions);
std::string progress_line(const SymbolicFigures& figures);
std::string answer_lines(const SymbolicAnswer& answer);

// Takes one line, without its end, into the answer. `progress`: of a line that is one. Error: what is wrong with it.
std::optional<Error> take_line(std::string_view line, SymbolicAnswer& answer, std::optional<SymbolicFigures>& progress);

}  // namespace inspect
