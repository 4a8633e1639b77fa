// The rows of bug_kinds.def as values.
//
// Guarantees: each value of inspect_bug has its row, or this does not compile.
#pragma once
#include <cstdint>
#include <iterator>
#include <string_view>

#include "hooks/execution.h"

namespace inspect {

struct BugKind {
  inspect_bug value;
  std::string_view name;
  bool goes_on, hides, message;
};

inline constexpr BugKind kBugKinds[] = {
    {INSPECT_BUG_NONE, "none", true, true, false},
#define BUG(value, name, goes_on, hides, message) {value, name, goes_on, hides, message},
#include "model/bug_kinds.def"
};

constexpr bool has_row(inspect_bug kind) {
  switch (kind) {
    case INSPECT_BUG_NONE:
#define BUG(value, name, goes_on, hides, message) case value:
#include "model/bug_kinds.def"
      return kBugKinds[kind].value == kind;
  }
  return false;
}

consteval bool all_have_rows() {
  for (const BugKind& row : kBugKinds)
    if (!has_row(row.value)) return false;
  return true;
}
static_assert(std::size(kBugKinds) == INSPECT_BUG_LAST + 1 && all_have_rows());

// What is no kind counts as one of which nothing is known.
constexpr const BugKind& bug_kind(std::uint32_t kind) { return kBugKinds[kind <= INSPECT_BUG_LAST ? kind : 0]; }

}  // namespace inspect
