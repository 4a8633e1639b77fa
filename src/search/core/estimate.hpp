// How large a search will be, from the part of its tree that is explored.
//
// Two estimates (docs/algorithms.md, "Progress and its estimate"). *Recursive*: a pending subtree is as large as the mean of
// its explored siblings. *Weighted* (Knuth; Kilby et al., AAAI 2006): the executions so far, divided by the explored share of
// the tree, where each node divides its weight equally among its known children. The first tends to be too large, the second
// too small; the result is their geometric mean, with a margin around both. Guarantees: a function of the tree alone; the cost
// is linear in its open part. It is not a bound: children that no race has asked for yet are not known.
#pragma once
#include <optional>

#include "search/core/tree.hpp"
#include "search/search.hpp"

namespace inspect::search {

// Nothing if no execution has ended yet.
std::optional<Estimate> estimate(const Tree& tree);

}  // namespace inspect::search
