#include "instrument/pass/temporaries.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/hooks.hpp"
#include "instrument/pass/variables.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

enum class Language { unknown, c, cxx };

// Variables are told from temporaries by their debug information, so there must be some.
Language language_of(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  const DICompileUnit* unit = subprogram ? subprogram->getUnit() : nullptr;
  if (!unit || unit->getEmissionKind() != DICompileUnit::FullDebug || function.isPresplitCoroutine()) return Language::unknown;
  const auto language = static_cast<dwarf::SourceLanguage>(unit->getSourceLanguage());
  if (dwarf::isCPlusPlus(language)) return Language::cxx;
  return dwarf::isC(language) ? Language::c : Language::unknown;
}

enum class Role { other, constructor, destructor };

Role role_of(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return Role::other;
  const std::string name = callee->getName().str();
  ItaniumPartialDemangler parts;
  if (parts.partialDemangle(name.c_str()) || !parts.isCtorOrDtor()) return Role::other;
  size_t size = 0;
  char* base = parts.getFunctionBaseName(nullptr, &size);
  const Role role = base && base[0] == '~' ? Role::destructor : Role::constructor;
  std::free(base);
  return role;
}

bool is_of_ours(const CallBase& call) { return hook_of(call) != Hook::count; }

// Does the call take the object by value, and can its result not lead to it? A pointer or a reference might be to anything.
bool takes_by_value(const CallBase& call, const AllocaInst& object) {
  Type* result = call.getType();
  if (call.hasStructRetAttr() || !(call.use_empty() || result->isIntegerTy() || result->isFloatingPointTy())) return false;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i) == &object)
      return !call.isByValArgument(i) && !call.paramHasAttr(i, Attribute::NonNull) &&
             !call.paramHasAttr(i, Attribute::Dereferenceable) && !call.paramHasAttr(i, Attribute::DereferenceableOrNull);
  return false;
}

// The calls behind which nothing of the object is left.
bool find_ends(AllocaInst& object, TemporaryLife& life) {
  SmallVector<CallBase*, 2> takers;
  for (User* user : object.users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (!call || is_of_ours(*call) || isa<IntrinsicInst>(call)) continue;
    const bool first = call->arg_size() > 0 && call->getArgOperand(0) == &object;
    const Role role = first ? role_of(*call) : Role::other;
    if (role == Role::destructor)
      life.ends.push_back(call);
    else if (role == Role::other && !(first && call->hasStructRetAttr()))
      takers.push_back(call);
  }
  life.destroyed = !life.ends.empty();
  if (life.destroyed) return true;
  if (!object.getAllocatedType()->isStructTy() || takers.size() != 1 || takers[0]->isInlineAsm()) return false;
  life.ends.push_back(takers[0]);
  return takes_by_value(*takers[0], object);
}

// False: the address goes ways that are not followed.
bool collect_uses(Value& address, SmallPtrSetImpl<const Instruction*>& uses) {
  return all_of(address.uses(), [&](const Use& use) {
    auto* user = cast<Instruction>(use.getUser());
    uses.insert(user);
    if (isa<GetElementPtrInst, CastInst>(user)) return collect_uses(*user, uses);
    if (isa<StoreInst>(user)) return use.getOperandNo() == StoreInst::getPointerOperandIndex();
    return isa<LoadInst, CallBase>(user);
  });
}

Instruction* common_begin(Function& function, const SmallPtrSetImpl<const Instruction*>& uses) {
  const DominatorTree tree(function);
  const BasicBlock* common = nullptr;
  for (const Instruction* use : uses) {
    const BasicBlock* block = use->getParent();
    if (tree.isReachableFromEntry(block)) common = common ? tree.findNearestCommonDominator(common, block) : block;
  }
  if (!common) return nullptr;
  for (const Instruction& at : *common)
    if (uses.contains(&at) || at.isTerminator()) return const_cast<Instruction*>(&at);
  return nullptr;
}

