// Joins in a row: calls of pthread_join behind which nothing but further joins can come before the next one, where the handles
// are used for nothing else.
//
// In which of them a thread is, and in which order it makes them, makes no difference once all are done (SEMANTICS I.2).
// Guarantees: from such a call, as long as only joins follow, nothing is written, nothing is read but handles from stack
// objects that nobody else knows, and no result of a join is used; none of these objects is used for anything else from there
// on.
#pragma once
#include <llvm/IR/InstrTypes.h>

namespace inspect::pass {

bool is_join_in_row(const llvm::CallBase& call);

}  // namespace inspect::pass
