// Groups of states that are never left: the bottom components of a state graph that have transitions.
//
// Where one is reached the program never ends. Deliberately unknown here: whether that is as it should be.
#pragma once
#include <vector>

#include "explicit_engine/state_graph.hpp"

namespace inspect::explicit_engine {

// Of each group the state with the smallest number, in ascending order. The graph must be complete.
std::vector<StateNumber> bottoms(const StateGraph& graph);

}  // namespace inspect::explicit_engine
