#include "instrument/pass/variables.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace inspect::pass {

namespace {

// Does the object hold the variable itself, not where it is?
template <class Declaration>
bool holds(const Declaration& declared) {
  return !declared.getExpression()->startsWithDeref();
}

// A variable whose declaration control never reaches, in a `switch` before the first label, is not told of by debug information
// but has its name. Temporaries have names with a point, but for "tmp", which may be a variable's too.
bool may_be_undeclared(const AllocaInst& object) {
  const StringRef name = object.getName();
  return !name.empty() && all_of(name, [](char c) { return isAlnum(c) || c == '_'; }) &&
         !object.getFunction()->isPresplitCoroutine();
}

// Where the first instruction with a place stands.
const DILocalScope* scope_of_start(const BasicBlock& block) {
  for (const Instruction& instruction : block)
    if (const DILocalScope* scope = scope_of(instruction)) return scope;
  return nullptr;
}

// Does a label of the `switch` stand in the scope, itself or in a block of it?
bool labels_in(const SwitchInst& choice, const DILocalScope& scope) {
  return any_of(successors(&choice), [&](const BasicBlock* next) {
    const DILocalScope* start = next->getName().starts_with("sw.") ? scope_of_start(*next) : nullptr;
    return start && is_within(start, &scope);
  });
}

// May a variable be declared in this scope where control does not come, since a label follows?
bool may_hide_declarations(const Function& function, const DILocalScope& scope) {
  return any_of(instructions(function), [&](const Instruction& instruction) {
    const auto* choice = dyn_cast<SwitchInst>(&instruction);
    return choice && scope_of(*choice) && is_within(&scope, scope_of(*choice)) && scope_of(*choice) != &scope &&
           labels_in(*choice, scope);
  });
}

// Likewise for the labels of jumps that stand there before `line`.
bool has_label_before(const Function& function, const DILocalScope& scope, unsigned line) {
  return any_of(instructions(function), [&](const Instruction& instruction) {
    return any_of(instruction.getDbgRecordRange(), [&](const DbgRecord& record) {
      const auto* label = dyn_cast<DbgLabelRecord>(&record);
      return label && label->getLabel()->getLine() <= line &&
             is_within(label->getLabel()->getScope()->getNonLexicalBlockFileScope(), &scope);
    });
  });
}

unsigned line_of(const DILocalScope& scope) {
  const auto* block = dyn_cast<DILexicalBlock>(&scope);
  return block ? block->getLine() : 0;
}

// Temporaries of C that have the name of a variable, perhaps.
bool is_temporary_name(StringRef name) { return name.starts_with("tmp") || name.starts_with("coerce"); }

// The block is the only one around all uses of the name where the declaration may be.
Extent extent_of_undeclared(const AllocaInst& object) {
  const Function& function = *object.getFunction();
  AddressUses uses;
  collect_uses(object, uses);
  const DILocalScope* inner = common_scope(uses);
  const DILocalScope* found = nullptr;
  unsigned line = ~0u;
  for (const DILocalScope* scope = inner; scope; scope = outer_scope(scope)) {
    if (may_hide_declarations(function, *scope)) {
      if (found) return {nullptr, true};
      found = scope;
      line = line_of(*scope);
    } else if (inner != function.getSubprogram() && !is_temporary_name(object.getName()) &&
               has_label_before(function, *scope, line)) {
      return {nullptr, true};
    }
  }
  return {found, false};
}

const CallBase* begin_of_handler(const BasicBlock& block) {
  for (const Instruction& at : block)
    if (const auto* call = dyn_cast<CallBase>(&at); call && call->getCalledFunction())
      if (call->getCalledFunction()->getName() == "__cxa_begin_catch") return call;
  return nullptr;
}

// In the head of a `switch`, a `while` or a handler of exceptions? Debug information has such a variable in the scope around.
// It is used there, and declared no earlier.
bool is_declared_in_head(const AllocaInst& object, const DILocalVariable& variable) {
  const DISubprogram* const function = object.getFunction()->getSubprogram();
  if (!function || !dwarf::isCPlusPlus(dwarf::SourceLanguage(function->getUnit()->getSourceLanguage()))) return false;
  const DILocalScope* const scope = variable.getScope()->getNonLexicalBlockFileScope();
  return any_of(object.users(), [&](const User* user) {
    const BasicBlock& block = *cast<Instruction>(user)->getParent();
    const Instruction* head = block.getTerminator();
    if (const CallBase* handler = begin_of_handler(block); handler && is_within(scope_of(*handler), scope))
      head = handler;
    else if (!isa<SwitchInst>(head) && !block.getName().starts_with("while.cond"))
      return false;
    return head->getDebugLoc() && head->getDebugLoc().getLine() <= variable.getLine();
  });
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

bool is_returned(const AllocaInst& object) {
  return object.getName() == "retval" && !object.getFunction()->getReturnType()->isVoidTy();
}

Extent extent_of_variable(const AllocaInst& object) {
  const auto variables = variables_in(object);
  if (is_returned(object)) return {};
  if (any_of(variables, [&](const DILocalVariable* variable) { return is_declared_in_head(object, *variable); }))
    return {nullptr, true};
  for (const DILocalVariable* variable : variables)
    if (const auto* block = dyn_cast<DILexicalBlock>(variable->getScope()->getNonLexicalBlockFileScope()))
      return {block, false};
  if (!variables.empty() || !may_be_undeclared(object)) return {};
  if (has_scopes(*object.getFunction())) return extent_of_undeclared(object);
  return {nullptr, !is_temporary_name(object.getName())};
}

BlockLife life_in_block(AllocaInst& object, const DILocalScope& scope, ArrayRef<CallBase*> jump_targets) {
  Function& function = *object.getFunction();
  const Block block(function, scope);
  AddressUses uses;
  collect_uses(object, uses);
  return Crossings(function, block, &uses).life(jump_targets);
}

}  // namespace inspect::pass
