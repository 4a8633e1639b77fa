#include "instrument/pass/bitcode.hpp"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "hooks/kept_code.h"

using namespace llvm;

namespace inspect::pass {

namespace {

cl::opt<bool> want_bitcode("inspect-bitcode", cl::desc("Keep the code before any pass, for the symbolic engine"),
                           cl::init(false));

}  // namespace

bool wants_bitcode() { return want_bitcode; }

PreservedAnalyses KeepCodePass::run(Module& module, ModuleAnalysisManager&) {
  if (!want_bitcode) return PreservedAnalyses::all();
  SmallString<0> code;
  raw_svector_ostream out(code);
  WriteBitcodeToFile(module, out);
  SmallString<0> part;
  const auto append_word = [&](uint64_t word) { part.append(StringRef(reinterpret_cast<const char*>(&word), sizeof word)); };
  append_word(INSPECT_KEPT_CODE_MAGIC);
  append_word(code.size());
  part.append(code);
  part.resize((part.size() + 7) / 8 * 8, '\0');
  Constant* const bytes = ConstantDataArray::getString(module.getContext(), part, false);
  auto* const kept = new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes, ".inspect.bitcode");
  kept->setSection(INSPECT_KEPT_CODE_SECTION);
  kept->setAlignment(Align(8));
  appendToUsed(module, {kept});
  return PreservedAnalyses::all();
}

}  // namespace inspect::pass
