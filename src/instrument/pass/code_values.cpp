#include "instrument/pass/code_values.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include "hooks/code_table.h"
#include "instrument/pass/library.hpp"
#include "instrument/pass/mutation.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

bool is_allocation(StringRef name) {
  return name == "malloc" || name == "calloc" || name == "aligned_alloc" || name == "strdup" || name == "strndup" ||
         name.starts_with("_Znw") || name.starts_with("_Zna");
}

// Ours: what the instrumentation itself reads.
bool is_own_variable(const Value* address) {
  const auto* variable = dyn_cast<GlobalVariable>(address->stripInBoundsConstantOffsets());
  return variable && (variable->getName().starts_with("inspect_") || variable->getSection().starts_with("inspect_"));
}

class Uses {
 public:
  explicit Uses(Function& function) : function_(function) {
    for (Instruction& i : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&i);
      const Hook hook = call ? hook_of(*call) : Hook::count;
      if (!call || hook == Hook::count || !is_access_hook(hook)) continue;
      (is_read_hook(hook) ? reads_ : writes_)[call->getArgOperand(0)].push_back(call);
    }
  }

  ReadUses find() {
    Escape escape;
    for (Instruction& i : instructions(function_)) {
      if (const auto* load = dyn_cast<LoadInst>(&i)) {
        const Value* address = load->getPointerOperand();
        if (is_own_variable(address) || escape.is_local(address) || is_constant_memory(address)) continue;
        if (load->hasMetadata(LLVMContext::MD_invariant_load)) continue;
        SmallPtrSet<const CallBase*, 2> written;
        const bool steers = decides(i, written);
        if (!take(address, steers, written)) take_all();
      } else if (auto* call = dyn_cast<CallBase>(&i)) {
        look_at(*call);
      }
    }
    return std::move(found_);
  }

 private:
  Function& function_;
  DenseMap<const Value*, SmallVector<CallBase*, 2>> reads_, writes_;
  ReadUses found_;

  bool take(const Value* address, bool steers, const SmallPtrSet<const CallBase*, 2>& written) {
    const auto at = reads_.find(address);
    if (at == reads_.end()) return false;
    for (const CallBase* call : at->second) note(*call, steers, written);
    return true;
  }
  // A load whose hook is not found may have any.
  void take_all() {
    for (const auto& [address, calls] : reads_) found_.steering.insert(calls.begin(), calls.end());
  }
  void note(const CallBase& call, bool steers, const SmallPtrSet<const CallBase*, 2>& written) {
    if (steers) found_.steering.insert(&call);
    found_.flows[&call].insert(written.begin(), written.end());
  }

  void look_at(CallBase& call) {
    const Hook hook = hook_of(call);
    switch (hook) {
      case Hook::inspect_read_range:  // what a copy, or a library function, does with it is not followed
      case Hook::inspect_read_string:
      case Hook::inspect_atomic_cas:
      case Hook::inspect_atomic_point:
        found_.steering.insert(&call);
        return;
      case Hook::inspect_atomic_load:
      case Hook::inspect_atomic_rmw: {
        SmallPtrSet<const CallBase*, 2> written;
        const bool steers = decides(call, written);
        note(call, steers, written);
        return;
      }
      default:
        return;
    }
  }

  // Does a value go anywhere else than into what hooked writes store? These are noted.
  bool decides(Instruction& from, SmallPtrSet<const CallBase*, 2>& written) {
    SmallVector<Instruction*, 8> worklist{&from};
    SmallPtrSet<Instruction*, 8> seen{&from};
    while (!worklist.empty()) {
      Instruction* value = worklist.pop_back_val();
      for (Use& use : value->uses()) {
        auto* user = cast<Instruction>(use.getUser());
        if (goes_on(*user, use)) {
          if (seen.insert(user).second) worklist.push_back(user);
        } else if (!ends_in_memory(*user, use, written)) {
          return true;
        }
      }
    }
    return false;
  }

  static bool goes_on(const Instruction& user, const Use& use) {
    if (isa<BinaryOperator, UnaryOperator, PHINode, FreezeInst, CmpInst>(user)) return true;
    if (isa<CastInst>(user)) return !isa<IntToPtrInst>(user);
    if (isa<SelectInst>(user)) return use.getOperandNo() != 0;
    const auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
    return intrinsic && intrinsic->doesNotAccessMemory() && !intrinsic->isAssumeLikeIntrinsic() &&
           !intrinsic->getType()->isVoidTy();
  }

  bool ends_in_memory(const Instruction& user, const Use& use, SmallPtrSet<const CallBase*, 2>& written) const {
    if (const auto* store = dyn_cast<StoreInst>(&user)) {
      const auto at = writes_.find(store->getPointerOperand());
      if (use.getOperandNo() != 0 || at == writes_.end()) return false;
      written.insert(at->second.begin(), at->second.end());
      return true;
    }
    const auto* call = dyn_cast<CallBase>(&user);
    if (!call) return false;
    constexpr unsigned kStored = 3, kOperand = 5;
    const bool stored = (hook_of(*call) == Hook::inspect_atomic_store && use.getOperandNo() == kStored) ||
                        (hook_of(*call) == Hook::inspect_atomic_rmw && use.getOperandNo() == kOperand);
    if (stored) written.insert(call);
    return stored;
  }
};

}  // namespace

