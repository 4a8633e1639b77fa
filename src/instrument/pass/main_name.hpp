// The program's main by its own name, which the start files ask for: of an archive's member the linker takes no notice
// otherwise.
#pragma once
#include <llvm/IR/Module.h>

namespace inspect::pass {

// Where rename_main found one, an alias. At the end: the other passes know no aliases.
void restore_main_name(llvm::Module& module);

}  // namespace inspect::pass
