#include "instrument/pass/variables.hpp"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace inspect::pass {

namespace {

// Does the object hold the variable itself, not where it is?
template <class Declaration>
bool holds(const Declaration& declared) {
  return !declared.getExpression()->startsWithDeref();
}

}  // namespace

// An optimising compiler declares variables by their assignments.
SmallVector<const DILocalVariable*, 2> variables_in(const AllocaInst& object) {
  SmallVector<const DILocalVariable*, 2> variables;
  auto* place = const_cast<AllocaInst*>(&object);
  const auto add = [&](const auto& declarations) {
    for (const auto* declared : declarations)
      if (holds(*declared)) variables.push_back(declared->getVariable());
  };
  add(findDVRDeclares(place));
  add(findDbgDeclares(place));
  add(at::getDVRAssignmentMarkers(place));
  add(at::getAssignmentMarkers(place));
  return variables;
}

bool is_returned(const AllocaInst& object) { return object.getName().starts_with("retval"); }

const DILocalScope* block_of_variable(const AllocaInst& object) {
  if (is_returned(object)) return nullptr;
  for (const DILocalVariable* variable : variables_in(object)) {
    const DILocalScope* scope = variable->getScope()->getNonLexicalBlockFileScope();
    if (isa<DILexicalBlock>(scope)) return scope;
  }
  return nullptr;
}

BlockLife life_in_block(AllocaInst& object, const DILocalScope& scope, ArrayRef<CallBase*> jump_targets) {
  Function& function = *object.getFunction();
  const Block block(function, scope);
  AddressUses uses;
  collect_uses(object, uses);
  return Crossings(function, block, &uses).life(jump_targets);
}

}  // namespace inspect::pass
