// The dependence relation on executed transitions: hooks/dependence.h, with atomic sections compared range by range (SEMANTICS
// A.3).
//
// Guarantees: symmetric; never less than hooks/dependence.h, which the runtime uses to wake sleepers.
#pragma once
#include <span>

#include "hooks/dependence.h"
#include "model/execution.hpp"

namespace inspect {

// An operation, with the ranges of its atomic section if they are known; a section without depends on everything.
struct Label {
  const Operation& operation;
  std::span<const Operation> ranges = {};
  bool is_section = false;  // `ranges` holds all that it touches

  [[nodiscard]] bool depends_on_all() const {
    return operation.kind == INSPECT_OP_ProcessEnd || (operation.kind == INSPECT_OP_AtomicSection && !is_section);
  }
};

inline Label label_of(const Event& e) {
  const bool section = e.operation.kind == INSPECT_OP_AtomicSection && (e.operation.flags & INSPECT_FLAG_RANGES);
  return {e.operation, e.footprint, section};
}

namespace detail {
inline bool section_touches(const Label& section, const Operation& o) {
  for (const Operation& range : section.ranges)
    if (inspect_dependent(&range, &o)) return true;
  return false;
}
}  // namespace detail

// Are two transitions of different threads dependent?
inline bool dependent(const Label& a, const Label& b) {
  if (!a.is_section && !b.is_section) return inspect_dependent(&a.operation, &b.operation);
  if (a.depends_on_all() || b.depends_on_all()) return true;
  if (!a.is_section) return detail::section_touches(b, a.operation);
  if (!b.is_section) return detail::section_touches(a, b.operation);
  for (const Operation& range : b.ranges)
    if (detail::section_touches(a, range)) return true;
  return false;
}

}  // namespace inspect
