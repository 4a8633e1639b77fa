// Bounded model checking of a system: is a bad state reachable, step by step or by events, until nothing can go on any more.
//
// Guarantees: `verified` only if no execution has more transitions than were looked at, and neither a cut loop (unwinding) nor
// anything unsupported is reachable. A bug has been re-executed in the interpreter, which found the same; else it is an
// internal error, never a report.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/encode/order.hpp"
#include "symbolic/encode/properties.hpp"

namespace inspect::symbolic {

enum class CheckVerdict : std::uint8_t { verified, bug, inconclusive, unsupported };
const char* word_of(CheckVerdict verdict);

struct CheckResult;

// automatic: by events where no thread has a loop left, and no cell is written too often.
enum class EncodingKind : std::uint8_t { automatic, step, event };
const char* word_of(EncodingKind kind);
std::optional<EncodingKind> encoding_of(std::string_view word);

struct CheckOptions {
  EncodingKind encoding = EncodingKind::step;
  OrderKind order = OrderKind::mpor;  // of the step encoding
  std::size_t bound = 1000;           // on the number of transitions of an execution; by events: of a thread
  // By steps: one question for all depths up to the bound, instead of one after the other; then nothing beyond the bound is
  // looked for, and the verdict without a bug is `inconclusive`.
  bool at_once = false;
  bool checks = true;  // those that are bugs; without, executions end at them all the same
  bool deadlocks = true;
  bool races = true;
  std::optional<std::size_t> proposition;  // its index: a state in which it holds is the bug
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool wants_effort = false;  // the solver's own figures
  std::string dump_cnf;       // a file for the clauses of the last question
  // Told now and then how far it is; what it is told is not a result. May be empty.
  std::function<void(const CheckResult&)> on_progress;
};

struct Counterexample {
  PropertyKind kind = PropertyKind::check;
  std::string what;  // "assertion", "deadlock", "data-race" …
  std::string message;
  std::string source;
  std::vector<std::uint64_t> inputs;  // of the input cells, in their order
  std::vector<ThreadIndex> schedule;  // one thread a transition; the last state is the bad one
  std::optional<ThreadIndex> thread;  // whose pending transition goes wrong
  std::optional<ThreadIndex> other_thread;
  std::vector<std::string> uninitialised;  // of whose values, other than zero, it comes
};

struct CheckResult {
  CheckVerdict verdict = CheckVerdict::inconclusive;
  std::string reason;
  bool was_cut = false;  // a loop or a recursion goes on beyond what was unrolled
  std::optional<Counterexample> counterexample;
  EncodingKind encoding = EncodingKind::step;  // which it was
  std::size_t depth = 0;                       // transitions looked at
  int variables = 0;
  std::uint64_t clauses = 0, conflicts = 0;
  double seconds = 0;
  std::optional<Solver::Effort> effort;
};

CheckResult check(const System& system, const CheckOptions& options);

}  // namespace inspect::symbolic
