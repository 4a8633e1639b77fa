// The red-black trees of std::map and std::set: their links are memory that threads share, so each access must be seen.
//
// A header node stands above the root: its parent is the root, its left and right are the first and the last node. Insertion
// and removal after Cormen et al., Introduction to Algorithms, chapter 13.
#include <map>

namespace std {
namespace {

using Node = _Rb_tree_node_base;

bool is_black(const Node* node) { return !node || node->_M_color == _S_black; }
Node*& child(Node* node, bool left) { return left ? node->_M_left : node->_M_right; }

// Puts `by` where `node` hangs.
void replace(Node* node, Node* by, Node*& root) {
  Node* const parent = node->_M_parent;
  if (node == root)
    root = by;
  else
    child(parent, node == parent->_M_left) = by;
}

// The child on the other side takes the node's place; the node becomes its child on side `left`.
void rotate(Node* node, bool left, Node*& root) {
  Node* const up = child(node, !left);
  Node* const moved = child(up, left);
  child(node, !left) = moved;
  if (moved) moved->_M_parent = node;
  up->_M_parent = node->_M_parent;
  replace(node, up, root);
  child(up, left) = node;
  node->_M_parent = up;
}

// `x` (or null, below `parent`) has one black node too few above it.
void repair_removal(Node* x, Node* parent, Node*& root) {
  while (x != root && is_black(x)) {
    const bool left = x == parent->_M_left;
    Node* sibling = child(parent, !left);
    if (!is_black(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, left, root);
      sibling = child(parent, !left);
    }
    if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      x = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (is_black(child(sibling, !left))) {
      child(sibling, left)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, !left, root);
      sibling = child(parent, !left);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    child(sibling, !left)->_M_color = _S_black;
    rotate(parent, left, root);
    break;
  }
  if (x) x->_M_color = _S_black;
}

Node* next(Node* node) {
  if (node->_M_right) return Node::_S_minimum(node->_M_right);
  Node* up = node->_M_parent;
  while (node == up->_M_right) {
    node = up;
    up = up->_M_parent;
  }
  return node->_M_right == up ? node : up;  // from the last node of a tree that is the root alone
}

Node* previous(Node* node) {
  if (node->_M_color == _S_red && node->_M_parent->_M_parent == node) return node->_M_right;  // the header
  if (node->_M_left) return Node::_S_maximum(node->_M_left);
  Node* up = node->_M_parent;
  while (node == up->_M_left) {
    node = up;
    up = up->_M_parent;
  }
  return up;
}

}  // namespace

__attribute__((__pure__)) Node* _Rb_tree_increment(Node* node) throw() { return next(node); }
__attribute__((__pure__)) const Node* _Rb_tree_increment(const Node* node) throw() { return next(const_cast<Node*>(node)); }
__attribute__((__pure__)) Node* _Rb_tree_decrement(Node* node) throw() { return previous(node); }
__attribute__((__pure__)) const Node* _Rb_tree_decrement(const Node* node) throw() { return previous(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* x, Node* parent, Node& header) throw() {
  Node*& root = header._M_parent;
  x->_M_parent = parent;
  x->_M_left = x->_M_right = nullptr;
  x->_M_color = _S_red;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = x;
  } else {
    child(parent, left) = x;
    if (left && parent == header._M_left) header._M_left = x;
    if (!left && parent == header._M_right) header._M_right = x;
  }
  while (x != root && x->_M_parent->_M_color == _S_red) {
    Node* const above = x->_M_parent->_M_parent;
    const bool on_left = x->_M_parent == above->_M_left;
    Node* const uncle = child(above, !on_left);
    if (!is_black(uncle)) {
      x->_M_parent->_M_color = _S_black;
      uncle->_M_color = _S_black;
      above->_M_color = _S_red;
      x = above;
      continue;
    }
    if (x == child(x->_M_parent, !on_left)) {
      x = x->_M_parent;
      rotate(x, on_left, root);
    }
    x->_M_parent->_M_color = _S_black;
    above->_M_color = _S_red;
    rotate(above, !on_left, root);
  }
  root->_M_color = _S_black;
}

// Returns the node that is out of the tree: z itself, whose successor may have taken its place.
Node* _Rb_tree_rebalance_for_erase(Node* const z, Node& header) throw() {
  Node*& root = header._M_parent;
  Node* const y = z->_M_left && z->_M_right ? Node::_S_minimum(z->_M_right) : z;
  Node* const x = y->_M_left ? y->_M_left : y->_M_right;
  Node* parent = y->_M_parent;
  _Rb_tree_color removed = y->_M_color;
  if (y == z) {
    if (x) x->_M_parent = parent;
    replace(z, x, root);
    if (header._M_left == z) header._M_left = x ? Node::_S_minimum(x) : parent;
    if (header._M_right == z) header._M_right = x ? Node::_S_maximum(x) : parent;
  } else {
    z->_M_left->_M_parent = y;
    y->_M_left = z->_M_left;
    if (y == z->_M_right) {
      parent = y;
    } else {
      if (x) x->_M_parent = parent;
      parent->_M_left = x;
      y->_M_right = z->_M_right;
      z->_M_right->_M_parent = y;
    }
    replace(z, y, root);
    y->_M_parent = z->_M_parent;
    y->_M_color = z->_M_color;
    z->_M_color = removed;
  }
  if (removed == _S_black) repair_removal(x, parent, root);
  return z;
}

}  // namespace std
