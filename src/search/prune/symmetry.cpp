#include "search/prune/symmetry.hpp"

#include <algorithm>

namespace inspect::search {

namespace {

// Its alternatives are places of threads in an order.
bool numbers_threads(const Operation& o) { return o.kind == INSPECT_OP_BarrierArrive || o.kind == INSPECT_OP_FutexWake; }

}  // namespace

// From there on the joiner does nothing but join until it has joined both.
bool Symmetry::joins_next(std::span<const Event> later, const Twin& twin) {
  if (twin.joiner == kMaxThreads) return true;
  bool joined[2] = {false, false};
  for (const Event& e : later) {
    if (e.choice.thread != twin.joiner) continue;
    if (e.operation.kind != INSPECT_OP_ThreadJoin) return false;
    joined[0] |= e.operation.object == inspect_thread_object(twin.thread);
    joined[1] |= e.operation.object == inspect_thread_object(twin.like);
    if (joined[0] && joined[1]) return true;
  }
  return false;
}

void Symmetry::arrive(NodeId node, std::span<const Twin> twins, std::span<const Event> later) {
  if (node >= twins_.size()) twins_.resize(node + 1);
  twins_[node].clear();
  for (const Twin& twin : twins)
    if (joins_next(later, twin)) twins_[node].push_back(twin);
}

bool Symmetry::alike(NodeId state, ThreadId t, ThreadId u) const {
  if (state >= twins_.size()) return false;
  return std::ranges::any_of(twins_[state],
                             [&](const Twin& w) { return (w.thread == t && w.like == u) || (w.thread == u && w.like == t); });
}

// Threads that one of them creates later have no names yet to be swapped.
bool Symmetry::creates(const Summaries::Set& set, Summaries& all, ThreadId t, ThreadId u) {
  bool found = false;
  Summaries::for_each(set, [&](Summaries::Number n) {
    const ThreadOperation& o = all.operation(n);
    found |= o.operation.kind == INSPECT_OP_ThreadCreate && (o.thread == t || o.thread == u);
  });
  return found;
}

// What sleeps before `explored` must sleep before its mirror image too, or that covers less than is left out. Where the state
// is its own image, so are the sleepers of all but the two themselves, unless what they choose names one of them.
bool Symmetry::sleepers_stay(NodeId explored, ThreadId t, ThreadId u) const {
  const auto stays = [&](NodeId id) {
    const Node& z = tree_[id];
    if (z.operation.kind == INSPECT_OP_CondSignal && (z.choice.alternative == t + 1u || z.choice.alternative == u + 1u))
      return false;
    return z.choice.thread != t && z.choice.thread != u && !numbers_threads(z.operation);
  };
  const Node& state = tree_[tree_[explored].parent];
  if (!std::ranges::all_of(state.sleep, stays)) return false;
  for (NodeId s = state.first_child; s != kNoNode; s = tree_[s].next_sibling)
    if (s != explored && tree_[s].state != NodeState::pending && !stays(s)) return false;
  return true;
}

NodeId Symmetry::find_explored(NodeId pending, const Operation& next, Visited& visited) const {
  const Node& node = tree_[pending];
  // Alternatives that name threads, or number them in an order.
  if (next.kind == INSPECT_OP_ThreadCreate || next.kind == INSPECT_OP_FutexWake) return kNoNode;
  if (next.kind == INSPECT_OP_BarrierArrive && node.choice.alternative) return kNoNode;
  for (NodeId s = tree_[node.parent].first_child; s != kNoNode; s = tree_[s].next_sibling) {
    const Node& sibling = tree_[s];
    const ThreadId t = node.choice.thread, u = sibling.choice.thread;
    if (sibling.state != NodeState::closed || t == u || !alike(node.parent, t, u)) continue;
    std::uint16_t wanted = node.choice.alternative;
    if (next.kind == INSPECT_OP_CondSignal && wanted) wanted = wanted - 1u == u ? t + 1 : wanted - 1u == t ? u + 1 : wanted;
    if (sibling.choice.alternative != wanted || !visited.complete(s) || !sleepers_stay(s, t, u)) continue;
    if (!creates(visited.after(s), visited.summaries(), t, u)) return s;
  }
  return kNoNode;
}

bool Symmetry::must_wait(NodeId pending, std::span<const NodeId> before) const {
  const NodeId state = tree_[pending].parent;
  for (NodeId s = tree_[state].first_child; s != kNoNode; s = tree_[s].next_sibling) {
    const bool begun = tree_[s].state == NodeState::open || tree_[s].state == NodeState::in_flight ||
                       std::ranges::find(before, s) != before.end();
    if (begun && s != pending && alike(state, tree_[pending].choice.thread, tree_[s].choice.thread)) return true;
  }
  return false;
}

bool Symmetry::stays(std::uint64_t object, std::uint32_t size, ThreadId t, ThreadId u) const {
  if (!size || mirrored(object, t, u) != object) return true;
  return program_.stays(object);
}

std::uint64_t Symmetry::mirrored(std::uint64_t object, ThreadId t, ThreadId u) {
  const std::uint64_t a = inspect_thread_object(t), b = inspect_thread_object(u),
                      size = inspect_thread_object(1) - inspect_thread_object(0);
  if (object - a < size) return object - a + b;
  return object - b < size ? object - b + a : object;
}

}  // namespace inspect::search