ReadUses uses_of_reads(Function& function) { return Uses(function).find(); }

uint64_t CodeValues::number(Value* value) {
  while (auto* cast = dyn_cast<BitCastOperator>(value)) value = cast->getOperand(0);
  const auto [at, fresh] = numbers_.try_emplace(value, entries_.size());
  const uint64_t number = at->second;
  if (!fresh) return number;
  entries_.emplace_back();  // its own number first: values may lead back to it
  Entry entry = describe(value);
  entries_[number] = std::move(entry);
  return number;
}

CodeValues::Entry CodeValues::describe(Value* value) {
  Entry e;
  e.kind = INSPECT_CODE_UNKNOWN;
  if (!value->getType()->isPointerTy()) return e;
  if (auto* argument = dyn_cast<Argument>(value)) {
    e.kind = argument->hasPassPointeeByValueCopyAttr() ? INSPECT_CODE_OWN : INSPECT_CODE_ARGUMENT;
    e.amount = argument->getArgNo();
  } else if (auto* variable = dyn_cast<GlobalVariable>(value)) {
    if (variable->isThreadLocal()) return e;
    e.kind = INSPECT_CODE_ADDRESS;
    e.address = variable;
    if (variable->getValueType()->isSized()) e.size = context_.layout.getTypeAllocSize(variable->getValueType());
  } else if (isa<ConstantPointerNull>(value)) {
    e.kind = INSPECT_CODE_ANY_OF;  // of nothing: no access goes there
  } else if (isa<AllocaInst>(value)) {
    e.kind = INSPECT_CODE_OWN;
  } else if (auto* element = dyn_cast<GEPOperator>(value)) {
    APInt offset(64, 0);
    const bool constant = element->accumulateConstantOffset(context_.layout, offset);
    e.kind = constant ? INSPECT_CODE_OFFSET : INSPECT_CODE_WITHIN;
    e.amount = constant ? offset.getSExtValue() : 0;
    e.of = number(element->getPointerOperand());
  } else if (auto* load = dyn_cast<LoadInst>(value)) {
    e.kind = INSPECT_CODE_LOAD;
    e.of = number(load->getPointerOperand());
  } else if (auto* freeze = dyn_cast<FreezeInst>(value)) {
    e.kind = INSPECT_CODE_OFFSET;
    e.of = number(freeze->getOperand(0));
  } else if (auto* call = dyn_cast<CallBase>(value)) {
    return describe_call(*call);
  } else if (isa<PHINode, SelectInst>(value)) {
    return describe_merge(value);
  }
  return e;
}

CodeValues::Entry CodeValues::describe_call(CallBase& call) {
  Entry e;
  e.kind = INSPECT_CODE_UNKNOWN;
  const Function* callee = call.getCalledFunction();
  if (!callee) return e;
  const bool allocates = callee->isDeclaration() && is_allocation(callee->getName());
  if (allocates || hook_of(call) == Hook::inspect_thread_local) e.kind = INSPECT_CODE_OWN;
  return e;
}

// One of several: what phis and selects lead to. Where a loop moves a pointer on, it is anywhere in its object.
CodeValues::Entry CodeValues::describe_merge(Value* value) {
  Entry e;
  SmallVector<Value*, 8> worklist{value};
  SmallPtrSet<Value*, 8> seen{value};
  SmallVector<Value*, 8> leaves;
  bool moves = false;
  const auto visit = [&](Value* v) {
    if (seen.insert(v).second) worklist.push_back(v);
  };
  while (!worklist.empty()) {
    Value* v = worklist.pop_back_val();
    if (auto* phi = dyn_cast<PHINode>(v)) {
      for (Value* incoming : phi->incoming_values()) visit(incoming);
    } else if (auto* select = dyn_cast<SelectInst>(v)) {
      visit(select->getTrueValue());
      visit(select->getFalseValue());
    } else if (auto* element = dyn_cast<GetElementPtrInst>(v)) {
      moves = true;
      visit(element->getPointerOperand());
    } else {
      leaves.push_back(v);
    }
  }
  e.kind = INSPECT_CODE_ANY_OF;
  for (Value* leaf : leaves) {
    uint64_t one = number(leaf);
    if (moves) {
      Entry inside;
      inside.kind = INSPECT_CODE_WITHIN;
      inside.of = one;
      one = entries_.size();
      entries_.push_back(inside);
    }
    e.others.push_back(one);
  }
  return e;
}

void CodeValues::write(Words& out) const {
  Type* wide = Type::getInt64Ty(context_.module.getContext());
  out.push_back(context_.wide(entries_.size()));
  for (const Entry& e : entries_) {
    const bool nowhere = e.kind == INSPECT_CODE_UNKNOWN && mutated("unknown_memory_is_none");
    out.push_back(context_.wide(nowhere ? INSPECT_CODE_ANY_OF : e.kind));
    out.push_back(context_.wide(e.of));
    out.push_back(context_.wide(uint64_t(e.amount)));
    out.push_back(e.address ? ConstantExpr::getPtrToInt(e.address, wide) : context_.wide(0));
    out.push_back(context_.wide(e.size));
    out.push_back(context_.wide(e.others.size()));
    for (const uint64_t other : e.others) out.push_back(context_.wide(other));
  }
}

}  // namespace inspect::pass
