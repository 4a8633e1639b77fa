// A cut leaves out a part of the tree that a reduction asks for: what is known, mirrored, harmless, or beyond a bound.
//
// A search asks its cuts at four places: when an execution arrives in a state, when a thread is to be explored from a state,
// before a transition is sent to the program, and when an execution has ended. A cut that leaves out something has what could
// happen there reversed with what leads there, by CutHost::races_behind() (SEMANTICS I), or says that the search does not cover
// everything. Adding one is one pair of files and one row in cuts.def. Deliberately unknown here: which reduction, how a search
// makes its rounds.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/core/path.hpp"
#include "search/core/program.hpp"
#include "search/core/tree.hpp"
#include "search/cut/summary.hpp"
#include "search/reduction/reduction.hpp"
#include "search/search.hpp"

namespace inspect::search {

// The search as a cut sees it, with the path of the execution under analysis.
class CutHost : public Backtracking {
 public:
  [[nodiscard]] virtual Tree& tree() = 0;
  [[nodiscard]] virtual const Path& path() const = 0;
  [[nodiscard]] virtual Program& program() = 0;
  [[nodiscard]] virtual const Options& options() const = 0;
  // Of the execution under analysis; not applied yet.
  [[nodiscard]] virtual Races& races() = 0;
  // Adds to races() the races that `possible`, what may happen somewhere behind the last state of the path, would have had with
  // the path.
  virtual void races_behind(std::span<const ThreadOperation> possible) = 0;
  virtual void schedule_all(std::uint32_t state) = 0;
  // Makes the path end in the state that this node led to.
  virtual void move_to(NodeId node) = 0;
  // A pending transition counts as explored; races() is applied.
  virtual void leave_out(NodeId pending) = 0;
};

class Cut {
 public:
  // covered: what follows is explored elsewhere, or reversed with what leads there; beyond: the cut does not support this
  // program.
  enum class Arrival : std::uint8_t { goes_on, covered, beyond };
  enum class Sending : std::uint8_t { now, later, after_batch, never };  // after_batch: and nothing else joins this batch

  virtual ~Cut() = default;
  // All that was explored is void: from the initial state.
  virtual void begin() = 0;
  // What the program must tell of the execution.
  virtual void prepare(Request&) const {}
  // Asked before the execution is analysed: must the search go on without this cut?
  [[nodiscard]] virtual bool is_beyond(const Execution&) const { return false; }
  // The event `index` of the execution, new to the tree, led to the last state of the path; then came `later`.
  virtual Arrival on_arrival(const Execution&, std::uint32_t /*index*/, std::span<const Event> /*later*/) {
    return Arrival::goes_on;
  }
  // May t be explored from that state of the path?
  virtual bool allows(std::uint32_t /*state*/, ThreadId) { return true; }
  // before: what is in the same batch already. never: it was left out (CutHost::leave_out).
  virtual Sending before_send(NodeId, std::span<const NodeId> /*before*/) { return Sending::now; }
  // The whole execution was analysed; its races are not applied yet.
  virtual void after_execution(const Execution&) {}
  // The execution ended early, by a bug or a limit, so what follows the end of the path is not known. by_bug: a bug hides what
  // other threads would have done.
  virtual void on_unknown_end(bool /*by_bug*/) {}
  // Why the search has to stop.
  [[nodiscard]] virtual std::optional<std::string> must_stop() const { return std::nullopt; }
  // Executions under way at once; more are of no use.
  [[nodiscard]] virtual unsigned largest_batch() const { return ~0u; }
  // Adds its measurements, and by search::leave_out() what it left out although nothing covers it. May be called more than
  // once.
  virtual void report(Outcome&) const {}
};

// What a search is asked for.
struct CutPlan {
  bool belongs;  // to the reduction, whose row names this cut
  const Options& options;
};

using Cuts = std::vector<std::unique_ptr<Cut>>;

// What the program must be able to tell.
enum class CutNeeds : std::uint8_t { nothing, states, code };

// A row of cuts.def.
struct CutInfo {
  std::string_view name;
  CutNeeds needs;
  bool travels;  // to other workers, and into checkpoints
  // The option that asks for it, as it is given: "--symmetry"; empty: none does, but an algorithm may.
  std::string (*option)(const Options& options);
  // Null if it is not asked for. before: those of the rows above.
  std::unique_ptr<Cut> (*make)(CutHost& host, const CutPlan& plan, const Cuts& before);
};
std::span<const CutInfo> cuts();
const CutInfo* find_cut(std::string_view name);  // null if there is none
// What asks for it: its option, or "--algorithm=sdpor"; empty: nothing does.
std::string asked_by(const CutInfo& cut, const Options& options);
// What the cut of the reduction needs.
CutNeeds needs_of(const ReductionInfo& reduction);
// Does it go together with several workers, and with checkpoints?
bool may_be_shared(const ReductionInfo& reduction);
// All that are asked for. cut: the one that belongs to the reduction, or empty.
Cuts make_cuts(CutHost& host, std::string_view cut, const Options& options);

}  // namespace inspect::search
