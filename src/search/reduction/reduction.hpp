// A reduction decides which transitions must be explored so that nothing is missed.
//
// It works in two separate steps. races_of(), races_at_end() and races_behind() compute from an execution, as a pure value,
// what else has to be tried. apply() inserts that into the exploration tree. So races may be computed by another search than
// the one that keeps the tree. Adding an algorithm is one pair of files in reduction/ and one row in reductions.def, which
// options, help, test matrix and fuzzer read. Deliberately unknown here: the order of the exploration, processes, limits.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "search/core/path.hpp"
#include "search/reduction/branching.hpp"

namespace inspect::search {

// Something must be tried in another order: in state `state` (a depth on the path), one of the threads of `first` has to be
// explored so that `thread` comes before the transition at depth state+1. `first` empty: `thread` itself, or all enabled
// threads if it is not enabled (bounded.hpp alone).
struct Race {
  std::uint32_t state = 0;
  ThreadId thread = 0;
  ThreadSet first;
  // Found behind a cut: what comes between is not known, so a thread of `first` that sleeps there does not cover the race.
  bool blind = false;
  // Sequences only: steps [begin, end) of Races::steps, the sequence to insert.
  std::uint32_t begin = 0, end = 0;
};

// A value, in flat arrays that keep their capacity.
struct Races {
  std::vector<Race> list;
  std::vector<SequenceStep> steps;
  bool unplaced = false;  // for some race it is not known whether it can be reversed: sequences cannot explore the program
  void clear() {
    list.clear();
    steps.clear();
    unplaced = false;
  }
  [[nodiscard]] std::span<const SequenceStep> sequence(const Race& r) const {
    return std::span(steps).subspan(r.begin, r.end - r.begin);
  }
};

// The tree as a reduction sees it, at the states of the current path.
class Backtracking {
 public:
  virtual ~Backtracking() = default;
  [[nodiscard]] virtual const ThreadSet& enabled(std::uint32_t state) const = 0;
  [[nodiscard]] virtual const ThreadSet& scheduled(std::uint32_t state) const = 0;  // threads explored there, or to be explored
  // Has a thread an enabled transition there that is not asleep?
  [[nodiscard]] virtual bool awake(std::uint32_t state, ThreadId t) const = 0;
  // Makes sure that all enabled alternatives of t that are not asleep are explored from that state (SEMANTICS A.1).
  virtual void schedule(std::uint32_t state, ThreadId t) = 0;
  // Makes sure that some execution is explored that begins, from that state, like `sequence` or an equivalent of it.
  virtual void insert(std::uint32_t state, std::span<const SequenceStep> sequence) = 0;
};

// What a reduction's own parts are made by: its path and its Branching. Nothing in core/ asks for them.
struct ReductionTraits {
  bool causality = true;   // needs clocks and the access index of the path
  bool sleep_sets = true;  // explored transitions sleep in later siblings
  bool sequences = false;  // inserts sequences, not threads: races are computed when an execution has ended
};

class Reduction {
 public:
  virtual ~Reduction() = default;
  [[nodiscard]] virtual ReductionTraits traits() const = 0;
  // How what it asks for gets into the tree. keep_going: the search goes on behind bugs.
  [[nodiscard]] virtual std::unique_ptr<Branching> make_branching(Tree& tree, const Path& path, bool keep_going) const;
  // What the path must keep for it.
  [[nodiscard]] Path::Keep keep() const { return traits().causality ? Path::Keep::causality : Path::Keep::transitions; }
  // Threads to explore from a state just reached from which the execution went on with `taken`, by schedule().
  [[nodiscard]] virtual ThreadSet initial(const Path& path, std::uint32_t state, ThreadId taken) const;
  // Races of `next`, the next operation of t in the last state of the path: with its outcome if it is taken there, as pending
  // if t waits. Called for every new transition, and for each operation that a thread newly waits for. `with`: depths of the
  // transitions it is in a race with.
  virtual void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                        Races& out) const = 0;
  // What of these is computed while the path grows, where it keeps causality: races of a transition about to be taken, and of
  // what newly waits in the last state.
  virtual void races_of_next(const Path& path, ThreadId t, const Label& next, Races& out) const {
    races_of(path, t, next, path.next_races(), out);
  }
  virtual void races_of_waiting(const Path& path, Races& out) const;
  // Races of the whole execution, once it has ended; the first `known` transitions were seen in earlier executions.
  virtual void races_at_end(const Path&, std::uint32_t /*known*/, Races&) const {}
  // Races of what t may do, holding these locks, somewhere behind the last state, where the execution was cut. What comes
  // between is not known.
  virtual void races_behind(const Path&, ThreadId /*t*/, const Label&, Lockset, Races&) const {}
  virtual void apply(const Races& races, Backtracking& tree) const = 0;

 private:
  mutable std::vector<std::uint32_t> found_;  // kept for its capacity
};

// Which executions a reduction runs: all; or of each class of equivalent ones at least one, or exactly one.
enum class Runs : std::uint8_t { schedules, classes, once };

// A row of reductions.def.
struct ReductionInfo {
  std::string_view name;
  std::unique_ptr<Reduction> (*make)();
  std::unique_ptr<Reduction> (*make_bounded)();  // under a bound on preemptions; null: it has no such form
  std::string_view cut;                          // a name of cuts.def that belongs to it; empty: none
  bool symmetry;                                 // may be combined with the cut of that name
  bool automatic;                                // a candidate for `auto`
  Runs runs;                                     // `once`: where it can place all operations
  std::string_view property;                     // the only one that is covered; empty: all are
  std::string_view help;
};
std::span<const ReductionInfo> reductions();
inline bool enumerates(const ReductionInfo& reduction) { return reduction.runs == Runs::schedules; }
inline bool is_optimal(const ReductionInfo& reduction) { return reduction.runs == Runs::once; }
// Are there programs that it does not support, so that the one that `auto` stands for explores them?
bool may_fall_back(const ReductionInfo& reduction);
// What a reduction must be able to do.
struct Wanted {
  bool symmetry = false, bound = false;
};
// Null if there is none of that name that can do what is wanted. "auto": the last automatic row that can.
const ReductionInfo* find_reduction(std::string_view name, Wanted wanted = {});
// The names of those that do, in the order of the rows.
std::vector<std::string_view> reductions_for(Wanted wanted);

}  // namespace inspect::search
