#include "symbolic/system/interpreter.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/check.hpp"
#include "symbolic/system/footprint.hpp"

namespace inspect::symbolic {

namespace {

// The values of terms in one state; each is computed once.
class Evaluation {
 public:
  Evaluation(const System& system, const State& state) : system_(system), state_(state) {}

  std::uint64_t operator()(Term t) {
    visit_terms(
        system_.terms, t, [&](Term of) { return known_.contains(of.id); },
        [&](Term of) { known_.emplace(of.id, compute(system_.terms[of])); });
    return known_.at(t.id);
  }

 private:
  // Of a term whose operands are known.
  std::uint64_t compute(const TermNode& node) {
    if (node.kind == TermKind::cell) return state_.values[node.value];
    if (node.kind == TermKind::element) {
      const std::uint64_t index = known_.at(node.a.id);
      return index < node.extent ? state_.values[node.value + index] : 0;
    }
    std::array<std::uint64_t, 3> operands{};
    const unsigned count = operand_count(node.kind);
    if (count > 0) operands[0] = known_.at(node.a.id);
    if (count > 1) operands[1] = known_.at(node.b.id);
    if (count > 2) operands[2] = known_.at(node.c.id);
    return apply(node, count > 0 ? system_.terms.width(node.a) : node.width, operands);
  }

  const System& system_;
  const State& state_;
  std::unordered_map<std::uint32_t, std::uint64_t> known_;
};

bool meet(const std::set<CellId>& a, const std::set<CellId>& b) {
  return std::any_of(a.begin(), a.end(), [&](CellId c) { return b.contains(c); });
}

}  // namespace

bool conflict(const Footprint& a, const Footprint& b) {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

State Interpreter::start(const std::vector<std::uint64_t>& inputs) const {
  State state;
  std::size_t next = 0;
  for (const Cell& cell : system_.cells) state.values.push_back(cell.is_input ? inputs.at(next++) : cell.initial);
  CHECK(next == inputs.size(), "as many inputs as the system has");
  for (const Thread& thread : system_.threads) state.locations.push_back(thread.start);
  return state;
}

std::uint64_t Interpreter::value(const State& state, Term term) const { return Evaluation(system_, state)(term); }

const Transition* Interpreter::pending(const State& state, ThreadIndex thread) const {
  const Location& location = system_.threads[thread].locations[state.locations[thread]];
  return location.kind == LocationKind::runs ? &location.transition : nullptr;
}

bool Interpreter::enabled(const State& state, ThreadIndex thread) const {
  const Transition* const transition = pending(state, thread);
  return transition && value(state, transition->guard) != 0;
}

std::optional<CellId> Interpreter::resolve(const State& state, const Target& target) const {
  const std::uint64_t index = target.index ? value(state, *target.index) : 0;
  if (index >= target.extent) return std::nullopt;
  return target.first + static_cast<CellId>(index);
}

void Interpreter::take(State& state, ThreadIndex thread, std::vector<const Check*>* failed) const {
  CHECK(enabled(state, thread));
  const Transition& transition = *pending(state, thread);
  const State before = state;
  Evaluation evaluate(system_, before);
  for (const Check& check : transition.checks)
    if (failed && evaluate(check.fails)) failed->push_back(&check);
  for (const Update& update : transition.updates) {
    const auto cell = resolve(before, update.target);
    if (cell && evaluate(update.condition)) state.values[*cell] = evaluate(update.value);
  }
  const auto branch = std::find_if(transition.branches.begin(), transition.branches.end(),
                                   [&](const Branch& b) { return evaluate(b.condition) != 0; });
  CHECK(branch != transition.branches.end());
  state.locations[thread] = branch->next;
}

Footprint Interpreter::footprint(const State& state, ThreadIndex thread) const {
  Footprint footprint;
  const Transition* const transition = pending(state, thread);
  if (!transition) return footprint;
  for (const Touch& touch : shared_touches(system_, all_touches(system_, *transition))) {
    if (!value(state, touch.condition)) continue;
    std::set<CellId>& cells = touch.writes ? footprint.writes : footprint.reads;
    if (touch.extent > 1 && !touch.index)
      for (CellId c = 0; c < touch.extent; ++c) cells.insert(touch.first + c);
    else if (const auto cell = resolve(state, {touch.first, touch.extent, touch.index}))
      cells.insert(*cell);
  }
  return footprint;
}

bool Interpreter::deadlocked(const State& state) const {
  bool waits = false;
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t) {
    if (enabled(state, t)) return false;
    const LocationKind kind = system_.threads[t].locations[state.locations[t]].kind;
    if (kind == LocationKind::excuses) return false;
    waits |= kind == LocationKind::runs;
  }
  return waits;
}

bool Interpreter::race_between(const State& state, ThreadIndex a, ThreadIndex b) const {
  for (const Access& x : pending(state, a)->accesses)
    for (const Access& y : pending(state, b)->accesses) {
      if ((!x.writes && !y.writes) || (x.is_atomic && y.is_atomic)) continue;
      if (!value(state, x.condition) || !value(state, y.condition)) continue;
      const auto cell = resolve(state, x.target);
      if (cell && cell == resolve(state, y.target)) return true;
    }
  return false;
}

bool Interpreter::may_access(const State& state, ThreadIndex thread) const {
  const Transition* const transition = pending(state, thread);
  return transition && (transition->awaits || value(state, transition->guard) != 0);
}

bool Interpreter::racy(const State& state) const {
  for (ThreadIndex a = 0; a < system_.threads.size(); ++a)
    for (ThreadIndex b = a + 1; b < system_.threads.size(); ++b)
      if (may_access(state, a) && may_access(state, b) && race_between(state, a, b)) return true;
  return false;
}

}  // namespace inspect::symbolic
