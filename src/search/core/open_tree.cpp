#include "search/core/open_tree.hpp"

namespace inspect::search {

OpenTree::OpenTree(const Reduction& reduction, bool keep_going)
    : path(reduction.keep(), sections),
      branching(reduction.make_branching(tree, path, keep_going)),
      order(branching->make_order()) {}

void OpenTree::clear(const Reduction& reduction, bool keep_going) {
  tree = Tree();
  path = Path(reduction.keep(), sections);
  branching = reduction.make_branching(tree, path, keep_going);
  order = branching->make_order();
}

void OpenTree::move_to(NodeId id) {
  chain_.clear();
  while (tree[id].depth && (tree[id].depth > path.depth() || path.node(tree[id].depth) != id)) {
    chain_.push_back(id);
    id = tree[id].parent;
  }
  while (path.depth() > tree[id].depth) path.pop();
  if (!tree[id].depth) path.set_root(id);
  for (; !chain_.empty(); chain_.pop_back()) path.push(chain_.back(), tree.event(chain_.back()));
}

NodeId OpenTree::known_above(NodeId id) const {
  do id = tree[id].parent;
  while (!tree.has_event(id));
  return id;
}

}  // namespace inspect::search
