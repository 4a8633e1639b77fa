// The dependence relation on executed transitions: hooks/dependence.h, with atomic sections compared range by range (SEMANTICS
// A.3).
//
// Guarantees: symmetric; never less than hooks/dependence.h, which the runtime uses to wake sleepers.
#pragma once
#include <span>

#include "hooks/dependence.h"
#include "model/execution.hpp"

namespace inspect {

// An operation with the ranges of its atomic section; `ranges` is empty for anything else and for a section not executed yet.
struct Label {
  const Operation& operation;
  std::span<const Operation> ranges = {};

  [[nodiscard]] bool is_section() const {
    return operation.kind == INSPECT_OP_AtomicSection && (operation.flags & INSPECT_FLAG_RANGES);
  }
};

inline Label label_of(const Event& e) { return {e.operation, e.footprint}; }

namespace detail {
inline bool section_touches(const Label& section, const Operation& o) {
  for (const Operation& range : section.ranges)
    if (inspect_dependent(&range, &o)) return true;
  return false;
}
}  // namespace detail

// Are two transitions of different threads dependent?
inline bool dependent(const Label& a, const Label& b) {
  if (!a.is_section() && !b.is_section()) return inspect_dependent(&a.operation, &b.operation);
  if (a.operation.kind == INSPECT_OP_ProcessEnd || b.operation.kind == INSPECT_OP_ProcessEnd) return true;
  if (!a.is_section()) {
    if (a.operation.kind == INSPECT_OP_AtomicSection) return true;  // its ranges are not known
    return detail::section_touches(b, a.operation);
  }
  if (!b.is_section()) {
    if (b.operation.kind == INSPECT_OP_AtomicSection) return true;
    return detail::section_touches(a, b.operation);
  }
  for (const Operation& range : b.ranges)
    if (detail::section_touches(a, range)) return true;
  return false;
}

// Does it depend on every other transition, whatever that does?
inline bool depends_on_all(const Operation& o) {
  return o.kind == INSPECT_OP_ProcessEnd || (o.kind == INSPECT_OP_AtomicSection && !(o.flags & INSPECT_FLAG_RANGES));
}

}  // namespace inspect
