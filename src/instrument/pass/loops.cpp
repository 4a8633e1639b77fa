// The heads of loops: where the runtime counts turns, and sees whether a turn has changed anything.
//
// A loop carries from one turn to the next the values of the phi nodes at its head, and memory. Stores to memory have hooks,
// but for stack objects of this activation, whose bytes are therefore part of what is handed over, if they are alive there.
// What else is alive there was the same already when the loop was entered; entries are numbered.
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include "instrument/pass/begun_objects.hpp"
#include "instrument/pass/library.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr unsigned kSmallTripCount = 1000;
constexpr uint64_t kMostBytes = 384;  // of what a loop carries
constexpr unsigned kWord = 8;

struct StackObject {
  Value* address;
  uint64_t size;
};

// Stack objects of an activation; none if their sizes are not constant.
std::optional<SmallVector<StackObject, 8>> stack_objects(Function& function, const DataLayout& layout) {
  SmallVector<StackObject, 8> objects;
  for (Argument& argument : function.args())
    if (argument.hasByValAttr()) objects.push_back({&argument, layout.getTypeAllocSize(argument.getParamByValType())});
  for (Instruction& instruction : instructions(function)) {
    if (auto* object = dyn_cast<AllocaInst>(&instruction)) {
      const std::optional<TypeSize> size = object->getAllocationSize(layout);
      if (!object->isStaticAlloca() || !size || size->isScalable()) return std::nullopt;
      if (size->getFixedValue()) objects.push_back({object, size->getFixedValue()});
    }
  }
  return objects;
}

bool has_integer_form(Type* type) {
  if (const auto* vector = dyn_cast<FixedVectorType>(type)) type = vector->getElementType();
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy();
}

class LoopHeads {
 public:
  LoopHeads(Context& context, Function& function) : context_(context), wide_(context.wide(0)->getType()), begun_(function) {
    budget_ = context.module.getOrInsertGlobal("inspect_loop_budget", wide_);
    entries_ = context.module.getOrInsertGlobal("inspect_loop_entries", wide_);
    unlikely_ = MDBuilder(context.module.getContext()).createUnlikelyBranchWeights();
    objects_ = stack_objects(function, context.layout);
  }

  // A loop whose other predecessors than `latches` enter it. place: where it stands in the source.
  void mark(BasicBlock& head, const SmallPtrSetImpl<BasicBlock*>& latches, const DebugLoc& place) {
    SmallVector<PHINode*, 8> carried;
    const SmallVector<StackObject, 8> objects = objects_alive(head);
    bool known = objects_.has_value();
    uint64_t bytes = 0;
    for (const StackObject& object : objects) bytes += alignTo(object.size, kWord);
    for (PHINode& phi : head.phis()) {
      carried.push_back(&phi);
      known &= has_integer_form(phi.getType());
      bytes += known ? words(phi.getType()) * kWord : 0;
    }
    known &= bytes <= kMostBytes && !head.isEHPad();
    Value* entry = known ? number_entries(head, latches) : context_.wide(0);
    count(*head.getFirstInsertionPt(), place, [&](IRBuilder<>& builder) {
      if (!known) return entry;
      for (PHINode* phi : carried) hand_over(builder, phi);
      for (const StackObject& object : objects)
        context_.hooks.call(builder, Hook::inspect_loop_memory, {object.address, context_.wide(object.size)});
      return entry;
    });
  }

  // An edge back into what is no natural loop: its turns are counted only.
  void count_edge(Instruction& end) {
    count(end, end.getDebugLoc(), [&](IRBuilder<>&) -> Value* { return context_.wide(0); });
  }

 private:
  Context& context_;
  Type* wide_;
  Constant* budget_;
  Constant* entries_;
  MDNode* unlikely_;
  std::optional<SmallVector<StackObject, 8>> objects_;
  BegunObjects begun_;  // of the function without what is inserted here

  SmallVector<StackObject, 8> objects_alive(const BasicBlock& head) const {
    SmallVector<StackObject, 8> alive;
    if (objects_)
      copy_if(*objects_, std::back_inserter(alive), [&](const StackObject& o) { return begun_.may_be_alive(o.address, head); });
    return alive;
  }

  [[nodiscard]] uint64_t words(Type* type) const {
    return divideCeil(context_.layout.getTypeSizeInBits(type).getFixedValue(), 64);
  }

