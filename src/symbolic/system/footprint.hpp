// What a transition touches of what threads share: the footprint by which two transitions are dependent.
//
// Guarantees: it is that of the *pending* transition, whether its guard holds or not: what the guard reads is in it, a lock's
// cell too. Which element of an array is touched depends on cells that are themselves read in it; so it stays the same as long
// as only independent transitions are taken. Cells with an owner are in none: no other thread can touch them.
#pragma once
#include <optional>
#include <vector>

#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

struct Touch {
  CellId first = 0;
  std::uint32_t extent = 1;
  std::optional<Term> index;  // which one; all of them if none
  bool writes = false;
  Term condition = Terms::truth(true);
};

// Every touch of the transition, of owned cells too.
std::vector<Touch> all_touches(const System& system, const Transition& transition);
// What its guard alone reads; part of all_touches().
std::vector<Touch> guard_touches(const System& system, const Transition& transition);
// Without cells that have an owner.
std::vector<Touch> shared_touches(const System& system, std::vector<Touch> touches);

}  // namespace inspect::symbolic
