// Sleep sets: P. Godefroid, LNCS 1032, 1996, ch. 5.
//
// A transition explored from a state sleeps in the transitions explored later from the same state, and after them, until
// something that is dependent on it is executed. Siblings are ordered by when they were sent. Deliberately unknown here: which
// transitions are explored.
#pragma once
#include "search/core/path.hpp"
#include "search/reduction/branching.hpp"

namespace inspect::search {

// Who sleeps before the transition of the node, and depends on it, does not sleep any more.
void wake_dependent(Tree& tree, const Path& path, NodeId node, const Label& executed);

class SleepSets final : public Branching {
 public:
  // here: a transition that another search explores sleeps only when it is finished, since it may yet end in a bug
  // (never_sleeps).
  enum class Use : std::uint8_t { never, here, everywhere };
  SleepSets(Tree& tree, const Path& path, Use use) : tree_(tree), path_(path), use_(use) {}

  [[nodiscard]] std::unique_ptr<Order> make_order() const override;
  NodeId append(NodeId node, Choice choice, const Operation& operation) override {
    return tree_.add_child(node, choice, operation);
  }
  void fall_asleep(NodeId leaf) override;
  void wake(NodeId node, const Label& executed) override;

 private:
  Tree& tree_;
  const Path& path_;
  const Use use_;
};

}  // namespace inspect::search
