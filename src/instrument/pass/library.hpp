// What the table of library functions (library.def) says.
//
// Deliberately unknown here: how calls are instrumented by it.
#pragma once
#include <llvm/ADT/StringRef.h>
#include "hooks/library_table.hpp"

namespace inspect::pass {

using library::Effect;
using library::Extent;
using LibraryFunction = library::Function;

// The row of a function; null when the table does not have it.
const LibraryFunction* library_function(llvm::StringRef name);
// May a call of this library function change something that no hook tells of?
bool may_disturb(llvm::StringRef name);
// May a call of it change memory that no hook and no model tells of?
bool writes_unreported(llvm::StringRef name);
// Known by the table, or by rule (exception handling, our own).
bool is_library_function(llvm::StringRef name);

}  // namespace inspect::pass
