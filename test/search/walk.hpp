// A path, and the tree that it is in, made by hand: along schedules of a model program, one transition after the other.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/interpreter.hpp"
#include "search/core/path.hpp"
#include "search/core/tree.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Walk {
 public:
  explicit Walk(std::string_view text)
      : program_(oracle::parse_model(text)),
        machines_{oracle::Interpreter(program_)},
        path_(Path::Keep::causality, sections_) {}

  // Takes a transition: the child that is there, or a new one. Returns its depth.
  std::uint32_t take(ThreadId t, std::uint16_t alternative = 0) {
    const Choice choice{t, alternative};
    NodeId child = tree_[here()].first_child;
    while (child != kNoNode && tree_[child].choice != choice) child = tree_[child].next_sibling;
    if (child == kNoNode) child = tree_.add_child(here(), choice, machines_.back().pending(t).operation);
    oracle::Interpreter interpreter = machines_.back();
    std::vector<Event> events{interpreter.step(choice)};
    if (!tree_.executed(child)) tree_.set_executed(child, tree_.keep(std::move(events)), 0);
    machines_.push_back(interpreter);
    path_.push(child, tree_.event(child));
    return path_.depth();
  }
  // Main creates threads 1 to n, and each starts.
  void start(ThreadId n) {
    for (unsigned i = 0; i <= n; ++i) take(0);
    for (ThreadId t = 1; t <= n; ++t) take(t);
  }
  // Goes on as a whole execution did; no transition can be taken by hand then.
  void follow(std::vector<Event> events) {
    const auto count = static_cast<std::uint32_t>(events.size());
    const std::uint32_t segment = tree_.keep(std::move(events));
    for (std::uint32_t i = 0; i < count; ++i) {
      const Event& e = tree_.kept(segment, i);
      const NodeId child = tree_.add_child(here(), e.choice, e.operation);
      tree_.set_executed(child, segment, i);
      machines_.push_back(machines_.back());
      path_.push(child, e);
    }
  }
  // Back to an earlier state of the path; the tree stays.
  void back_to(std::uint32_t state) {
    while (path_.depth() > state) {
      path_.pop();
      machines_.pop_back();
    }
  }

  [[nodiscard]] Path& path() { return path_; }
  [[nodiscard]] Tree& tree() { return tree_; }
  [[nodiscard]] std::uint32_t depth() const { return path_.depth(); }
  [[nodiscard]] NodeId here() const { return path_.node(path_.depth()); }  // node of the last state
  [[nodiscard]] const Operation& next(ThreadId t) const { return path_.pending(t)->operation; }
  [[nodiscard]] Label next_label(ThreadId t) const { return path_.label(t, next(t)); }
  // What t does next, as a step of a wakeup sequence.
  [[nodiscard]] SequenceStep step(ThreadId t) const { return {{t, 0}, true, 0, next(t)}; }
  // A child of the last state that is not explored yet.
  NodeId add_pending(ThreadId t, std::uint16_t alternative = 0) { return tree_.add_child(here(), {t, alternative}, next(t)); }

 private:
  oracle::ModelProgram program_;
  std::vector<oracle::Interpreter> machines_;
  Sections sections_;
  Tree tree_;
  Path path_;
};

inline ThreadSet threads(std::initializer_list<unsigned> of) {
  ThreadSet set;
  for (const unsigned t : of) set.insert(t);
  return set;
}

}  // namespace inspect::search
