// What a check concludes: the verdict, its reason, the bugs, and everything a report says about how it was reached.
//
// Guarantees: judge() never says verified when anything was left out (bug > unsupported > inconclusive > verified: SEMANTICS
// K); the exit statuses are the contract with scripts. Deliberately unknown here: how a verdict is shown (report/) and how it
// was found (search/).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hooks/execution.h"
#include "model/measurements.hpp"

namespace inspect {

enum class ExitStatus : int { verified = 0, bug = 1, usage = 2, inconclusive = 3, unsupported = 4, internal_error = 70 };

enum class VerdictKind : std::uint8_t { verified, bug, inconclusive, unsupported };

std::string_view verdict_name(VerdictKind kind);   // as in JSON
std::string_view bug_kind_name(inspect_bug kind);  // as in JSON and schedule files
// Would the program itself go on behind it?
bool goes_on_behind(inspect_bug kind);
ExitStatus exit_status_of(VerdictKind kind);

struct BugReport {
  inspect_bug kind = INSPECT_BUG_NONE;
  std::string message;
  std::string thread;                         // creation path
  std::optional<std::string> location;        // file:line:col
  std::optional<std::string> other_location;  // races: the other access
  std::optional<std::string> schedule;        // path of the schedule file; none when it could not be written
  std::uint64_t executions_before = 0;
  std::string fingerprint;  // the same in every check that finds it: engine/known_bugs.hpp
  std::string known;        // why it does not count, if it does not
};

struct Limits {
  std::optional<std::uint64_t> max_executions;
  std::optional<double> time_limit;           // seconds
  std::optional<std::uint64_t> memory_limit;  // bytes, if the user says how many
  std::optional<std::uint64_t> max_steps;
  std::optional<unsigned> preemptions;
  std::optional<std::string> nondet;  // the values explored for inputs without bounds, if the user lists them
};

// Why a search is not "verified". Each entry is a reason for the user.
struct Findings {
  bool bug = false;
  std::vector<std::string> unsupported;  // a call that is not modelled was reached, uncontrolled nondeterminism
  std::vector<std::string> left_out;     // a limit, a bound, an interruption, uncovered code
};

struct Judgement {
  VerdictKind kind = VerdictKind::inconclusive;
  std::string reason;  // empty for bug and verified
};

Judgement judge(const Findings& findings);

// Why points were not pruned and how often, most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> limits_of(const Pruning& pruning);

// A value that the program took, where it could be any.
struct InputValue {
  std::string thread, name, location, value;  // name: of the variable; empty: not known
};

// How a check for all inputs was done.
struct SymbolicRun {
  std::uint64_t bound = 0;  // how often loops were unrolled
  std::string encoding, solver;
  std::optional<std::string> por;  // of the step encoding
  std::vector<InputValue> inputs;  // of the bug
  std::uint64_t variables = 0, clauses = 0, conflicts = 0;
};

// How a check that tells states apart was done.
struct Exploration {
  std::uint64_t visited_bytes = 0;  // what the known states take
  std::string visited;              // by what they are known: "hash" or "exact"
  // Which reductions were in force in the end, and what each left out.
  std::string heap, thread_symmetry, independence;
  std::uint64_t moved_threads = 0;   // times a known state was met with threads in each other's places
  std::uint64_t reduced_states = 0;  // states from which not every transition was taken
  std::uint64_t left_out = 0;        // those transitions
};

struct Verdict : Measurements {
  VerdictKind kind = VerdictKind::inconclusive;
  std::string reason;
  std::string engine = "native", algorithm;
  std::optional<std::string> property;  // the one property covered, when it is one
  std::optional<std::string> formula;   // the temporal property that was checked besides
  bool weak_fairness = false;           // of fair runs
  std::string visible = "sync";
  std::string races = "stop";  // what a data race does to the search
  bool races_checked = true;
  bool abort_ends = false;  // abort() was no bug
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t weak_atomics = 0;  // operations weaker than seq_cst, treated as seq_cst
  std::vector<BugReport> bugs;
  std::vector<BugReport> known_bugs;  // suppressed, or in the baseline
  std::vector<std::string> notes;     // for people
  std::vector<std::string> assumptions;
  Limits limits;
  std::uint64_t seed = 0;
  unsigned workers = 1;
  std::optional<SymbolicRun> symbolic;
  std::optional<Exploration> exploration;
};

}  // namespace inspect
