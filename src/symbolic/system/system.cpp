#include "symbolic/system/system.hpp"

#include <algorithm>

#include "symbolic/system/footprint.hpp"

namespace inspect::symbolic {

const char* word_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::assertion:
      return "assertion";
    case FailureKind::memory_error:
      return "memory-error";
    case FailureKind::crash:
      return "crash";
    case FailureKind::exit_status:
      return "exit-status";
    case FailureKind::api_misuse:
      return "api-misuse";
    case FailureKind::unwinding:
      return "unwinding";
    case FailureKind::unsupported:
      return "unsupported";
  }
  return "?";
}

namespace {

// Looks at one system; remembers the first thing that is wrong.
class Validation {
 public:
  explicit Validation(const System& system) : system_(system) {}

  std::string run() {
    for (const Cell& cell : system_.cells) {
      require(cell.width >= 1 && cell.width <= 64, "a cell of no width from 1 to 64 bits: " + cell.name);
      require(cell.is_input || truncated(cell.initial, cell.width) == cell.initial, "a first value too wide: " + cell.name);
    }
    for (ThreadIndex t = 0; t < system_.threads.size(); ++t) look_at_thread(t);
    for (const Proposition& p : system_.propositions) require(is_boolean(p.holds), "a proposition of several bits: " + p.name);
    return wrong_;
  }

 private:
  void require(bool condition, const std::string& otherwise) {
    if (!condition && wrong_.empty()) wrong_ = otherwise;
  }
  [[nodiscard]] bool is_boolean(Term t) const { return system_.terms.width(t) == 1; }

  void look_at_thread(ThreadIndex t) {
    const Thread& thread = system_.threads[t];
    require(thread.start < thread.locations.size(), "a thread without its first location: " + thread.name);
    for (LocationId l = 0; l < thread.locations.size(); ++l)
      if (thread.locations[l].kind == LocationKind::runs) look_at_transition(t, l);
  }

  void look_at_target(const Target& target, const std::string& where) {
    require(target.extent >= 1 && target.first + target.extent <= system_.cells.size(), where + ": no such cell");
    require(target.index || target.extent == 1, where + ": several cells and no index");
    if (!wrong_.empty()) return;
    for (CellId c = target.first; c < target.first + target.extent; ++c)
      require(system_.cells[c].width == system_.cells[target.first].width, where + ": an array of different widths");
  }

  void look_at_transition(ThreadIndex t, LocationId l) {
    const Thread& thread = system_.threads[t];
    const Transition& transition = thread.locations[l].transition;
    const std::string where = thread.name + ":" + std::to_string(l);
    require(is_boolean(transition.guard), where + ": a guard of several bits");
    for (const Update& u : transition.updates) {
      look_at_target(u.target, where);
      if (!wrong_.empty()) return;
      require(is_boolean(u.condition), where + ": a condition of several bits");
      require(system_.terms.width(u.value) == system_.cells[u.target.first].width, where + ": a value of another width");
    }
    for (const Access& a : transition.accesses) look_at_target(a.target, where);
    for (const Check& c : transition.checks) require(is_boolean(c.fails), where + ": a check of several bits");
    require(!transition.branches.empty() && system_.terms.is_true(transition.branches.back().condition),
            where + ": no last branch");
    for (const Branch& b : transition.branches) {
      require(is_boolean(b.condition), where + ": a branch on several bits");
      require(b.next < thread.locations.size(), where + ": a branch to nowhere");
    }
    if (wrong_.empty()) look_at_owners(t, transition, where);
  }

  void look_at_owners(ThreadIndex t, const Transition& transition, const std::string& where) {
    const auto own = [&](const Touch& touch) {
      for (CellId c = touch.first; c < touch.first + touch.extent; ++c) {
        require(c < system_.cells.size(), where + ": no such cell");
        if (!wrong_.empty()) return;
        require(system_.cells[c].owner == kShared || system_.cells[c].owner == t,
                where + ": touches " + system_.cells[c].name + ", which another thread owns");
      }
    };
    for (const Touch& touch : all_touches(system_, transition)) own(touch);
  }

  const System& system_;
  std::string wrong_;
};

}  // namespace

std::string validate(const System& system) { return Validation(system).run(); }

}  // namespace inspect::symbolic
