// One deliberate error for each operation: its transitions count as independent of all others.
//
// Guarantees: in the product no operation is forgotten. Deliberately unknown here: the other errors (mutation.hpp).
#pragma once

namespace inspect::search {

#ifdef INSPECT_MUTANTS
inline unsigned forgotten_kind = 0;  // inspect_kind; 0: none is
inline bool forgotten(unsigned kind) { return forgotten_kind && kind == forgotten_kind; }
#else
constexpr bool forgotten(unsigned) { return false; }
#endif

}  // namespace inspect::search
