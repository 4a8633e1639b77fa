// The name `main` for the program's main, which the instrumentation has renamed: the start files ask for it, and without it
// the linker would not take a main out of an archive.
#pragma once
#include <llvm/IR/Module.h>

namespace inspect::pass {

// Adds an alias `main` if rename_main has renamed one. To be run last: the other passes know no aliases.
void restore_main_name(llvm::Module& module);

}  // namespace inspect::pass
