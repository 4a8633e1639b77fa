// A piece of an exploration tree as text: what a work unit, a checkpoint, and a message between searches consist of.
//
//   section <transition>                                a range that the thread's atomic section at that site touches
//   sleeper <transition>
//   node <depth> <state> <marks> <transition> <backtrack: 2 words> <preemptions> <executions> <hash> <unit> <sleepers>...
//   sequence <node> (<exact: 0 or 1> <transition>)...   a wakeup sequence that waits until the node is executed
//
// A transition is: thread, alternative, kind, order, rmw, flags, site, object, size, object2, size2. All numbers are
// hexadecimal. Nodes stand in preorder; they and the sleepers are numbered from 0 in the order of their lines. Events are not
// written: whoever reads a piece has the program show them again, and checks them by the hashes. Guarantees: what was written
// can be read, and says where the exploration goes on, so that nothing is explored twice and nothing left out. Text of another
// form is refused; restored.hpp checks more. Labels name objects by address: a piece is of use only to the same build of the
// program under the same configuration, which whoever keeps pieces in files must check. Deliberately unknown here: who explores
// a piece.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "search/core/program.hpp"
#include "search/core/tree.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::search {

// A node as it is written. The fields of `node` that refer to a tree are not used.
struct FrontierNode {
  Node node;
  std::uint64_t unit = 0;               // the unit by which another search has it; 0: none
  std::vector<std::uint32_t> sleepers;  // numbers
};

struct Frontier {
  std::vector<Sleeper> sections;  // choice.thread and operation.site name the section; the other fields are the range
  std::vector<Sleeper> sleepers;
  std::vector<FrontierNode> nodes;                                             // preorder
  std::vector<std::pair<std::uint32_t, std::vector<SequenceStep>>> sequences;  // by number of the node
};

std::string format_frontier(const Frontier& frontier);
// Error: "line N: expected …".
Result<Frontier> parse_frontier(std::string_view text);

// Collects nodes of a tree.
class FrontierWriter {
 public:
  explicit FrontierWriter(const Tree& tree) : tree_(tree) {}
  void add(NodeId node, std::uint64_t unit = 0);
  void add_sleeper(NodeId sleeper) { frontier_.nodes.back().sleepers.push_back(number_of(sleeper)); }  // of the last node
  void add_sequence(NodeId node, std::vector<SequenceStep> steps);
  [[nodiscard]] Frontier take() { return std::move(frontier_); }

 private:
  std::uint32_t number_of(NodeId sleeper);

  const Tree& tree_;
  Frontier frontier_;
  std::unordered_map<NodeId, std::uint32_t> nodes_, sleepers_;  // their numbers
};

}  // namespace inspect::search