// Can the program use the object from here on, before it begins again?
bool is_used_from(const Instruction& from, const Instruction& begin, const SmallPtrSetImpl<const Instruction*>& uses) {
  SmallVector<const Instruction*, 8> worklist{&from};
  SmallPtrSet<const BasicBlock*, 8> visited;
  while (!worklist.empty()) {
    const Instruction* at = worklist.pop_back_val();
    const BasicBlock* block = at->getParent();
    for (; at && at != &begin; at = at->getNextNode())
      if (uses.contains(at)) return true;
    if (at) continue;
    for (const BasicBlock* next : successors(block))
      if (visited.insert(next).second) worklist.push_back(&next->front());
  }
  return false;
}

bool is_used_behind(const CallBase& end, const Instruction& begin, const SmallPtrSetImpl<const Instruction*>& uses) {
  const auto* invoke = dyn_cast<InvokeInst>(&end);
  return is_used_from(invoke ? invoke->getNormalDest()->front() : *end.getNextNode(), begin, uses);
}

// What uses the address or a pointer that may come of it. No value but what stands in memory outlives an expression here.
void collect_users(Value& address, SmallSetVector<Instruction*, 16>& users) {
  for (User* user : address.users()) {
    auto* at = cast<Instruction>(user);
    if (!users.insert(at) || isa<LoadInst, StoreInst>(at)) continue;
    if (at->getType()->isPtrOrPtrVectorTy() || at->getType()->isAggregateType()) collect_users(*at, users);
  }
}

}  // namespace

std::optional<TemporaryLife> life_of_temporary(AllocaInst& object) {
  Function& function = *object.getFunction();
  if (language_of(function) != Language::cxx || !variables_in(object).empty()) return std::nullopt;
  TemporaryLife life{};
  SmallPtrSet<const Instruction*, 16> uses;
  if (!find_ends(object, life) || !collect_uses(object, uses)) return std::nullopt;
  life.begin = common_begin(function, uses);
  for (const CallBase* end : life.ends) uses.erase(end);  // of several destructors flags of the front end's choose one
  if (!life.begin || any_of(life.ends, [&](const CallBase* end) { return is_used_behind(*end, *life.begin, uses); }))
    return std::nullopt;
  return life;
}

// Where its whole expression ends stands nowhere: it lives as long as the statement.
bool is_result_of_c(const AllocaInst& object) {
  const StringRef name = object.getName();
  return object.getAllocatedType()->isStructTy() && language_of(*object.getFunction()) == Language::c &&
         (name.starts_with("tmp") || name.starts_with("coerce") || name.starts_with("agg.tmp")) && variables_in(object).empty();
}

std::optional<BlockLife> life_of_result(AllocaInst& object, ArrayRef<CallBase*> jump_targets) {
  SmallSetVector<Instruction*, 16> users;
  collect_users(object, users);
  Function& function = *object.getFunction();
  SmallPtrSet<const Instruction*, 16> uses(users.begin(), users.end());
  Instruction* const begin = common_begin(function, uses);
  const auto placed =
      find_if(users, [](const Instruction* user) { return user->getDebugLoc() && user->getDebugLoc().getLine(); });
  if (!begin || placed == users.end()) return std::nullopt;
  const auto statement = statement_at(*(*placed)->getDebugLoc());
  if (!statement) return std::nullopt;
  const Block block(function, *statement);
  for (const Instruction* user : users)
    if (!isa<PHINode>(user) && !block.contains(*user, true)) return std::nullopt;
  BlockLife life = Crossings(function, block, nullptr).life(jump_targets);
  erase_if(life.events, [](const BlockLife::Event& event) { return event.begins; });
  // A statement within the expression (GNU's `({ … })`) is another one.
  if (any_of(life.events, [&](const BlockLife::Event& end) { return is_used_from(*end.before, *begin, uses); }))
    return std::nullopt;
  life.events.insert(life.events.begin(), {begin, true, begin->getDebugLoc()});
  return life;
}

}  // namespace inspect::pass
