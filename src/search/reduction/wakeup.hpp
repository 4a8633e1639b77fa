// Where in the tree a wakeup sequence belongs.
//
// A sequence is inserted at a state on the path of the execution that showed it. It follows the first child that can come first
// in it (a weak initial), and so on below. Where no child can, the rest becomes a new branch, up to the first transition after
// which nothing sleeps. If a sleeper, or a child explored before the path, can come first, or nothing sleeps in the child, it
// is covered already. Guarantees: what is inserted wakes all sleepers, so that no execution from its end can be blocked by
// them; an equivalent of what it leads to is explored (docs/algorithms.md). Deliberately unknown here: where sequences come
// from.
#pragma once
#include <span>
#include <vector>

#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/reduction/branching.hpp"

namespace inspect::search {

class Wakeup final : public Branching {
 public:
  Wakeup(Tree& tree, const Path& path, bool keep_going) : tree_(tree), path_(path), keep_going_(keep_going) {}

  // Leftmost first (leftmost.hpp says why).
  [[nodiscard]] std::unique_ptr<Order> make_order() const override;
  NodeId append(NodeId node, Choice choice, const Operation& operation) override;
  // With the labels that are known by now.
  void fall_asleep(NodeId leaf) override;
  void wake(NodeId node, const Label& executed) override;
  // Another operation of the sequence may be a bug.
  [[nodiscard]] bool may_end_early(const Execution& execution) const override { return execution.end == EndKind::bug; }
  // Is there a sleeper on the way whose label is not known yet?
  [[nodiscard]] bool must_wait(NodeId leaf) const override;
  [[nodiscard]] bool has_sequences() const override { return true; }
  [[nodiscard]] bool is_beyond(const Execution& execution) const override;
  NodeId insert(NodeId node, NodeId through, std::span<const SequenceStep> sequence) override;
  [[nodiscard]] bool is_covered(std::span<const NodeId> by, std::span<const SequenceStep> sequence) override;
  void delay(NodeId node, std::vector<SequenceStep> sequence) override { delayed_.push_back({node, std::move(sequence)}); }
  [[nodiscard]] std::span<const DelayedSequence> delayed() const override { return delayed_; }
  void resume(NodeId node, std::vector<NodeId>& leaves) override;

 private:
  [[nodiscard]] Label label(NodeId node) const { return path_.label(tree_[node].choice.thread, tree_[node].operation); }
  [[nodiscard]] Label label(const SequenceStep& s) const { return path_.label(s.choice.thread, s.operation); }
  [[nodiscard]] bool can_come_first(NodeId node) const;
  [[nodiscard]] bool covered_at(NodeId node) const;
  NodeId descend(NodeId node, NodeId on_path);
  NodeId branch(NodeId node);
  void put_to_sleep_below(NodeId node);
  void wake_by(const Label& by, ThreadId thread);
  void take(Choice choice);

  Tree& tree_;
  const Path& path_;
  const bool keep_going_;
  std::vector<DelayedSequence> delayed_;
  // Kept for their capacity.
  std::vector<SequenceStep> rest_;  // of the sequence
  std::vector<NodeId> asleep_, chain_;
};

}  // namespace inspect::search
