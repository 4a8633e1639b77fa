// Is there a run of a graph that an automaton accepts?
//
// The product of both is searched for a strongly connected component with a cycle in which every mark is borne by some
// transition: going round through all of them for ever is an accepted run, and what an accepted run takes infinitely often lies
// in one component (J.-M. Couvreur, FM 1999, looks at components on the fly, as this does when one is complete).
//
// Weak fairness: only runs count in which no thread stays enabled for ever without a step. For each thread that is: infinitely
// often it takes a step or is disabled. A condition "infinitely often" again, so it is one more mark, which the thread's own
// steps bear and all steps out of states in which it is disabled; the stutter of a run that ended bears them all, nothing being
// enabled there. As for marks, a component satisfies it if the whole component does: a cycle through all of it exists.
//
// The graph is complete before this is asked; it is not searched together with the automaton. The usual way to combine a
// partial order reduction with the product, an ample set's cycle condition on the product's search, can miss violations (S. F.
// Siegel, "What's wrong with on-the-fly partial order reduction", CAV 2019); reducing the program alone and taking the product
// with the quotient cannot. Under fairness even that is wrong: a reduced graph lacks steps of threads that are enabled, and
// the order in which threads get their turn is what fairness speaks of. So fairness needs the whole graph.
#pragma once
#include <optional>

#include "base/result.hpp"
#include "explicit_engine/ltl/automaton.hpp"
#include "explicit_engine/ltl/graph.hpp"

namespace inspect::explicit_engine::ltl {

enum class Fairness : std::uint8_t { none, weak };

// An accepted run: its prefix as short as can be, its cycle by the nearest way to all that it must pass. Error: the product is
// too large for the numbers of its nodes.
Result<std::optional<Lasso>> find_accepted(const Graph& graph, const Automaton& automaton, Fairness fairness);

}  // namespace inspect::explicit_engine::ltl
