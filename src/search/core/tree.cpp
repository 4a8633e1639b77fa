#include "search/core/tree.hpp"

#include <utility>

#include "base/check.hpp"
#include "search/core/program.hpp"

namespace inspect::search {

namespace {
constexpr std::uint32_t kNoSegment = ~0u;
}

void copy_facts(Node& to, const Node& from) {
  to.choice = from.choice;
  to.operation = from.operation;
  to.state = from.state;
  to.free = from.free;
  to.sent = from.sent;
  to.exact = from.exact;
  to.never_sleeps = from.never_sleeps;
  to.backtrack = from.backtrack;
  to.preemptions = from.preemptions;
  to.executions = from.executions;
  to.hash = from.hash;
}

Tree::Tree() {
  const NodeId root = allocate();
  CHECK(root == kRoot);
  nodes_[root].state = NodeState::open;
  const NodeId abroad = allocate();
  CHECK(abroad == kAbroad);
  nodes_[abroad].state = NodeState::open;
  nodes_[abroad].remote = true;
}

NodeId Tree::allocate() {
  NodeId id;
  if (free_.empty()) {
    id = static_cast<NodeId>(nodes_.size());
    CHECK(id != kNoNode, "too many nodes");
    nodes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
    std::vector<NodeId> sleep = std::move(nodes_[id].sleep);  // keeps its capacity
    sleep.clear();
    nodes_[id] = Node{};
    nodes_[id].sleep = std::move(sleep);
  }
  nodes_[id].segment = kNoSegment;
  return id;
}

NodeId Tree::add_child(NodeId parent, Choice choice, const Operation& operation) {
  const NodeId id = allocate();
  Node& child = nodes_[id];
  Node& above = nodes_[parent];
  child.parent = parent;
  child.depth = above.depth + 1;
  child.choice = choice;
  child.operation = operation;
  if (above.last_child == kNoNode)
    above.first_child = id;
  else
    nodes_[above.last_child].next_sibling = id;
  above.last_child = id;
  ++above.unfinished;
  return id;
}

NodeId Tree::child_of(NodeId parent, ThreadId t) const {
  NodeId c = nodes_[parent].first_child;
  while (c != kNoNode && nodes_[c].choice.thread != t) c = nodes_[c].next_sibling;
  return c;
}

std::uint32_t Tree::keep(std::vector<Event>&& events) {
  std::uint32_t id;
  if (free_segments_.empty()) {
    id = static_cast<std::uint32_t>(segments_.size());
    segments_.emplace_back();
  } else {
    id = free_segments_.back();
    free_segments_.pop_back();
  }
  segments_[id].events = std::move(events);
  segments_[id].users = 0;
  return id;
}

void Tree::set_executed(NodeId id, std::uint32_t segment, std::uint32_t index) {
  Node& node = nodes_[id];
  const Event& e = segments_[segment].events[index];
  if (node.choice.thread == e.choice.thread && node.choice.alternative == kAnyAlternative) node.choice = e.choice;
  CHECK(e.choice == node.choice, "the program took another transition than the one asked for");
  ++segments_[segment].users;
  node.segment = segment;
  node.index = index;
  node.operation = e.operation;
  node.state = NodeState::open;
  node.hash = hash_below(node);
  // Children that another search finished before this node was executed here.
  for (NodeId c = node.first_child; c != kNoNode; c = nodes_[c].next_sibling)
    if (nodes_[c].state == NodeState::closed) nodes_[c].hash = hash_below(nodes_[c]);
}

std::uint64_t Tree::hash_below(const Node& n) const {
  return inspect_step_hash(nodes_[n.parent].hash, n.choice.thread, n.choice.alternative, &n.operation);
}

bool Tree::has_event(NodeId id) const { return !nodes_[id].depth || nodes_[id].segment != kNoSegment; }

void Tree::replace(NodeId id, const Node& by) {
  Node& node = nodes_[id];
  const bool was_closed = node.state == NodeState::closed, is_closed = by.state == NodeState::closed;
  if (node.parent != kNoNode)
    nodes_[node.parent].unfinished += static_cast<std::uint32_t>(was_closed) - static_cast<std::uint32_t>(is_closed);
  copy_facts(node, by);
}

NodeId Tree::add_sleeper(Choice choice, const Operation& operation) {
  const NodeId id = allocate();
  nodes_[id].choice = choice;
  nodes_[id].operation = operation;
  nodes_[id].state = NodeState::closed;
  return id;
}

void Tree::unlink(NodeId id) {
  Node& above = nodes_[nodes_[id].parent];
  NodeId* at = &above.first_child;
  NodeId last = kNoNode;
  for (; *at != id; at = &nodes_[*at].next_sibling) last = *at;
  *at = nodes_[id].next_sibling;
  if (above.last_child == id) above.last_child = last;
  if (nodes_[id].state != NodeState::closed) --above.unfinished;
}

void Tree::remove(NodeId id) {
  const NodeId parent = nodes_[id].parent;
  unlink(id);
  std::vector<NodeId> below{id};
  for (std::size_t i = 0; i < below.size(); ++i) {
    for (NodeId c = nodes_[below[i]].first_child; c != kNoNode; c = nodes_[c].next_sibling) below.push_back(c);
    drop_event(nodes_[below[i]]);
    free_.push_back(below[i]);
  }
  close_finished(parent);
}

void Tree::release_if_unused(std::uint32_t segment) {
  if (segments_[segment].users) return;
  segments_[segment].events = {};
  free_segments_.push_back(segment);
}

void Tree::drop_event(Node& node) {
  if (node.segment == kNoSegment) return;
  const std::uint32_t segment = std::exchange(node.segment, kNoSegment);
  --segments_[segment].users;
  release_if_unused(segment);
}

void Tree::free_children(NodeId id) {
  for (NodeId c = nodes_[id].first_child; c != kNoNode;) {
    const NodeId next = nodes_[c].next_sibling;
    CHECK(nodes_[c].state == NodeState::closed && nodes_[c].first_child == kNoNode);
    free_.push_back(c);
    c = next;
  }
  nodes_[id].first_child = nodes_[id].last_child = kNoNode;
}

void Tree::count_waiting(NodeId leaf, int change) {
  for (; leaf != kNoNode; leaf = nodes_[leaf].parent) nodes_[leaf].waiting += static_cast<std::uint32_t>(change);
}

NodeId Tree::first_unfinished(NodeId from) const {
  while (from != kNoNode && nodes_[from].state == NodeState::closed) from = nodes_[from].next_sibling;
  return from;
}

// Is everything below it finished, and can nothing that is unfinished still insert something below it?
bool Tree::may_close(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.remote) return false;
  const bool was_interior = node.state == NodeState::pending && node.first_child != kNoNode;
  if ((node.state != NodeState::open && !was_interior) || node.unfinished) return false;
  for (; !nodes_[id].free; id = nodes_[id].parent)
    if (first_unfinished(nodes_[nodes_[id].parent].first_child) != id) return false;
  return true;
}

void Tree::close_finished(NodeId id) {
  while (id != kNoNode && may_close(id)) {
    if (listener_) listener_->on_closing(id);
    free_children(id);
    nodes_[id].state = NodeState::closed;
    nodes_[id].sleep.clear();
    drop_event(nodes_[id]);
    const NodeId parent = nodes_[id].parent;
    if (parent == kNoNode) return;
    if (!nodes_[id].hash && executed(parent)) nodes_[id].hash = hash_below(nodes_[id]);  // explored elsewhere, or not reached
    --nodes_[parent].unfinished;
    nodes_[parent].executions += nodes_[id].executions;
    if (nodes_[id].unit) {
      finished_.push_back(id);
      return;
    }
    // Later siblings, and what is below them, may have waited for it.
    NodeId next = first_unfinished(nodes_[parent].first_child);
    while (next != kNoNode && !nodes_[next].free && nodes_[next].unfinished) next = first_unfinished(nodes_[next].first_child);
    id = next != kNoNode && !nodes_[next].free && may_close(next) ? next : parent;
  }
}

}  // namespace inspect::search
