// How the requests of a reduction become pending transitions of the tree, and what sleeps in them.
//
// Most reductions ask for a thread at a state, and what was explored there before sleeps (sleep_sets.hpp). Others ask for whole
// sequences of transitions, which must be given a place in the tree (wakeup.hpp); these override the second half. Guarantees:
// who sleeps in a transition is settled when it is sent, and only what was sent before it sleeps in it (SEMANTICS J).
// Deliberately unknown here: where the requests come from.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "model/dependence.hpp"
#include "model/execution.hpp"
#include "search/core/order.hpp"
#include "search/core/tree.hpp"

namespace inspect::search {

// A transition of a sequence: one of the path, in another place, or the later one of the race, which now comes first.
struct SequenceStep {
  Choice choice;
  bool exact = true;        // it will come out as `operation` says; if false, that only bounds what it may depend on
  std::uint32_t depth = 0;  // where it is on the path; 0: nowhere
  Operation operation{};
};

// A sequence that waits until the node it led to is executed.
struct DelayedSequence {
  NodeId node;
  std::vector<SequenceStep> steps;
};

class Branching {
 public:
  virtual ~Branching() = default;
  // In which order what is pending is taken.
  [[nodiscard]] virtual std::unique_ptr<Order> make_order() const = 0;
  // A new pending leaf: the transition from that node, whatever sleeps there.
  virtual NodeId append(NodeId node, Choice choice, const Operation& operation) = 0;
  // Settles who sleeps on the way to a pending leaf, now that it is sent.
  virtual void fall_asleep(NodeId leaf) = 0;
  // The transition of the node was executed as that: who sleeps before it, and depends on it, wakes.
  virtual void wake(NodeId node, const Label& executed) = 0;
  // May such an execution end before it reaches the leaf that it was sent for?
  [[nodiscard]] virtual bool may_end_early(const Execution&) const { return false; }
  // Must the leaf not be sent together with others, since it is not known yet who sleeps in it?
  [[nodiscard]] virtual bool must_wait(NodeId /*leaf*/) const { return false; }

  // Sequences
  [[nodiscard]] virtual bool has_sequences() const { return false; }
  // Does the execution hold what cannot be placed in a sequence?
  [[nodiscard]] virtual bool is_beyond(const Execution&) const { return false; }
  // Makes sure that some execution is explored that begins, from the node, like `sequence` or an equivalent of it. `through`:
  // the child by which the execution that showed the sequence went on. Returns the new pending leaf; kNoNode if none is needed.
  virtual NodeId insert(NodeId /*node*/, NodeId /*through*/, std::span<const SequenceStep> /*sequence*/) { return kNoNode; }
  // Can one of these nodes come first in the sequence?
  [[nodiscard]] virtual bool is_covered(std::span<const NodeId> /*by*/, std::span<const SequenceStep> /*sequence*/) {
    return false;
  }
  // The sequence waits until the node is executed.
  virtual void delay(NodeId /*node*/, std::vector<SequenceStep> /*sequence*/) {}
  [[nodiscard]] virtual std::span<const DelayedSequence> delayed() const { return {}; }
  // The node was executed: inserts the sequences that waited for it, and adds the new pending leaves to `leaves`.
  virtual void resume(NodeId /*node*/, std::vector<NodeId>& /*leaves*/) {}
};

}  // namespace inspect::search
