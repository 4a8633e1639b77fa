// The lives of stack objects: where those that others may know begin and end, and which of these places need no hook after all.
//
// An object that its function alone uses, by name, needs none. Others are told of where the front end says that their block
// begins and ends, else where the function does. What control leaves by a jump or an exception is told of where it arrives;
// objects of an inlined function lie in the frame where it arrives, and are told of by name there.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/escape.hpp"
#include "instrument/pass/literals.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"
#include "instrument/pass/temporaries.hpp"
#include "instrument/pass/variables.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Where a jump arrives: setjmp and its like.
bool is_jump_target(const CallBase& call) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  return call.hasFnAttr(Attribute::ReturnsTwice) || (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp);
}

Hook hook_at(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call ? hook_of(*call) : Hook::count;
}

SmallVector<const Value*, 4> objects_of(const Value* address) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, 0);
  return objects;
}

// Does other code than this function's get to see the address, be it only during a call?
bool is_seen_by_others(const Value* address, SmallPtrSetImpl<const Value*>& seen) {
  if (!seen.insert(address).second) return false;
  return any_of(address->uses(), [&](const Use& use) {
    const User* user = use.getUser();
    if (isa<LoadInst, ICmpInst>(user)) return false;
    if (isa<StoreInst>(user)) return use.getOperandNo() != StoreInst::getPointerOperandIndex();
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst>(user)) return is_seen_by_others(user, seen);
    const auto* call = dyn_cast<CallBase>(user);
    if (!call) return true;
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call))
      if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd() || isa<AnyMemIntrinsic>(intrinsic))
        return false;
    return !is_access_hook(hook_of(*call));
  });
}

// Calls visit(instruction) for those that may follow `from`; it returns false where a way is not to be followed further.
template <class F>
void for_each_after(const Instruction& from, F&& visit) {
  SmallVector<const Instruction*, 8> worklist{from.getNextNode()};
  SmallPtrSet<const BasicBlock*, 8> visited;
  while (!worklist.empty()) {
    const Instruction* at = worklist.pop_back_val();
    const BasicBlock* block = at->getParent();
    while (at && visit(*at)) at = at->getNextNode();
    if (at) continue;
    for (const BasicBlock* next : successors(block))
      if (visited.insert(next).second) worklist.push_back(&next->front());
  }
}

// Is the place in the call of the function that the object's begin stands in, or in one that this call has inlined?
bool is_within_call_of(const CallBase& begin, const Instruction& place) {
  const auto call_of = [](const Instruction& i) { return i.getDebugLoc() ? i.getDebugLoc()->getInlinedAt() : nullptr; };
  const DILocation* const call = call_of(begin);
  const DILocation* at = call_of(place);
  while (at && at != call) at = at->getInlinedAt();
  return at == call;
}

// May an object that has begun be alive where control arrives, by an edge of the function's graph?
bool arrives_alive(const CallBase& begin, const CallBase& arrival) {
  const Value* const object = begin.getArgOperand(0);
  bool arrives = false;
  for_each_after(begin, [&](const Instruction& at) {
    arrives |= &at == &arrival;
    return !arrives && !(is_life_hook(hook_at(at)) && cast<CallBase>(at).getArgOperand(0) == object);
  });
  return arrives;
}

bool is_ended_right_after(const CallBase& arrival, const Value* object) {
  for (const Instruction* at = arrival.getNextNode(); at && hook_at(*at) == Hook::inspect_stack_free; at = at->getNextNode())
    if (cast<CallBase>(at)->getArgOperand(0) == object) return true;
  return false;
}

// Control that arrives by a jump or an exception has left the calls of inlined functions that the place does not belong to.
bool end_left_objects(Function& function) {
  SmallVector<CallBase*, 8> arrivals, begins;
  bool has_jump_targets = false;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call) continue;
    has_jump_targets |= is_jump_target(*call);
    if (hook_of(*call) == Hook::inspect_stack_left) arrivals.push_back(call);
    if (hook_of(*call) != Hook::inspect_stack_begin || !call->getDebugLoc() || !call->getDebugLoc()->getInlinedAt()) continue;
    const auto* object = dyn_cast<AllocaInst>(call->getArgOperand(0));
    if (object && object->isStaticAlloca()) begins.push_back(call);
  }
  bool changed = false;
  Hooks hooks(*function.getParent());
  for (CallBase* arrival : arrivals)
    for (CallBase* begin : begins) {
      Value* const object = begin->getArgOperand(0);
      if (is_within_call_of(*begin, *arrival) || is_ended_right_after(*arrival, object)) continue;
      if (!has_jump_targets && !arrives_alive(*begin, *arrival)) continue;  // a jump has no edge in the graph
      IRBuilder<> builder(arrival->getNextNode());
      builder.SetCurrentDebugLocation(arrival->getDebugLoc());
      Value* const site = arrival->getArgOperand(0);
      hooks.call(builder, Hook::inspect_stack_free, {object, begin->getArgOperand(1), site});
      changed = true;
    }
  return changed;
}

