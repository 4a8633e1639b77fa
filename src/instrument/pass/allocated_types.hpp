// Which types the code allocates, from the debug information, for reports: a row for each call of an allocating function of
// which that is certain (hooks/allocated_types.h). The debug information itself, as it is written, does not say it.
//
// Guarantees: what a `new` creates as the compiler knows it; of malloc and its like the type of the variable, member or result
// that the pointer goes to, if the size fits. Where in doubt there is no row. Changes no code.
#pragma once
#include <llvm/IR/Module.h>

namespace inspect::pass {

// To be run before all that changes code.
void list_allocated_types(llvm::Module& module);

}  // namespace inspect::pass
