// The code of a whole program, from an executable that the wrappers linked with --inspect-bitcode, or from a file of bitcode.
//
// Guarantees: the module holds the objects that the linker took, in its order. What the executable has beside them – other code
// before main, shared libraries, functions by the names of the library's that are not – is refused, or renamed in the module so
// that nothing models it. Deliberately unknown here: what the code means.
#pragma once
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "base/result.hpp"

namespace inspect::symbolic {

struct LoadFailure {
  bool is_unsupported = false;  // else the file is not usable
  std::string message;
};

// Null: `failure` says why.
std::unique_ptr<llvm::Module> load_program(const std::string& path, llvm::LLVMContext& context, LoadFailure& failure);

}  // namespace inspect::symbolic