// Can an access to the object come after this end of it, before it begins again?
bool is_used_after(const CallBase& end, const Value* object) {
  bool used = false;
  for_each_after(end, [&](const Instruction& at) {
    const Hook hook = hook_at(at);
    if (used || hook == Hook::count || !is_access_hook(hook)) return !used;
    const Value* address = cast<CallBase>(at).getArgOperand(0);
    if (!is_life_hook(hook)) return !(used = is_contained(objects_of(address), object));
    return hook != Hook::inspect_stack_begin || address != object;
  });
  return used;
}

// Which objects of the function have a life that others see.
class Lives {
 public:
  explicit Lives(Function& function) {
    SmallVector<const CallBase*, 8> ends;
    for (Instruction& instruction : instructions(function)) {
      const Hook hook = hook_at(instruction);
      if (hook == Hook::count || !is_access_hook(hook)) continue;
      auto* call = cast<CallBase>(&instruction);
      if (is_life_hook(hook))
        life_hooks_.push_back(call);
      else
        access_hooks_.push_back(call);
      if (hook == Hook::inspect_stack_free) ends.push_back(call);
    }
    if (access_hooks_.empty()) return;
    for (const CallBase* end : ends) {  // a pointer that dangles need not have left the function
      const Value* object = end->getArgOperand(0);
      if (is_stack_object(object) && !escape_.escapes(object) && is_used_after(*end, object)) escape_.keep(object);
    }
    for (CallBase* call : access_hooks_) {
      if (escape_.is_local(call->getArgOperand(0))) {
        local_.push_back(call);
        continue;
      }
      for (const Value* object : objects_of(call->getArgOperand(0)))
        if (is_stack_object(object)) told_[object] = true;
    }
  }

  [[nodiscard]] ArrayRef<CallBase*> life_hooks() const { return life_hooks_; }
  // Hooks of accesses that nobody can see.
  [[nodiscard]] ArrayRef<CallBase*> local_accesses() const { return local_; }

  bool is_told(const Value* object) {
    const auto [entry, inserted] = told_.try_emplace(object, false);
    if (!inserted) return entry->second;
    SmallPtrSet<const Value*, 16> seen;
    const bool told = escape_.escapes(object) || is_seen_by_others(object, seen);
    return told_[object] = told;
  }

 private:
  Escape escape_;
  DenseMap<const Value*, bool> told_;
  SmallVector<CallBase*, 16> life_hooks_, access_hooks_, local_;
};

class Marker {
 public:
  Marker(Context& context, Function& function) : context_(context), function_(function), lives_(function) {
    entry_ = &function.getEntryBlock().front();
    while (isa<AllocaInst>(entry_) && cast<AllocaInst>(entry_)->isStaticAlloca()) entry_ = entry_->getNextNode();
    if (!function.isPresplitCoroutine()) {
      leaves_by_tail_ = any_of(function, [](BasicBlock& block) { return block.getTerminatingMustTailCall(); });
      if (!leaves_by_tail_) exits_ = exits_of(function);  // with such a call its arguments may point into the frame
    } else {  // what outlives a suspension is no stack object; it must not be touched before it has a place
      for (Instruction& instruction : instructions(function))
        if (auto* call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == Intrinsic::coro_begin)
          entry_ = call->getNextNode();
    }
    if (const DISubprogram* subprogram = function.getSubprogram())
      begin_ = DILocation::get(function.getContext(), subprogram->getScopeLine(), 0, const_cast<DISubprogram*>(subprogram));
  }

