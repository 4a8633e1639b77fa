// Can a tree that was read from a file be one that a search has written?
//
// Each value of a node is compared with those around it: its hash with the transition and the node above, what sleeps in it
// with what was explored beside it or above, marks and counts with its state and its children, and all with what was found so
// far. Guarantees: what a search writes passes; a tree in which any single value was changed does not, except for values that
// decide nothing, or that only the program can check. Deliberately unknown here: text, files, the program.
#pragma once
#include <optional>

#include "base/result.hpp"
#include "search/core/tree.hpp"
#include "search/search.hpp"

namespace inspect::search {

class Restored {
 public:
  // has_sequences: of its Branching. found: the outcome up to the checkpoint.
  Restored(const Tree& tree, bool has_sequences, const Options& options, const Outcome& found)
      : tree_(tree), has_sequences_(has_sequences), options_(options), found_(found) {}
  // What is wrong with the tree below the root; nothing: it fits.
  [[nodiscard]] std::optional<Error> contradiction() const;

 private:
  [[nodiscard]] bool root_fits() const;
  [[nodiscard]] bool fits(NodeId id) const;
  [[nodiscard]] bool state_fits(const Node& n) const;
  [[nodiscard]] bool hash_fits(const Node& n) const;
  [[nodiscard]] bool preemptions_fit(const Node& n) const;
  [[nodiscard]] bool is_new_among_siblings(NodeId id) const;
  [[nodiscard]] bool sleepers_fit(NodeId id) const;
  [[nodiscard]] bool was_explored_above(NodeId id, const Node& sleeper) const;
  [[nodiscard]] bool counts_fit(const Node& n) const;
  [[nodiscard]] bool is_complete(const Node& n) const;
  [[nodiscard]] bool is_finished(NodeId id) const;

  const Tree& tree_;
  const bool has_sequences_;
  const Options& options_;
  const Outcome& found_;
};

}  // namespace inspect::search
