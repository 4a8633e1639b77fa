// Site constants: the source places that hooks carry (hooks/site.h).
//
// Guarantees: every site is a private constant of its module in the section "inspect_sites", laid out as inspect_site, aligned
// so that the sections of all object files together form one array.
#pragma once
#include <map>
#include <string>
#include <tuple>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace inspect::pass {

class Sites {
 public:
  explicit Sites(llvm::Module& module);

  // The site of an instruction. expression: the source text of what it accesses; empty when not known.
  llvm::Constant* of(const llvm::Instruction& instruction, llvm::StringRef expression = {});
  llvm::Constant* of(const llvm::DILocation* location, const llvm::Function& function);
  // The site for a copy of `site` that the optimiser has inlined at `inlined_at`.
  llvm::Constant* inlined(llvm::GlobalVariable* site, const llvm::DILocation* inlined_at);
  // Drops the sites that no code refers to any more.
  static void drop_unused(llvm::Module& module);
  static bool is_site(const llvm::Value* value);

  // A private null-terminated string; a null pointer for an empty one.
  llvm::Constant* text(llvm::StringRef string);

 private:
  llvm::Constant* at(const llvm::DILocation* location, llvm::StringRef fallback_function, llvm::StringRef expression);
  llvm::Constant* make(llvm::Constant* file, llvm::Constant* function, llvm::Constant* expression, llvm::Constant* inlined_at,
                       unsigned line, unsigned column);

  llvm::Module& module_;
  llvm::StructType* type_;
  llvm::StringMap<llvm::Constant*> texts_;
  std::map<std::tuple<llvm::Constant*, llvm::Constant*, llvm::Constant*, llvm::Constant*, unsigned, unsigned>, llvm::Constant*>
      made_;
  llvm::DenseMap<std::pair<const llvm::GlobalVariable*, const llvm::DILocation*>, llvm::Constant*> copies_;
};

}  // namespace inspect::pass