  void run() {
    SmallVector<AllocaInst*, 8> fixed, grown;
    for (Instruction& instruction : instructions(function_)) {
      auto* object = dyn_cast<AllocaInst>(&instruction);
      if (!object || object->getAddressSpace() != 0 || object->isSwiftError() || !lives_.is_told(object)) continue;
      (object->isStaticAlloca() ? fixed : grown).push_back(object);
    }
    SmallVector<CallBase*, 4> jump_targets;
    SmallVector<VAStartInst*, 2> variable_arguments;
    for (Instruction& instruction : instructions(function_)) {
      if (auto* call = dyn_cast<CallBase>(&instruction); call && is_jump_target(*call)) jump_targets.push_back(call);
      if (auto* start = dyn_cast<VAStartInst>(&instruction)) variable_arguments.push_back(start);
    }
    if (!grown.empty() || (!function_.getSubprogram() && !fixed.empty())) keep_whole();
    if (leaves_by_tail_ && !all_of(fixed, is_of_the_pass)) mark_unknown(begin_);
    for (AllocaInst* object : fixed) mark_fixed(*object, jump_targets);
    for (Argument& argument : function_.args())
      if (argument.hasByValAttr() && lives_.is_told(&argument))
        mark_whole(argument, context_.layout.getTypeAllocSize(argument.getParamByValType()));
    if (!function_.isPresplitCoroutine()) mark_grown(grown);
    for (VAStartInst* start : variable_arguments) {
      IRBuilder<> builder(start->getNextNode());
      builder.SetCurrentDebugLocation(start->getDebugLoc());
      context_.hooks.call(builder, Hook::inspect_variable_arguments, {start->getArgList()});
    }
    if (!variable_arguments.empty()) end_variable_arguments();
    for (CallBase* call : jump_targets) mark_arrival(*after(*call));
    for (BasicBlock& block : function_)
      if (block.isLandingPad()) mark_arrival(*block.getFirstInsertionPt());
  }

 private:
  Context& context_;
  Function& function_;
  Lives lives_;
  Instruction* entry_;  // behind the objects of fixed size
  SmallVector<Instruction*, 8> exits_;
  bool leaves_by_tail_ = false;  // by a call that takes the frame's place: where its objects end is not told
  const DILocation* begin_ = nullptr;

  // The pass hands out no object of its own beyond the calls that it makes.
  static bool is_of_the_pass(const AllocaInst* object) { return object->getName().starts_with(".inspect."); }

  static Instruction* after(CallBase& call) {
    if (auto* invoke = dyn_cast<InvokeInst>(&call)) return &*invoke->getNormalDest()->getFirstInsertionPt();
    return call.getNextNode();
  }

  void tell(Instruction& before, const DILocation* location, Hook hook, Value& object, Value* size, StringRef name) {
    IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(location ? location : begin_);
    CallInst* call = context_.hooks.call(builder, hook, {&object, size, context_.sites.text({})});
    call->setArgOperand(2, context_.sites.of(*call, name));
  }

  // What is left by a jump or an exception could not be told once the function was inlined: an object of variable size has no
  // place that is known where control arrives, and without debug information nothing says whose object it was.
  void keep_whole() {
    if (function_.hasAvailableExternallyLinkage()) return;
    function_.removeFnAttr(Attribute::AlwaysInline);
    function_.addFnAttr(Attribute::NoInline);
  }

  // From the function's begin to its end.
  void mark_whole(Value& object, uint64_t size) {
    if (size == 0) return;
    const std::string name = source_expression(&object, size, context_.layout);
    auto* made = dyn_cast<Instruction>(&object);
    const bool later = made && made->getParent() == entry_->getParent() && entry_->comesBefore(made);
    Instruction* first = later ? made->getNextNode() : entry_;
    tell(*first, begin_, Hook::inspect_stack_begin, object, context_.wide(size), name);
    for (Instruction* exit : exits_)
      tell(*exit, exit->getDebugLoc().get(), Hook::inspect_stack_free, object, context_.wide(size), name);
  }

  // A list may be kept longer than the arguments: where they lie, a list of our own says.
  void end_variable_arguments() {
    if (exits_.empty() || function_.hasFnAttribute(Attribute::NoImplicitFloat)) return;  // then they are fewer
    IRBuilder<> first(entry_);
    constexpr unsigned kListBytes = 24;  // of x86-64
    AllocaInst* const list = first.CreateAlloca(ArrayType::get(first.getInt8Ty(), kListBytes), nullptr, ".inspect.list");
    list->setAlignment(Align(16));
    for (Instruction* exit : exits_) {
      IRBuilder<> builder(exit);
      builder.SetCurrentDebugLocation(exit->getDebugLoc() ? exit->getDebugLoc().get() : begin_);
      builder.CreateIntrinsic(Intrinsic::vastart, {list->getType()}, {list});
      CallInst* call = context_.hooks.call(builder, Hook::inspect_variable_arguments_end, {list, context_.sites.text({})});
      call->setArgOperand(1, context_.sites.of(*call, "variable arguments"));
    }
  }

