// The exploration tree: shared prefixes of everything that is under way or still to be explored.
//
// A node is a transition and the state after it; the root is the initial state. Its children are the transitions explored, or
// to be explored, from that state. Guarantees: memory is bounded by the pending work, since a subtree that is finished shrinks
// to one closed node, which keeps its label because it may sleep in later siblings, and goes with its parent. Nodes are
// recycled, so that a long search allocates nothing in the steady state. Deliberately unknown here: which transitions should be
// explored (reduction/) and in what order (core/order.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/execution.hpp"

namespace inspect::search {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

enum class NodeState : std::uint8_t {
  pending,    // to be explored
  in_flight,  // sent to the program
  open,       // executed; something below it is not finished
  closed,     // everything below it is explored
  away        // given to another search
};

struct Node {
  NodeId parent = kNoNode, first_child = kNoNode, last_child = kNoNode, next_sibling = kNoNode;
  std::uint32_t depth = 0;               // transitions from the initial state
  std::uint32_t preemptions = 0;         // on the way here; kept only under a bound
  std::uint32_t unfinished = 0;          // children that are not closed
  std::uint32_t waiting = 0;             // pending leaves in its subtree, itself included
  std::uint32_t segment = 0, index = 0;  // where its event is kept, once executed
  Choice choice;
  NodeState state = NodeState::pending;
  // Nothing sleeps in its state, so its subtree covers all that can follow, and nothing is inserted below it later. If it is
  // false, races found to the left of it, by earlier siblings of it or of its ancestors, may still be inserted below it.
  bool free = true;
  bool exact = true;             // it will come out as `operation` says
  bool never_sleeps = false;     // its subtree was cut: it must not sleep in later siblings
  bool sent = false;             // it was sent before: who sleeps in it is settled
  bool remote = false;           // another search keeps it, and alone decides what is explored from its state
  std::uint32_t unit = 0;        // the work unit whose prefix begins, or ends, with it
  Operation operation{};         // label: as pending, then as executed
  std::uint64_t executions = 0;  // complete executions that end here or in a closed child
  std::uint64_t hash = 0;        // inspect_step_hash chained from the initial state, once the state above was reached
  ThreadSet backtrack;           // threads scheduled in this state: explored, to be explored, or asleep
  std::vector<NodeId> sleep;     // transitions asleep in this state: earlier siblings of it or of its ancestors
};

// Copies all fields but `remote` and those that refer to the tree.
void copy_facts(Node& to, const Node& from);

// Told of each node that closes, while its children are still there.
class TreeListener {
 public:
  virtual ~TreeListener() = default;
  virtual void on_closing(NodeId node) = 0;
};

class Tree {
 public:
  Tree();
  void listen(TreeListener* listener) { listener_ = listener; }

  static constexpr NodeId kRoot = 0;
  // A second node for the initial state: the root of the nodes that other searches keep (remote), with a path of its own for
  // each work unit's prefix.
  static constexpr NodeId kAbroad = 1;
  Node& operator[](NodeId id) { return nodes_[id]; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }

  // A new pending child, the last of its siblings.
  NodeId add_child(NodeId parent, Choice choice, const Operation& operation);
  // The first child by a thread; kNoNode if there is none.
  [[nodiscard]] NodeId child_of(NodeId parent, ThreadId t) const;
  [[nodiscard]] bool executed(NodeId id) const {
    return nodes_[id].state == NodeState::open || nodes_[id].state == NodeState::closed;
  }
  // A pending leaf was added (change 1) or taken (-1).
  void count_waiting(NodeId leaf, int change);

  // Keeps the events of one execution, as long as a node refers to one of them.
  std::uint32_t keep(std::vector<Event>&& events);
  [[nodiscard]] const Event& kept(std::uint32_t segment, std::uint32_t index) const { return segments_[segment].events[index]; }
  [[nodiscard]] std::span<const Event> kept_after(std::uint32_t segment, std::uint32_t index) const {
    return std::span(segments_[segment].events).subspan(index + 1);
  }
  // The node was executed: it takes event `index` of `segment`.
  void set_executed(NodeId id, std::uint32_t segment, std::uint32_t index);
  [[nodiscard]] const Event& event(NodeId id) const { return segments_[nodes_[id].segment].events[nodes_[id].index]; }
  void release_if_unused(std::uint32_t segment);
  [[nodiscard]] bool has_event(NodeId id) const;

  // Gives a node without children the facts of another one, but for its place in the tree and what sleeps in it.
  void replace(NodeId id, const Node& by);
  // A transition that sleeps somewhere, but is no child of any node of this tree.
  NodeId add_sleeper(Choice choice, const Operation& operation);
  // Frees a node with all below it, whatever their state, and closes what is finished without it.
  void remove(NodeId id);
  void free_sleeper(NodeId id) { free_.push_back(id); }
  // Nodes that were closed below remote ones since the last call.
  [[nodiscard]] std::vector<NodeId> take_finished() { return std::exchange(finished_, {}); }
  // Closes `id`, if nothing below it is left, and then its ancestors likewise.
  void close_finished(NodeId id);
  // How many nodes there are, kAbroad not counted.
  [[nodiscard]] std::size_t live() const { return nodes_.size() - free_.size() - 1; }

 private:
  struct Segment {
    std::vector<Event> events;
    std::uint32_t users = 0;
  };

  [[nodiscard]] bool may_close(NodeId id) const;
  [[nodiscard]] std::uint64_t hash_below(const Node& n) const;
  [[nodiscard]] NodeId first_unfinished(NodeId from) const;
  NodeId allocate();
  void free_children(NodeId id);
  void drop_event(Node& node);
  void unlink(NodeId id);

  TreeListener* listener_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_, finished_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> free_segments_;
};

}  // namespace inspect::search
