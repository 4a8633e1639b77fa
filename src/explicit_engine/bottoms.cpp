#include "explicit_engine/bottoms.hpp"

#include <algorithm>

namespace inspect::explicit_engine {
namespace {

// R. Tarjan, Depth-first search and linear graph algorithms, 1972, with a stack of its own.
class Components {
 public:
  explicit Components(const StateGraph& graph)
      : graph_(graph),
        index_(graph.size(), 0),
        low_(graph.size(), 0),
        open_(graph.size(), false),
        leaves_(graph.size(), false) {}

  std::vector<StateNumber> run() {
    for (StateNumber s = 0; s < graph_.size(); ++s)
      if (!index_[s]) visit(s);
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  struct Frame {
    StateNumber state = 0;
    std::vector<StateNumber> left;
  };

  void open(StateNumber s) {
    index_[s] = low_[s] = ++count_;
    open_[s] = true;
    component_.push_back(s);
    Frame& frame = frames_.emplace_back();
    frame.state = s;
    graph_.for_each_transition(s, [&](const Transition& t) { frame.left.push_back(t.to); });
    if (frame.left.empty()) leaves_[s] = true;  // an end
  }

  void visit(StateNumber root) {
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const StateNumber s = frame.state;
      if (frame.left.empty()) {
        frames_.pop_back();
        if (low_[s] == index_[s]) close(s);
        if (frames_.empty()) return;
        const StateNumber above = frames_.back().state;
        low_[above] = std::min(low_[above], low_[s]);
        if (leaves_[s] || !open_[s]) leaves_[above] = true;
        continue;
      }
      const StateNumber to = frame.left.back();
      frame.left.pop_back();
      if (!index_[to])
        open(to);
      else if (open_[to])
        low_[s] = std::min(low_[s], index_[to]);
      else
        leaves_[s] = true;
    }
  }

  void close(StateNumber root) {
    StateNumber least = root;
    bool leaves = false;
    for (StateNumber s = kNoState; s != root;) {
      s = component_.back();
      component_.pop_back();
      open_[s] = false;
      leaves |= leaves_[s];
      least = std::min(least, s);
    }
    if (!leaves) found_.push_back(least);
  }

  const StateGraph& graph_;
  std::vector<std::uint32_t> index_, low_;  // by state, from 1
  std::vector<bool> open_, leaves_;  // in a component that is not complete yet; a transition leads out of it, or none anywhere
  std::vector<StateNumber> component_, found_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<StateNumber> bottoms(const StateGraph& graph) { return Components(graph).run(); }

}  // namespace inspect::explicit_engine