  void mark_fixed(AllocaInst& object, ArrayRef<CallBase*> jump_targets) {
    const std::optional<TypeSize> bytes = object.getAllocationSize(context_.layout);
    if (!bytes || bytes->isScalable() || bytes->isZero()) return;
    const uint64_t size = bytes->getFixedValue();
    SmallVector<IntrinsicInst*, 4> begins, ends;
    for (User* user : object.users())
      if (auto* mark = dyn_cast<IntrinsicInst>(user); mark && mark->isLifetimeStartOrEnd())
        (mark->getIntrinsicID() == Intrinsic::lifetime_start ? begins : ends).push_back(mark);
    if (begins.empty()) {
      if (is_literal(object)) return mark_in_block(object, size, life_of_literal(object, jump_targets), "a compound literal");
      const auto [block, unknown] = extent_of_variable(object);
      if (block)
        return mark_life(object, size, life_in_block(object, *block, jump_targets),
                         source_expression(&object, size, context_.layout));
      if (!unknown && is_result_of_c(object)) return mark_in_block(object, size, life_of_result(object, jump_targets), {});
      if (const auto life = life_of_temporary(object); life && !unknown) return mark_temporary(object, size, *life);
      if (unknown) mark_unknown(begin_);
      return mark_whole(object, size);
    }
    const std::string name = source_expression(&object, size, context_.layout);
    const auto tell_at = [&](Instruction& before, const DebugLoc& location, Hook hook) {
      tell(before, location.get(), hook, object, context_.wide(size), name);
    };
    for (IntrinsicInst* mark : begins) tell_at(*mark->getNextNode(), mark->getDebugLoc(), Hook::inspect_stack_begin);
    for (IntrinsicInst* mark : ends) tell_at(*mark, mark->getDebugLoc(), Hook::inspect_stack_free);
    for (CallBase* target : jump_targets)  // a jump to there leaves the block
      if (!may_live_at(*target, object, begins)) tell_at(*after(*target), target->getDebugLoc(), Hook::inspect_stack_free);
  }

  // It may be used after its end, and that would not be seen.
  void mark_unknown(const DILocation* place) {
    IRBuilder<> builder(entry_);
    builder.SetCurrentDebugLocation(place);
    CallInst* call = context_.hooks.call(builder, Hook::inspect_stack_unknown, {context_.sites.text({})});
    call->setArgOperand(0, context_.sites.of(*call));
  }

  void mark_in_block(AllocaInst& object, uint64_t size, const std::optional<BlockLife>& life, StringRef name) {
    if (life) return mark_life(object, size, *life, name);
    mark_unknown(begin_);
    mark_whole(object, size);
  }

  void mark_life(AllocaInst& object, uint64_t size, const BlockLife& life, StringRef name) {
    Value* const bytes = context_.wide(size);
    for (const auto& [before, begins, place] : life.events)
      tell(*before, place.get(), begins ? Hook::inspect_stack_begin : Hook::inspect_stack_free, object, bytes, name);
    for (CallBase* target : life.left_by_jumps_to)
      tell(*after(*target), target->getDebugLoc().get(), Hook::inspect_stack_free, object, bytes, name);
  }

  void mark_temporary(AllocaInst& object, uint64_t size, const TemporaryLife& life) {
    Value* const bytes = context_.wide(size);
    tell(*life.begin, life.begin->getDebugLoc().get(), Hook::inspect_stack_begin, object, bytes, {});
    for (CallBase* end : life.ends) tell(*after(*end), end->getDebugLoc().get(), Hook::inspect_stack_free, object, bytes, {});
    if (life.destroyed) return;
    for (Instruction* exit : exits_)  // behind an exception that has been caught
      tell(*exit, exit->getDebugLoc().get(), Hook::inspect_stack_free, object, bytes, {});
  }

