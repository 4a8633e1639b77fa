#include "search/cut/known_states.hpp"

#include <algorithm>

namespace inspect::search {

std::unique_ptr<Cut> make_known_states(CutHost& host, const CutPlan& plan, const Cuts&) {
  return plan.belongs || plan.options.symmetry ? std::make_unique<KnownStates>(host, plan.belongs) : nullptr;
}

void KnownStates::begin() { host_.tree().listen(&visited_.emplace(host_.tree())); }

void KnownStates::prepare(Request& request) const {
  request.starts_first = true;  // so that states do not differ by who has started
  request.states = cuts_;
}

// A waiting loop leads back to a state that was there before, and whether it is cut there depends on how that state was
// reached.
bool KnownStates::is_beyond(const Execution& execution) const {
  const auto spins = [](const Pending& p) { return p.operation.kind == INSPECT_OP_SpinWait; };
  return execution.end == EndKind::spinning || std::ranges::any_of(execution.events, [&](const Event& e) {
           return spins(e.next) || std::ranges::any_of(e.changes, [&](const PendingChange& c) { return spins(c.pending); });
         });
}

// Is the state explored already? What waits there is noted if it is not.
Cut::Arrival KnownStates::on_arrival(const Execution& execution, std::uint32_t index, std::span<const Event>) {
  const bool told = cuts_ && index < execution.states.size();
  const Path& path = host_.path();
  const NodeId node = path.node(path.depth());
  switch (visited_->arrive(path, node, told ? execution.states[index] : StateId{})) {
    case Visited::Arrival::cycle:
      return Arrival::beyond;
    case Visited::Arrival::known:
      races_behind(node);
      return Arrival::covered;
    case Visited::Arrival::fresh:
      break;
  }
  meet(path.depth());
  ThreadSet waiting = path.movable();
  waiting -= path.enabled(path.depth());
  waiting.for_each([&](unsigned i) {
    const auto t = static_cast<ThreadId>(i);
    visited_->add_waiting(node, {t, path.pending(t)->operation, path.locks(t)});
  });
  return Arrival::goes_on;
}

// Two conflicting accesses that can both come next, one of them plain, are a race of this state, whatever the history
// (SEMANTICS C.5). Whichever thread goes first, the runtime notices the race when the other one follows, even behind a cut.
void KnownStates::meet(std::uint32_t state) {
  const auto is_plain = [](const Operation& o) { return o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite; };
  const Path& path = host_.path();
  const ThreadSet enabled = path.enabled(state);
  enabled.for_each([&](unsigned i) {
    const Operation& a = path.pending(static_cast<ThreadId>(i))->operation;
    if (!is_plain(a)) return;
    enabled.for_each([&](unsigned k) {
      const Operation& b = path.pending(static_cast<ThreadId>(k))->operation;
      if (k == i || inspect_family_of(b.kind) != INSPECT_FAMILY_Memory || !inspect_dependent(&a, &b)) return;
      host_.schedule(state, static_cast<ThreadId>(i));
      host_.schedule(state, static_cast<ThreadId>(k));
    });
  });
}

void KnownStates::races_behind(NodeId node) {
  std::vector<ThreadOperation> possible;
  Summaries& all = visited_->summaries();
  Summaries::for_each(visited_->after(node), [&](Summaries::Number n) { possible.push_back(all.operation(n)); });
  host_.races_behind(possible);
}

void KnownStates::on_unknown_end(bool) { visited_->spoil(host_.path().node(host_.path().depth())); }

std::optional<std::string> KnownStates::must_stop() const {
  const std::uint64_t most = host_.options().max_states;
  if (!most || visited_->size() <= most) return std::nullopt;
  return "more than " + std::to_string(most) + " states";
}

// A small batch: each of its executions may make the others needless.
unsigned KnownStates::largest_batch() const {
  constexpr unsigned kFew = 4;
  return cuts_ ? kFew : ~0u;
}

void KnownStates::report(Outcome& outcome) const {
  if (cuts_) outcome.states = visited_->size();
}

}  // namespace inspect::search
