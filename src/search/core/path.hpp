// The execution under analysis, from the initial state, in flat arrays: operations, happens-before clocks, locksets, pending
// operations, and an index of who touched what.
//
// A *state* is named by its depth (0: initial); the transition at depth d leads from state d-1 to state d. Happens-before is
// the transitive closure of program order, creation and the dependence relation (SEMANTICS B); clocks count transitions per
// thread. Guarantees: push() costs no allocation in the steady state; pop() undoes it exactly. Everything a reduction asks is
// const, so that races are a pure function of the path. Deliberately unknown here: what to explore next.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/execution.hpp"
#include "search/causality/access_index.hpp"
#include "search/causality/coenabled.hpp"
#include "search/causality/sections.hpp"
#include "search/core/tree.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

class Path {
 public:
  enum class Keep : std::uint8_t {
    transitions,  // no clocks, no index, no races
    causality
  };
  Path(Keep keep, const Sections& sections);

  [[nodiscard]] bool keeps_causality() const { return keep_ == Keep::causality; }

  // Computes the clock and the races (next_races()) of the next transition of t, whose outcome is known. The next push() must
  // be of this transition and reuses both; a push() without foresee() computes them itself.
  void foresee(ThreadId t, const Label& next);
  [[nodiscard]] std::span<const std::uint32_t> next_races() const { return std::span(races_).subspan(races_end_); }
  void push(NodeId node, const Event& event);
  // Was its thread created before?
  [[nodiscard]] bool may_move(const Event& event) const {
    return event.choice.thread < pendings_.size() && !pendings_[event.choice.thread].empty();
  }
  void pop();
  // Sets the node of the initial state; only while the path is empty.
  void set_root(NodeId node) { steps_[0].node = node; }
  // The last transition counts as dependent on all before it, since nothing is known of what could follow.
  void order_last_after_all() { join_all(depth()); }

  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(steps_.size()) - 1; }
  [[nodiscard]] NodeId node(std::uint32_t state) const { return steps_[state].node; }

  // The transition at depth d ≥ 1. Its event is valid while its node is open.
  [[nodiscard]] const Event& event(std::uint32_t d) const { return *steps_[d].event; }
  [[nodiscard]] const Operation& operation(std::uint32_t d) const { return steps_[d].operation; }
  [[nodiscard]] Label label(std::uint32_t d) const { return label(steps_[d].thread, steps_[d].operation); }
  // The label of an operation of t, pending or executed.
  [[nodiscard]] Label label(ThreadId t, const Operation& o) const;
  [[nodiscard]] ThreadId thread(std::uint32_t d) const { return steps_[d].thread; }
  // Its happens-before clock: for each thread, how many of its transitions happen before this one, itself included. As long as
  // the widest clock; threads beyond count as 0.
  [[nodiscard]] std::span<const std::uint32_t> clock(std::uint32_t d) const {
    return {&clocks_[static_cast<std::size_t>(d) * stride_], stride_};
  }
  [[nodiscard]] Lockset locks_before(std::uint32_t d) const { return steps_[d].locks_before; }

  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const { return steps_[state].enabled; }
  // The next operation of a thread in a state; null if the thread does not exist there.
  [[nodiscard]] const Pending* pending(std::uint32_t state, ThreadId t) const;

  // In the last state.
  [[nodiscard]] unsigned threads() const { return threads_; }  // 1 + largest number of a thread created so far
  [[nodiscard]] const Pending* pending(ThreadId t) const {
    return pendings_[t].empty() ? nullptr : pendings_[t].back().pending;
  }
  [[nodiscard]] Lockset locks(ThreadId t) const { return locks_[t]; }
  // Is the transition at depth d dependent on `label` of another thread?
  [[nodiscard]] bool depends(const Label& label, std::uint32_t d) const;
  // The subset of `locks` for which f(object, size) is true.
  template <class F>
  [[nodiscard]] Lockset locks_of(Lockset locks, F&& f) const;
  // Does the transition at depth d happen before whatever t does next?
  [[nodiscard]] bool happens_before(std::uint32_t d, ThreadId t) const {
    return steps_[d].thread == t || clock_of(t)[steps_[d].thread] >= steps_[d].count;
  }
  // Does the transition at depth k happen after the one at the earlier depth d?
  [[nodiscard]] bool is_after(std::uint32_t k, std::uint32_t d) const {
    return clocks_[static_cast<std::size_t>(k) * stride_ + steps_[d].thread] >= steps_[d].count;
  }
  // May `next`, of t in the last state, be put before the transition at depth d, on which it depends (SEMANTICS H.1, H.3)?
  [[nodiscard]] bool may_be_reversed(std::uint32_t d, const Operation& next, ThreadId t) const {
    return may_be_coenabled(operation(d), locks_before(d), next, locks(t)) && !waits_before(d, next);
  }
  // Does `next`, which depends on the transition at depth d, wait for a value that is not there before d? What follows d
  // without happening after it does not change the value.
  [[nodiscard]] bool waits_before(std::uint32_t d, const Operation& next) const {
    if (!inspect_awaits(&next) || !replaces_value(operation(d), next)) return false;
    return inspect_waits_at(&next, event(d).read) || mutated(Mutation::waits_have_no_races);
  }
  // The earlier transitions that the one at depth d is in a race with.
  [[nodiscard]] std::span<const std::uint32_t> races(std::uint32_t d) const {
    const std::uint32_t end = d < depth() ? steps_[d + 1].races : races_end_;
    return std::span(races_).subspan(steps_[d].races, end - steps_[d].races);
  }
  // What the thread of the transition at depth d was about to do.
  [[nodiscard]] const Pending& taken(std::uint32_t d) const { return *steps_[d].taken; }
  // The depth of the last transition of t; 0 if there is none.
  [[nodiscard]] std::uint32_t last_of(ThreadId t) const { return own_[t].empty() ? 0 : own_[t].back(); }
  // Depth of the transition before the one at depth d in the same thread; 0 if there is none.
  [[nodiscard]] std::uint32_t previous_of(std::uint32_t d) const {
    return steps_[d].count > 1 ? own_[steps_[d].thread][steps_[d].count - 2] : 0;
  }
  // Visits the transitions that touch a byte range, in no particular order; one may come twice.
  template <class F>
  void for_each_touching(std::uint64_t object, std::uint32_t size, F&& f) const;
  // Appends the depths of the transitions that `next`, of t in the last state, is in a race with; each once, in no particular
  // order.
  void find_races(ThreadId t, const Label& next, std::vector<std::uint32_t>& out) const;
  // Has t a transition after state `state` that happens before what `of` does next (or is itself of `of`)?
  [[nodiscard]] bool precedes_after(std::uint32_t state, ThreadId t, ThreadId of) const;
  // Visits the transitions of other threads that are dependent on `label` and do not happen before what t does next; for each
  // byte range from the latest on. May visit one twice. `race(d)` says whether d is in a race that makes older ones needless;
  // those may then be left out.
  template <class Race>
  void for_each_conflict(const Label& label, ThreadId t, Race&& race) const;
  // The initials of the reversed race (Abdulla et al. 2017): threads that can come first if the transition at depth d is put
  // behind `next`, the next operation of t. Of each thread, take the first transition after d that does not happen after d; its
  // thread is an initial if no other of these happens before it. In the new order `next` may come out otherwise, so its pending
  // label is used (SEMANTICS H.4).
  [[nodiscard]] ThreadSet initials(std::uint32_t d, ThreadId t) const;
  // Threads with a next operation that can ever be performed.
  [[nodiscard]] const ThreadSet& movable() const { return movable_; }

 private:
  struct Step {
    NodeId node = kNoNode;
    ThreadId thread = 0;
    bool on_all = false;        // depends on every transition
    std::uint32_t count = 0;    // its number among the transitions of its thread, from 1
    std::uint32_t touched = 0;  // where its ranges start in touched_
    std::uint32_t changed = 0;  // where its changes start in changed_
    std::uint32_t threads = 0;  // threads_ before it
    std::uint32_t races = 0;    // where its races start in races_
    const Event* event = nullptr;
    const Pending* taken = nullptr;
    Lockset locks_before = 0;
    Operation operation{};
    ThreadSet enabled;
    ThreadSet movable;  // movable_ before it
  };
  struct PendingFrom {
    std::uint32_t state;
    const Pending* pending;
  };

  [[nodiscard]] const std::uint32_t* clock_of(ThreadId t) const {
    return &clocks_[static_cast<std::size_t>(own_[t].empty() ? created_[t] : own_[t].back()) * stride_];
  }
  void ensure_thread(ThreadId t);
  void widen_clocks(unsigned threads);
  void set_pending(std::uint32_t state, ThreadId t, const Pending& next);
  void foresee_range(ThreadId t, const Label& next, AccessIndex::RangeId touched);
  void foresee_all(ThreadId t, const Label& next);
  bool note_race(std::uint32_t d, ThreadId t, const Operation& next);
  [[nodiscard]] bool has_dependent(const Label& next, std::uint32_t d) const;
  void join_all(std::uint32_t d);
  void record_accesses(std::uint32_t d, const Label& own);
  void record_access(std::uint32_t d, const Operation& o);
  void update_locks(Step& step);
  [[nodiscard]] Lockset lock_bit(std::uint64_t object, std::uint32_t size);
  void join(std::uint32_t* into, std::uint32_t from_depth) const;

  template <class F>
  void for_each_range(const Label& label, F&& f) const;

  Keep keep_;
  const Sections* sections_;
  std::vector<Step> steps_;  // [0] is the initial state
  std::vector<AccessIndex::RangeId> touched_;
  std::vector<std::uint32_t> races_;
  std::uint32_t races_end_ = 0;  // where the races of taken transitions end in races_; those of the next transition follow
  bool foreseen_ = false;
  ThreadSet movable_;
  std::vector<std::uint32_t> on_all_;  // depths of transitions that depend on everything
  std::vector<ThreadId> changed_;
  unsigned threads_ = 0;
  unsigned arrivals_ = 0;  // transitions WriteArrive on the path: a waiting writer keeps readers out
  // Per thread: depths of its transitions, depth of its creation, history of its next operation, locks held.
  std::vector<std::vector<std::uint32_t>> own_;
  std::vector<std::uint32_t> created_;
  std::vector<std::vector<PendingFrom>> pendings_;
  std::vector<Lockset> locks_;
  unsigned stride_ = 8;
  std::vector<std::uint32_t> clocks_;  // [depth × stride + thread]
  mutable AccessIndex index_;          // looking a range up may number it
  std::vector<std::uint8_t> lock_number_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> locks_by_number_;
};

