#include "search/cut/symmetry.hpp"

#include <algorithm>

namespace inspect::search {

// Does the joiner from there on only join, until it has joined both threads?
bool Symmetry::joins_next(std::span<const Event> later, const SymmetricPair& pair) {
  if (pair.joiner == kMaxThreads) return true;
  bool joined[2] = {false, false};
  for (const Event& e : later) {
    if (e.choice.thread != pair.joiner) continue;
    if (e.operation.kind != INSPECT_OP_ThreadJoin) return false;
    joined[0] |= e.operation.object == inspect_thread_object(pair.thread);
    joined[1] |= e.operation.object == inspect_thread_object(pair.like);
    if (joined[0] && joined[1]) return true;
  }
  return false;
}

std::unique_ptr<Cut> make_symmetry(CutHost& host, const CutPlan& plan, const Cuts& before) {
  if (!plan.options.symmetry) return nullptr;
  for (const auto& cut : before)
    if (auto* const states = dynamic_cast<KnownStates*>(cut.get())) return std::make_unique<Symmetry>(host, *states);
  return nullptr;
}

void Symmetry::begin() {
  symmetric_pairs_.clear();
  counts_ = {};
}

// Notes which threads can be swapped there.
Cut::Arrival Symmetry::on_arrival(const Execution& execution, std::uint32_t index, std::span<const Event> later) {
  const NodeId node = host_.path().node(host_.path().depth());
  if (node >= symmetric_pairs_.size()) symmetric_pairs_.resize(node + 1);
  symmetric_pairs_[node].clear();
  if (index < execution.symmetric_pairs.size())
    for (const SymmetricPair& pair : execution.symmetric_pairs[index])
      if (joins_next(later, pair)) symmetric_pairs_[node].push_back(pair);
  return Arrival::goes_on;
}

// A transition waits as long as unfinished siblings may still show that it is not needed.
Cut::Sending Symmetry::before_send(NodeId pending, std::span<const NodeId> before) {
  if (skip(pending)) return Sending::never;
  if (!must_wait(pending, before)) return Sending::now;
  return states_.cuts() ? Sending::after_batch : Sending::later;  // more of this batch could lead to known states
}

// Was the mirror image of a pending transition explored from the same state?
bool Symmetry::skip(NodeId pending) {
  const NodeId state = host_.tree()[pending].parent;
  if (state == Tree::kRoot || host_.tree()[state].backtrack.size() < 2) return false;
  ++counts_.checks;
  const NodeId explored = find_explored(pending, host_.tree()[pending].operation);
  if (explored == kNoNode) return false;
  ++counts_.successes;
  leave_out_mirror_of(pending, explored);
  return true;
}

// Leaves the transition out, and reverses the mirror image of what can happen below `explored`.
void Symmetry::leave_out_mirror_of(NodeId pending, NodeId explored) {
  host_.move_to(host_.tree()[pending].parent);
  host_.races().clear();
  Operation anything{};
  anything.kind = INSPECT_OP_AtomicSection;  // a section of which nothing is known depends on everything
  Visited& visited = states_.visited();
  visited.begin_mirror(pending);
  std::vector<ThreadOperation> possible;
  mirror(pending, explored, [&](const ThreadOperation& o, bool known) {
    possible.push_back(known ? o : ThreadOperation{o.thread, anything});
    visited.add_waiting(pending, possible.back());
  });
  if (!mutated(Mutation::skip_without_mirror)) host_.races_behind(possible);
  // It would come out as its mirror image did, so it may sleep in later siblings as if it were explored.
  Node& skipped = host_.tree()[pending];
  const Operation& original = host_.tree()[explored].operation;
  const bool alike = skipped.operation.kind == original.kind && original.kind != INSPECT_OP_AtomicSection;
  skipped.operation.flags = original.flags;
  skipped.never_sleeps = !alike || (original.flags & INSPECT_FLAG_RANGES);
  host_.leave_out(pending);
}

void Symmetry::report(Outcome& outcome) const {
  outcome.symmetries = counts_;
  outcome.symmetries->seconds = host_.program().swaps().seconds_of_symmetry();
}

// Calls f(operation, known) for the mirror image of each operation in the summary of `explored`, its own included. known: is it
// known what the operation touches there?
template <class F>
void Symmetry::mirror(NodeId pending, NodeId explored, F&& f) const {
  const Tree& tree = host_.tree();
  const ThreadId t = tree[pending].choice.thread, u = tree[explored].choice.thread;
  Visited& visited = states_.visited();
  Summaries& all = visited.summaries();
  Summaries::Set set = visited.after(explored);
  Summaries::insert(set, all.number_of({u, tree[explored].operation}));
  Summaries::for_each(set, [&](Summaries::Number n) {
    ThreadOperation o = all.operation(n);
    o.locks =
        host_.path().locks_of(o.locks, [&](std::uint64_t object, std::uint32_t size) { return stays(object, size, t, u); });
    o.thread = o.thread == t ? u : o.thread == u ? t : o.thread;
    o.operation.object = mirrored(o.operation.object, t, u);
    o.operation.object2 = mirrored(o.operation.object2, t, u);
    // What a section touches is known only of the thread that ran it.
    const bool is_known = o.operation.kind != INSPECT_OP_AtomicSection || mutated(Mutation::mirrored_sections_touch_nothing);
    f(o, is_known && stays(o.operation.object, o.operation.size, t, u) && stays(o.operation.object2, o.operation.size2, t, u));
  });
}

bool Symmetry::alike(NodeId state, ThreadId t, ThreadId u) const {
  if (state >= symmetric_pairs_.size()) return false;
  return std::ranges::any_of(symmetric_pairs_[state], [&](const SymmetricPair& w) {
    return (w.thread == t && w.like == u) || (w.thread == u && w.like == t);
  });
}

// Does t or u create threads later? Those have no counterpart yet, so they cannot be swapped.
bool Symmetry::creates(const Summaries::Set& set, Summaries& all, ThreadId t, ThreadId u) {
  bool found = false;
  Summaries::for_each(set, [&](Summaries::Number n) {
    const ThreadOperation& o = all.operation(n);
    found |= o.operation.kind == INSPECT_OP_ThreadCreate && (o.thread == t || o.thread == u);
  });
  return found;
}

// What sleeps before `explored` must sleep before its mirror image too; otherwise `explored` covers less than is left out.
// Since the state is its own mirror image, so is each sleeper of a thread other than t and u, unless its alternative names one
// of these.
bool Symmetry::sleepers_stay(NodeId explored, ThreadId t, ThreadId u) const {
  const Tree& tree = host_.tree();
  const auto stays = [&](NodeId id) {
    const Node& z = tree[id];
    if (z.operation.kind == INSPECT_OP_CondSignal && (z.choice.alternative == t + 1u || z.choice.alternative == u + 1u))
      return false;
    return z.choice.thread != t && z.choice.thread != u && !!holds(Claim::renamed, z.operation.kind);
  };
  const Node& state = tree[tree[explored].parent];
  if (!std::ranges::all_of(state.sleep, stays)) return false;
  for (NodeId s = state.first_child; s != kNoNode; s = tree[s].next_sibling)
    if (s != explored && tree[s].state != NodeState::pending && !stays(s)) return false;
  return true;
}

// A sibling of `pending` that was explored completely and is its mirror image; kNoNode if there is none.
NodeId Symmetry::find_explored(NodeId pending, const Operation& next) const {
  const Tree& tree = host_.tree();
  Visited& visited = states_.visited();
  const Node& node = tree[pending];
  // Not for operations whose alternatives name threads or depend on their order.
  if (next.kind == INSPECT_OP_ThreadCreate) return kNoNode;
  const bool arrives_early = next.kind == INSPECT_OP_BarrierArrive && !node.choice.alternative;
  if (!holds(Claim::renamed, next.kind) && !arrives_early) return kNoNode;
  for (NodeId s = tree[node.parent].first_child; s != kNoNode; s = tree[s].next_sibling) {
    const Node& sibling = tree[s];
    const ThreadId t = node.choice.thread, u = sibling.choice.thread;
    if (sibling.state != NodeState::closed || t == u || !alike(node.parent, t, u)) continue;
    std::uint16_t wanted = node.choice.alternative;
    if (next.kind == INSPECT_OP_CondSignal && wanted) wanted = wanted - 1u == u ? t + 1 : wanted - 1u == t ? u + 1 : wanted;
    if (sibling.choice.alternative != wanted || !visited.complete(s) || !sleepers_stay(s, t, u)) continue;
    if (!creates(visited.after(s), visited.summaries(), t, u)) return s;
  }
  return kNoNode;
}

// May it be the mirror image of a sibling that is not finished yet, or of one in `before`?
bool Symmetry::must_wait(NodeId pending, std::span<const NodeId> before) const {
  const Tree& tree = host_.tree();
  const NodeId state = tree[pending].parent;
  for (NodeId s = tree[state].first_child; s != kNoNode; s = tree[s].next_sibling) {
    const NodeState is = tree[s].state;
    const bool begun = is == NodeState::open || is == NodeState::in_flight || is == NodeState::away ||
                       std::ranges::find(before, s) != before.end();
    if (begun && s != pending && alike(state, tree[pending].choice.thread, tree[s].choice.thread)) return true;
  }
  return false;
}

bool Symmetry::stays(std::uint64_t object, std::uint32_t size, ThreadId t, ThreadId u) const {
  if (!size || mirrored(object, t, u) != object) return true;
  return host_.program().swaps().stays(object);
}

std::uint64_t Symmetry::mirrored(std::uint64_t object, ThreadId t, ThreadId u) {
  const std::uint64_t a = inspect_thread_object(t), b = inspect_thread_object(u),
                      size = inspect_thread_object(1) - inspect_thread_object(0);
  if (object - a < size) return object - a + b;
  return object - b < size ? object - b + a : object;
}

}  // namespace inspect::search