  template <class Prepare>
  void count(Instruction& before, const DebugLoc& place, Prepare&& prepare) {
    IRBuilder<> builder(&before);
    Constant* site = context_.sites.of(place.get(), *before.getFunction());
    Value* left = builder.CreateSub(builder.CreateLoad(wide_, budget_), context_.wide(1));
    builder.CreateStore(left, budget_);
    Value* empty = builder.CreateICmpSLE(left, context_.wide(0));
    IRBuilder<> out_of_line(SplitBlockAndInsertIfThen(empty, &before, false, unlikely_));
    out_of_line.SetCurrentDebugLocation(place);
    Value* entry = prepare(out_of_line);
    context_.hooks.call(out_of_line, Hook::inspect_loop, {entry, site});
  }

  // A phi that tells this entry from every other one.
  Value* number_entries(BasicBlock& head, const SmallPtrSetImpl<BasicBlock*>& latches) {
    SmallVector<BasicBlock*, 4> before(predecessors(&head));
    PHINode* entry = PHINode::Create(wide_, unsigned(before.size()), "", head.begin());
    SmallDenseMap<BasicBlock*, Value*, 4> numbers;
    for (BasicBlock* block : before) {
      Value*& number = numbers[block];
      if (latches.contains(block)) {
        number = entry;
      } else if (!number) {
        IRBuilder<> builder(block->getTerminator());
        number = builder.CreateAdd(builder.CreateLoad(wide_, entries_), context_.wide(1));
        builder.CreateStore(number, entries_);
      }
      entry->addIncoming(number, block);
    }
    return entry;
  }

  void hand_over(IRBuilder<>& builder, Value* value) {
    Type* type = value->getType();
    if (type->isPtrOrPtrVectorTy()) value = builder.CreatePtrToInt(value, context_.layout.getIntPtrType(type));
    const unsigned bits = unsigned(context_.layout.getTypeSizeInBits(value->getType()).getFixedValue());
    value = builder.CreateBitCast(value, builder.getIntNTy(bits));
    for (unsigned at = 0; at < bits; at += 64) {
      Value* part = at ? builder.CreateLShr(value, at) : value;
      context_.hooks.call(builder, Hook::inspect_loop_value, {builder.CreateZExtOrTrunc(part, wide_)});
    }
  }
};

struct Head {
  SmallPtrSet<BasicBlock*, 4> latches;
  DebugLoc place;
};

}  // namespace

void mark_loops(Context& context, Function& function, LoopInfo& loops, ScalarEvolution& evolution) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 16> edges;
  FindFunctionBackedges(function, edges);
  SmallMapVector<BasicBlock*, Head, 16> heads;
  SmallSetVector<Instruction*, 16> ends;
  for (const auto& [from, to] : edges) {
    auto* latch = const_cast<BasicBlock*>(from);
    auto* head = const_cast<BasicBlock*>(to);
    const Loop* loop = loops.getLoopFor(head);
    if (!loop || loop->getHeader() != head) {
      ends.insert(latch->getTerminator());
      continue;
    }
    const unsigned turns = evolution.getSmallConstantMaxTripCount(loop);
    if (turns == 0 || turns > kSmallTripCount) {
      Head& known = heads[head];
      known.latches.insert(latch);
      known.place = loop->getStartLoc() ? loop->getStartLoc() : head->getTerminator()->getDebugLoc();
    }
  }
  if (heads.empty() && ends.empty()) return;
  LoopHeads marks(context, function);
  for (Instruction* end : ends) marks.count_edge(*end);
  // Splitting a head moves its terminator to a new block: where that was a latch of another loop, the new block is now.
  for (auto& [head, about] : heads) {
    BasicBlock* const old_end = head;
    Instruction* const terminator = head->getTerminator();
    marks.mark(*head, about.latches, about.place);
    if (terminator->getParent() == old_end) continue;
    for (auto& [other, about_other] : heads)
      if (about_other.latches.erase(old_end)) about_other.latches.insert(terminator->getParent());
  }
}

void mark_disturbing_calls(Context& context, Function& function) {
  Constant* flag = context.module.getOrInsertGlobal("inspect_disturbed", context.wide(0)->getType());
  Constant* unreported_write = context.module.getOrInsertGlobal("inspect_unreported_write", context.wide(0)->getType());
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm() || isa<IntrinsicInst>(call)) continue;
    const auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    // What no table knows tells the runtime itself: mark_external_calls.
    const bool disturbs =
        callee && callee->isDeclaration() && is_library_function(callee->getName()) && may_disturb(callee->getName());
    if (disturbs) IRBuilder<>(call).CreateStore(context.wide(1), flag);
    if (disturbs && writes_unreported(callee->getName())) IRBuilder<>(call).CreateStore(context.wide(1), unreported_write);
  }
}

}  // namespace inspect::pass
