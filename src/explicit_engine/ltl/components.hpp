// Strongly connected components of a graph that is found on the way: R. Tarjan 1972, with a stack of its own instead of
// recursion, so that depth is bounded by memory alone.
//
// Guarantees: each component is handed over once, when it is complete, those that it leads to before it. Deliberately unknown
// here: what nodes are.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inspect::explicit_engine::ltl {

// Nodes are numbers. Successors: void(node, std::vector<std::uint32_t>& appended). Complete: bool(std::span<const
// std::uint32_t> component); false ends the search.
template <class Successors, class Complete>
class Components {
 public:
  Components(Successors successors, Complete complete) : successors_(successors), complete_(complete) {}

  // False: ended by `complete`. Nodes that were reached before are not searched again.
  bool search_from(std::uint32_t root) {
    if (index(root)) return true;
    enter(root);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (top.next < edges_.size()) {
        const std::uint32_t to = edges_[top.next++];
        if (const std::uint32_t reached = index(to)) {
          // What lies in a complete component is no longer on the stack.
          if (reached != kDone) top.low = std::min(top.low, reached);
        } else {
          enter(to);
        }
      } else if (!leave()) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Frame {
    std::uint32_t node, low;
    std::size_t first, next;  // its edges in edges_ begin at first, and are looked at from next on
  };
  static constexpr std::uint32_t kDone = ~std::uint32_t{0};

  // 0: not reached.
  std::uint32_t& index(std::uint32_t node) {
    if (node >= index_.size()) index_.resize(std::max<std::size_t>(node + std::size_t{1}, index_.size() * 2));
    return index_[node];
  }

  void enter(std::uint32_t node) {
    index(node) = ++reached_;
    stack_.push_back(node);
    const std::size_t first = edges_.size();
    successors_(node, edges_);
    frames_.push_back({node, reached_, first, first});
  }

  bool leave() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    edges_.resize(frame.first);
    if (!frames_.empty()) frames_.back().low = std::min(frames_.back().low, frame.low);
    if (frame.low != index_[frame.node]) return true;
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), frame.node).base() - 1;
    const std::span<const std::uint32_t> component(begin, stack_.end());
    for (const std::uint32_t node : component) index_[node] = kDone;
    const bool go_on = complete_(component);
    stack_.erase(begin, stack_.end());
    return go_on;
  }

  Successors successors_;
  Complete complete_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> edges_;  // of the nodes on the path
  std::vector<std::uint32_t> stack_;  // of nodes whose component is not complete
  std::vector<std::uint32_t> index_;  // by node
  std::uint32_t reached_ = 0;
};

}  // namespace inspect::explicit_engine::ltl