template <class F>
Lockset Path::locks_of(Lockset locks, F&& f) const {
  Lockset out = 0;
  for (Lockset left = locks; left; left &= left - 1) {
    const auto& [object, size] = locks_by_number_[static_cast<unsigned>(std::countr_zero(left))];
    if (f(object, size)) out |= left & -left;
  }
  return out;
}

template <class F>
void Path::for_each_range(const Label& label, F&& f) const {
  const auto each = [&](const Operation& o) {
    if (o.size) f(index_.range(o.object, o.size));
    if (o.size2) f(index_.range(o.object2, o.size2));
  };
  if (!label.is_section) return each(label.operation);
  for (const Operation& range : label.ranges) each(range);
}

template <class F>
void Path::for_each_touching(std::uint64_t object, std::uint32_t size, F&& f) const {
  for (const AccessIndex::RangeId r : index_.overlapping(index_.range(object, size)))
    for (const AccessIndex::Entry& e : index_.entries(r)) f(e.depth);
}

template <class Race>
void Path::for_each_conflict(const Label& label, ThreadId t, Race&& race) const {
  // Threads with a transition on the range that happens before `next`; their older ones do so too.
  ThreadSet known;
  // True if what is older on the same range need not be looked at.
  const auto visit = [&](std::uint32_t d, bool barrier) {
    if (mutated(Mutation::race_ignores_order) && steps_[d].thread != t) return depends(label, d) && race(d);
    if (happens_before(d, t)) {
      known.insert(steps_[d].thread);
      return barrier;
    }
    return depends(label, d) && race(d) && barrier;
  };
  if (label.depends_on_all()) {
    for (std::uint32_t d = depth(); d > 0; --d) visit(d, false);
    return;
  }
  for_each_range(label, [&](AccessIndex::RangeId touched) {
    for (const AccessIndex::RangeId r : index_.overlapping(touched)) {
      const auto& entries = index_.entries(r);
      known = {};
      known.insert(t);
      for (std::size_t i = entries.size(); i-- > 0 && !known.contains_all(index_.threads(r));) {
        if (visit(entries[i].depth, entries[i].barrier)) break;
        if (known.contains(entries[i].thread)) i = entries[i].first;
      }
    }
  });
  for (std::size_t i = on_all_.size(); i-- > 0;)
    if (visit(on_all_[i], true)) break;
}

}  // namespace inspect::search
