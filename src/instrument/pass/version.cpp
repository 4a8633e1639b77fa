// Which hooks an object was made for, so that at link and load time it is seen whether they are those of this build.
#include "hooks/version.h"
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

void write_version(Module& module) {
  Constant* const version = ConstantInt::get(Type::getInt64Ty(module.getContext()), INSPECT_HOOKS_VERSION);
  auto* global = new GlobalVariable(module, version->getType(), true, GlobalValue::PrivateLinkage, version, ".inspect.version");
  global->setSection("inspect_version");
  global->setAlignment(Align(8));
  appendToUsed(module, {global});
}

}  // namespace inspect::pass
