// A tree written down in pieces, and read again: Units::pieces(), Units::restore().
#include <map>
#include <set>

#include "search/share/restored.hpp"
#include "search/share/units.hpp"

namespace inspect::search {

std::vector<NodeId> Units::load_sleepers(const Frontier& frontier) {
  std::vector<NodeId> out;
  for (const Sleeper& s : frontier.sleepers) out.push_back(tree_.add_sleeper(s.choice, s.operation));
  return out;
}

NodeId Units::load_node(const FrontierNode& from, NodeId parent, const std::vector<NodeId>& sleepers) {
  const NodeId id = tree_.add_child(parent, from.node.choice, from.node.operation);
  tree_.replace(id, from.node);
  if (!sleepers.empty())
    for (const std::uint32_t s : from.sleepers) tree_[id].sleep.push_back(sleepers[s]);
  return id;
}

// In preorder.
Frontier Units::piece_of(NodeId top) const {
  FrontierWriter writer(tree_);
  std::vector<NodeId> open{top}, children;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    UnitName unit = 0;
    if (tree_[id].state == NodeState::away)
      for (const auto& [name, node] : given_)
        if (node == id) unit = name;
    writer.add(id, unit);
    children.clear();
    for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) children.push_back(c);
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  for (const auto& [node, steps] : open_.branching->delayed()) writer.add_sequence(node, steps);
  return with_sections(writer.take());
}

std::vector<TreePiece> Units::pieces() const {
  std::vector<TreePiece> out;
  for (const WorkUnit& unit : units_) {
    if (&unit == &units_.front() ? !home_ : !unit.name) continue;
    out.push_back({unit.name, unit.counts, format_frontier(piece_of(unit.name ? unit.leaf : Tree::kRoot))});
  }
  return out;
}

struct Units::Loading {
  std::map<UnitName, Frontier> pieces;
  std::map<UnitName, Counts> counts;
  std::set<UnitName> given;      // named by a node
  std::uint64_t executions = 0;  // of the nodes
};

namespace {
bool is_same_transition(const Node& a, const Node& b) {
  return a.depth == b.depth && a.choice == b.choice && a.operation.kind == b.operation.kind &&
         a.operation.object == b.operation.object;
}
}  // namespace

// The node was given to another search, which wrote what is below it as a piece of its own.
Result<bool> Units::load_given(const FrontierNode& from, NodeId id, Loading& loading) {
  const auto piece = loading.pieces.find(from.unit);
  const Frontier below = std::move(piece->second);
  const Node& first = below.nodes.front().node;
  if (!is_same_transition(first, from.node) || from.node.state != NodeState::pending || from.node.executions)
    return Error{"a work unit that does not fit"};
  loading.pieces.erase(piece);
  units_[0].counts += loading.counts[from.unit];
  if (first.state == NodeState::pending) {  // not begun: the owner's node already has its sleepers
    open_.add_pending(id);
    return true;
  }
  tree_[id].sleep.clear();
  tree_.replace(id, first);
  if (tree_[id].state != NodeState::closed) loading.executions += tree_[id].executions;
  return load(below, id, loading);
}

Result<bool> Units::load(const Frontier& frontier, NodeId top, Loading& loading) {
  const std::vector<NodeId> sleepers = load_sleepers(frontier);
  std::vector<NodeId> loaded{top}, above{top};  // by number, and the last of each depth
  const std::uint32_t base = tree_[top].depth;
  if (frontier.nodes.empty() || frontier.nodes.front().node.depth != base) return Error{"a piece of a tree that does not fit"};
  for (const std::uint32_t s : frontier.nodes.front().sleepers) tree_[top].sleep.push_back(sleepers[s]);
  for (std::size_t i = 1; i < frontier.nodes.size(); ++i) {
    const FrontierNode& f = frontier.nodes[i];
    above.resize(f.node.depth - base);
    if (f.node.state == NodeState::open && !tree_.executed(above.back()))
      return Error{"a piece of a tree in which a transition was executed before the one above it"};
    const NodeId id = load_node(f, above.back(), sleepers);
    // Those of closed nodes count in their parent.
    if (f.node.state != NodeState::closed) loading.executions += f.node.executions;
    loaded.push_back(id);
    above.push_back(id);
    const bool is_leaf = i + 1 == frontier.nodes.size() || frontier.nodes[i + 1].node.depth <= f.node.depth;
    if (f.unit && !loading.given.insert(f.unit).second) return Error{"a work unit that was given twice"};
    if (f.unit && is_leaf && loading.pieces.contains(f.unit)) {
      if (auto rest = load_given(f, id, loading); !rest) return rest;
    } else if (f.node.state == NodeState::pending && is_leaf) {
      open_.add_pending(id);
    }
  }
  for (const auto& [number, steps] : frontier.sequences) {
    const Node& waits_for = tree_[loaded[number]];
    if (!open_.branching->has_sequences() || tree_.executed(loaded[number]) || waits_for.first_child != kNoNode)
      return Error{"a sequence that nothing holds up"};
    open_.branching->delay(loaded[number], steps);
  }
  return true;
}

namespace {

Result<std::map<UnitName, Frontier>> parsed(const std::vector<TreePiece>& pieces) {
  std::map<UnitName, Frontier> all;
  for (const TreePiece& p : pieces) {
    auto read = parse_frontier(p.text);
    if (!read) return Error{read.error()};
    if (read->nodes.empty()) return Error{"a piece without nodes"};
    if (format_frontier(*read) != p.text) return Error{"a piece that is not spelled as it would have been written"};
    if (!all.emplace(p.name, std::move(*read)).second) return Error{"a work unit that stands there twice"};
  }
  return all;
}

}  // namespace

Result<bool> Units::restore(const std::vector<TreePiece>& pieces, const Outcome& found) {
  auto read = parsed(pieces);
  if (!read) return Error{read.error()};
  Loading loading{.pieces = std::move(*read), .counts = {}, .given = {}};
  for (const TreePiece& p : pieces) loading.counts[p.name] = p.counts;
  const auto root = loading.pieces.find(0);
  if (root == loading.pieces.end() || root->second.nodes.front().node.depth)
    return Error{"no piece begins at the initial state"};
  const Frontier whole = std::move(root->second);
  const Node& first = whole.nodes.front().node;
  loading.pieces.erase(root);
  learn(whole);
  if (whole.nodes.size() == 1 && first.state == NodeState::open) {
    if (found.executions || found.transitions) return Error{"its counts contradict each other"};
    return false;
  }
  units_[0].counts = loading.counts[0];
  tree_.replace(Tree::kRoot, first);
  if (auto loaded = load(whole, Tree::kRoot, loading); !loaded) return loaded;
  loading.executions += first.executions;
  if (!loading.pieces.empty()) return Error{"a work unit that nobody gave"};
  const Counts& counts = units_[0].counts;
  const Counts told{found.executions, found.redundant, found.limited, found.transitions};
  if (loading.executions != counts.executions || counts != told) return Error{"its counts contradict each other"};
  if (const auto wrong = Restored(tree_, open_.branching->has_sequences(), options_, found).contradiction()) return *wrong;
  const bool finished = tree_[Tree::kRoot].state == NodeState::closed;
  if (finished != open_.order->empty()) return Error{"nothing is left to explore, but the search had not ended"};
  return true;
}

}  // namespace inspect::search
