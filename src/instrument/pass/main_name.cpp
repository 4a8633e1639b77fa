#include "instrument/pass/main_name.hpp"

#include <llvm/IR/GlobalAlias.h>

using namespace llvm;

namespace inspect::pass {

void restore_main_name(Module& module) {
  Function* const main = module.getFunction("inspect_program_main");
  if (!main || main->isDeclaration() || module.getNamedValue("main")) return;
  GlobalAlias::create(main->getValueType(), 0, GlobalValue::ExternalLinkage, "main", main, &module);
}

}  // namespace inspect::pass
