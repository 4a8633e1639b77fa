// Where addresses come from (hooks/code_table.h, values), and whether what is read decides about what comes next.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include "instrument/pass/escape.hpp"
#include "instrument/pass/steps.hpp"

namespace inspect::pass {

using Words = llvm::SmallVector<llvm::Constant*, 64>;

// The values of one function, numbered as they are asked for.
class CodeValues {
 public:
  explicit CodeValues(Context& context) : context_(context) {}
  // ~0 for a value that is not worth a number.
  uint64_t number(llvm::Value* value);
  void write(Words& out) const;

 private:
  struct Entry {
    uint64_t kind = 0, of = ~0ull;
    int64_t amount = 0;
    llvm::Constant* address = nullptr;
    uint64_t size = 0;
    llvm::SmallVector<uint64_t, 2> others;
  };
  Entry describe(llvm::Value* value);
  Entry describe_call(llvm::CallBase& call);
  Entry describe_merge(llvm::Value* value);

  Context& context_;
  llvm::DenseMap<llvm::Value*, uint64_t> numbers_;
  llvm::SmallVector<Entry, 16> entries_;
};

// What becomes of the values that hooked reads read.
struct ReadUses {
  // Calls of hooks whose value may decide about control flow, addresses, locks, lengths, or leaves the function.
  llvm::SmallPtrSet<const llvm::CallBase*, 16> steering;
  // Of the others: the calls of hooks that tell where it is written. It goes nowhere else.
  llvm::DenseMap<const llvm::CallBase*, llvm::SmallPtrSet<const llvm::CallBase*, 2>> flows;
};
ReadUses uses_of_reads(llvm::Function& function);

}  // namespace inspect::pass
