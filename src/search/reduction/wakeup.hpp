// Where in the tree a wakeup sequence belongs.
//
// A sequence is inserted at a state on the path of the execution that showed it. It follows the first child that can come first
// in it (a weak initial), and so on below; where none can, it becomes a new branch, as long as something sleeps in it. Where a
// sleeper, or a child explored before the path, can come first, or nothing sleeps, it is covered already. Guarantees: what is
// inserted wakes all sleepers, so that no execution from its end can be blocked by them; an equivalent of what it leads to is
// explored (docs/algorithms.md). Deliberately unknown here: where sequences come from.
#pragma once
#include <span>
#include <vector>

#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Wakeup {
 public:
  Wakeup(Tree& tree, const Path& path) : tree_(&tree), path_(&path) {}

  // The new pending leaf, kNoNode if there is none.
  NodeId insert(std::uint32_t state, std::span<const WakeupStep> sequence);
  // At any executed node; the execution that showed the sequence went on with its child `through`.
  NodeId insert_at(NodeId node, NodeId through, std::span<const WakeupStep> sequence);
  // Can one of them come first in the sequence?
  [[nodiscard]] bool is_covered(std::span<const NodeId> by, std::span<const WakeupStep> sequence);
  // The sequence waits until the node is executed.
  void delay(NodeId node, std::vector<WakeupStep> sequence) { delayed_.push_back({node, std::move(sequence)}); }
  template <class F>
  void for_each_delayed(F&& f) const {
    for (const Delayed& d : delayed_) f(d.node, d.steps);
  }
  // Explores the transition from that state, whatever sleeps there.
  NodeId append(NodeId node, Choice choice, const Operation& operation);
  // Who sleeps on the way to a pending leaf, now that it is sent: those known to sleep by now. With keep_going what was not
  // executed does not, since it may yet turn out to end in a bug.
  void fall_asleep_above(NodeId leaf, bool keep_going);
  // Is there a sleeper on the way whose label is not known yet?
  [[nodiscard]] bool is_doubtful(NodeId leaf) const;
  // Sequences that led to a node under way, now that it was executed. Calls f(leaf) for each new pending leaf.
  template <class F>
  void resume(NodeId node, F&& f);

 private:
  struct Delayed {
    NodeId node;
    std::vector<WakeupStep> steps;
  };

  [[nodiscard]] Label label(NodeId node) const { return path_->label((*tree_)[node].choice.thread, (*tree_)[node].operation); }
  [[nodiscard]] Label label(const WakeupStep& s) const { return path_->label(s.choice.thread, s.operation); }
  [[nodiscard]] bool can_come_first(NodeId node) const;
  [[nodiscard]] bool covered_at(NodeId node) const;
  NodeId descend(NodeId node, NodeId on_path);
  NodeId branch(NodeId node);
  void fall_asleep(NodeId node);
  void wake(const Label& by, ThreadId thread);
  void take(Choice choice);

  Tree* tree_;
  const Path* path_;
  std::vector<Delayed> delayed_;
  // Kept for their capacity.
  std::vector<WakeupStep> rest_;  // of the sequence
  std::vector<NodeId> asleep_, chain_;
};

template <class F>
void Wakeup::resume(NodeId node, F&& f) {
  for (std::size_t i = 0; i < delayed_.size();) {
    if (delayed_[i].node != node) {
      ++i;
      continue;
    }
    rest_ = std::move(delayed_[i].steps);
    delayed_.erase(delayed_.begin() + static_cast<std::ptrdiff_t>(i));
    const NodeId leaf = descend(node, kNoNode);
    if (leaf != kNoNode) f(leaf);
  }
}

}  // namespace inspect::search
