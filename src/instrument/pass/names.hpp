// Source expressions of accessed locations ("b->count", "table[h]", "x"), read off debug information.
//
// Guarantees: what is returned names the accessed object the way the source could; a part that is not known makes the whole
// unknown. Deliberately unknown here: the exact spelling in the source: an expression is rebuilt from addresses and types.
#pragma once
#include <string>

#include <llvm/IR/Instruction.h>

namespace inspect::pass {

// The location at `address` of `size` bytes (0: not known); empty when it has no name.
std::string source_expression(const llvm::Value* address, uint64_t size, const llvm::DataLayout& layout);

}  // namespace inspect::pass
