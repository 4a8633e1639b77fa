// All behaviours of a model program, by brute force: every schedule, except that a state reached again by an equivalent prefix
// is not explored again, since the rest is the same.
//
// Guarantees: independent of search/; it does not rely on the dependence relation being right, but checks it: two prefixes of
// one class in different states are reported.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>

#include "oracle/interpreter.hpp"

namespace inspect::oracle {

struct BugKey {
  std::uint32_t kind = 0, site = 0;
  std::string message;  // only if there is no site
  friend auto operator<=>(const BugKey&, const BugKey&) = default;
};

// Did the bug cut the execution short? Of such executions only the bug counts.
bool is_cut_short(std::uint32_t bug);
BugKey key_of(const Execution& e);

struct Behaviours {
  std::unordered_set<std::uint64_t> classes;        // of executions that were not cut short by a bug
  std::unordered_set<std::uint64_t> histories;      // of the same executions: what each thread did and read
  std::unordered_set<std::uint64_t> ends;           // of the same executions: the state at the end
  std::unordered_set<std::uint64_t> nameless_ends;  // likewise, but for names of threads
  std::set<BugKey> bugs;
  std::string unsound;  // two orders of independent transitions that lead to different states; empty if none were found
};

// Nothing if there are more than `limit` prefix classes.
// `preemptions`: only schedules with at most so many switches away from a thread that is enabled.
std::optional<Behaviours> enumerate(const ModelProgram& program, std::size_t limit,
                                    std::optional<unsigned> preemptions = std::nullopt);

// What one execution contributes, from its events; the same numbers as enumerate()'s.
struct Contribution {
  std::uint64_t form = 0, history = 0, end = 0, nameless_end = 0;
};
Contribution contribution_of(const ModelProgram& program, std::span<const Event* const> events);

}  // namespace inspect::oracle
