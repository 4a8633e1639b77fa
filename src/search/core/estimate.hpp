// How large a search will be, from the part of its tree that is explored.
//
// Two estimates (docs/algorithms.md): *recursive*, a pending subtree is like the mean of its explored siblings; *weighted*
// (Knuth; Kilby et al.), executions so far over the share of the tree explored, where each node shares its weight equally among
// its known children. The first tends to be too large, the second too small; the result is their geometric mean, with a margin
// around both. Guarantees: a function of the tree alone; cost is its open part. No bound: children that no race has asked for
// yet are not known.
#pragma once
#include <optional>

#include "search/core/tree.hpp"
#include "search/search.hpp"

namespace inspect::search {

// Nothing where no execution has ended yet.
std::optional<Estimate> estimate(const Tree& tree);

}  // namespace inspect::search
