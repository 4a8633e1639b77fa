#include "instrument/pass/sites.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr const char* kSection = "inspect_sites";

StringRef function_name(const DILocation* location, StringRef fallback) {
  const DISubprogram* subprogram = location ? location->getScope()->getSubprogram() : nullptr;
  if (!subprogram) return fallback;
  return subprogram->getLinkageName().empty() ? subprogram->getName() : subprogram->getLinkageName();
}

// The compiler may have cut off what the file's folder shares with the one it ran in.
std::string file_name(const DILocation& location) {
  const DISubprogram* subprogram = location.getScope()->getSubprogram();
  const StringRef file = location.getFilename(), folder = location.getDirectory();
  const bool cut = subprogram && subprogram->getUnit() && folder.starts_with("/") && !file.starts_with("/") &&
                   folder != subprogram->getUnit()->getDirectory();
  return cut ? (folder + "/" + file).str() : file.str();
}

}  // namespace

Sites::Sites(Module& module) : module_(module) {
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::getUnqual(context);
  Type* word = Type::getInt32Ty(context);
  type_ = StructType::get(pointer, pointer, pointer, pointer, word, word);
}

Constant* Sites::text(StringRef string) {
  if (string.empty()) return ConstantPointerNull::get(PointerType::getUnqual(module_.getContext()));
  Constant*& cached = texts_[string];
  if (cached) return cached;
  Constant* data = ConstantDataArray::getString(module_.getContext(), string);
  auto* global = new GlobalVariable(module_, data->getType(), true, GlobalValue::PrivateLinkage, data, ".inspect.text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  global->setAlignment(Align(1));
  return cached = global;
}

Constant* Sites::make(Constant* file, Constant* function, Constant* expression, Constant* inlined_at, unsigned line,
                      unsigned column) {
  Constant*& cached = made_[{file, function, expression, inlined_at, line, column}];
  if (cached) return cached;
  Type* word = Type::getInt32Ty(module_.getContext());
  Constant* fields[] = {file, function, expression, inlined_at, ConstantInt::get(word, line), ConstantInt::get(word, column)};
  auto* global = new GlobalVariable(module_, type_, true, GlobalValue::PrivateLinkage, ConstantStruct::get(type_, fields),
                                    ".inspect.site");
  global->setSection(kSection);
  global->setAlignment(Align(8));  // explicit, lest a larger natural alignment leaves gaps in the array
  return cached = global;
}

Constant* Sites::at(const DILocation* location, StringRef fallback_function, StringRef expression) {
  Constant* none = text({});
  if (!location) return make(text(module_.getSourceFileName()), text(fallback_function), text(expression), none, 0, 0);
  Constant* outer = location->getInlinedAt() ? at(location->getInlinedAt(), fallback_function, {}) : none;
  return make(text(file_name(*location)), text(function_name(location, fallback_function)), text(expression), outer,
              location->getLine(), location->getColumn());
}

Constant* Sites::of(const Instruction& instruction, StringRef expression) {
  return at(instruction.getDebugLoc().get(), instruction.getFunction()->getName(), expression);
}

Constant* Sites::of(const DILocation* location, const Function& function) { return at(location, function.getName(), {}); }

Constant* Sites::inlined(GlobalVariable* site, const DILocation* inlined_at) {
  Constant*& cached = copies_[{site, inlined_at}];
  if (cached) return cached;
  const auto* fields = cast<ConstantStruct>(site->getInitializer());
  const auto number = [&](unsigned i) { return unsigned(cast<ConstantInt>(fields->getOperand(i))->getZExtValue()); };
  return cached = make(fields->getOperand(0), fields->getOperand(1), fields->getOperand(2), at(inlined_at, {}, {}), number(4),
                       number(5));
}

bool Sites::is_site(const Value* value) {
  const auto* global = dyn_cast<GlobalVariable>(value);
  return global && global->hasInitializer() && global->getSection() == kSection;
}

void Sites::drop_unused(Module& module) {
  for (bool again = true; again;) {  // an outer site becomes unused with the last inner one
    again = false;
    for (GlobalVariable& global : make_early_inc_range(module.globals())) {
      global.removeDeadConstantUsers();
      if (!is_site(&global) || !global.use_empty()) continue;
      global.eraseFromParent();
      again = true;
    }
  }
}

}  // namespace inspect::pass