  static bool may_live_at(const CallBase& target, const AllocaInst& object, ArrayRef<IntrinsicInst*> begins) {
    bool lives = false;
    for (const IntrinsicInst* begin : begins)
      for_each_after(*begin, [&](const Instruction& at) {
        if (&at == &target) lives = true;
        const auto* mark = dyn_cast<IntrinsicInst>(&at);
        return !lives && !(mark && mark->getIntrinsicID() == Intrinsic::lifetime_end && mark->getArgOperand(1) == &object);
      });
    return lives;
  }

  // Variable-length arrays and alloca: dead where the stack pointer goes back above them.
  void mark_grown(ArrayRef<AllocaInst*> objects) {
    if (objects.empty()) return;
    for (AllocaInst* object : objects) {
      IRBuilder<> builder(object->getNextNode());
      const TypeSize element = context_.layout.getTypeAllocSize(object->getAllocatedType());
      if (element.isScalable()) continue;
      hide_size(*object);
      Value* count = builder.CreateZExtOrTrunc(object->getArraySize(), builder.getInt64Ty());
      Value* size = builder.CreateMul(count, context_.wide(element.getFixedValue()));
      tell(*builder.GetInsertPoint(), object->getDebugLoc().get(), Hook::inspect_stack_begin, *object, size, {});
    }
    SmallVector<IntrinsicInst*, 4> restores;
    for (Instruction& instruction : instructions(function_))
      if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
          intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
        restores.push_back(intrinsic);
    for (IntrinsicInst* restore : restores) cut(*restore, restore->getArgOperand(0));
    if (exits_.empty()) return;
    Value* before_all = IRBuilder<>(entry_).CreateStackSave();
    for (Instruction* exit : exits_) cut(*exit, before_all);
  }

  // An object whose size the optimiser finds out may become one of the whole function, which no cut of the stack ends.
  static void hide_size(AllocaInst& object) {
    Value* const size = object.getArraySize();
    auto* type = FunctionType::get(size->getType(), {size->getType()}, false);
    object.setOperand(0, IRBuilder<>(&object).CreateCall(type, InlineAsm::get(type, "", "=r,0", false), {size}));
  }

  void cut(Instruction& before, Value* end) {
    IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    context_.hooks.call(builder, Hook::inspect_stack_cut, {end, context_.sites.of(before)});
  }

  void mark_arrival(Instruction& before) {
    IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(before.getDebugLoc() ? before.getDebugLoc().get() : begin_);
    context_.hooks.call(builder, Hook::inspect_stack_left, {context_.sites.of(before)});
  }
};

// Without objects of variable size there is nothing to cut.
bool drop_cuts(Function& function) {
  SmallVector<CallBase*, 4> cuts;
  for (Instruction& instruction : instructions(function)) {
    const Hook hook = hook_at(instruction);
    if (hook == Hook::inspect_stack_cut) cuts.push_back(cast<CallBase>(&instruction));
    if (hook != Hook::inspect_stack_begin) continue;
    const auto* object = dyn_cast<AllocaInst>(cast<CallBase>(instruction).getArgOperand(0));
    if (object && !object->isStaticAlloca()) return false;
  }
  for (CallBase* cut : cuts) {
    auto* saved = dyn_cast<IntrinsicInst>(cut->getArgOperand(0));
    cut->eraseFromParent();
    if (saved && saved->use_empty()) saved->eraseFromParent();
  }
  return !cuts.empty();
}

}  // namespace

void mark_stack_objects(Context& context, Function& function) { Marker(context, function).run(); }

bool prune_local_hooks(Function& function) {
  const bool ended = end_left_objects(function);
  Lives lives(function);
  SmallVector<CallBase*, 16> local(lives.local_accesses());
  for (CallBase* call : lives.life_hooks()) {
    const Value* object = call->getArgOperand(0);
    if (is_stack_object(object) && !lives.is_told(object)) local.push_back(call);
  }
  for (CallBase* call : local) call->eraseFromParent();
  const bool cut = drop_cuts(function);
  return ended || cut || !local.empty();
}

void separate_stack_objects(Function& function) {
  SmallPtrSet<const Value*, 8> told;
  for (Instruction& instruction : instructions(function))
    if (is_life_hook(hook_at(instruction))) told.insert(cast<CallBase>(instruction).getArgOperand(0));
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (instruction.isLifetimeStartOrEnd() && told.contains(cast<IntrinsicInst>(instruction).getArgOperand(1)))
      instruction.eraseFromParent();
}

}  // namespace inspect::pass
