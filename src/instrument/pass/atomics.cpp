// Atomic instructions of 1, 2, 4 and 8 bytes become calls of the hooks that perform them; others keep standing behind a
// scheduling point.
#include <llvm/IR/InstIterator.h>
#include "hooks/operation.h"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

inspect_order order_of(AtomicOrdering ordering) {
  switch (ordering) {
    case AtomicOrdering::NotAtomic:
    case AtomicOrdering::Unordered:
      return INSPECT_PLAIN;
    case AtomicOrdering::Monotonic:
      return INSPECT_RELAXED;
    case AtomicOrdering::Acquire:
      return INSPECT_ACQUIRE;
    case AtomicOrdering::Release:
      return INSPECT_RELEASE;
    case AtomicOrdering::AcquireRelease:
      return INSPECT_ACQ_REL;
    case AtomicOrdering::SequentiallyConsistent:
      return INSPECT_SEQ_CST;
  }
  return INSPECT_SEQ_CST;
}

inspect_rmw rmw_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Xchg:
      return INSPECT_RMW_Xchg;
    case AtomicRMWInst::Add:
      return INSPECT_RMW_Add;
    case AtomicRMWInst::Sub:
      return INSPECT_RMW_Sub;
    case AtomicRMWInst::And:
      return INSPECT_RMW_And;
    case AtomicRMWInst::Nand:
      return INSPECT_RMW_Nand;
    case AtomicRMWInst::Or:
      return INSPECT_RMW_Or;
    case AtomicRMWInst::Xor:
      return INSPECT_RMW_Xor;
    case AtomicRMWInst::Max:
      return INSPECT_RMW_Max;
    case AtomicRMWInst::Min:
      return INSPECT_RMW_Min;
    case AtomicRMWInst::UMax:
      return INSPECT_RMW_UMax;
    case AtomicRMWInst::UMin:
      return INSPECT_RMW_UMin;
    default:
      return INSPECT_RMW_Other;
  }
}

class Replacer {
 public:
  Replacer(Context& context, Function& function) : context_(context), function_(function) {}

  void run() {
    SmallVector<Instruction*, 16> found;
    for (Instruction& instruction : instructions(function_))
      if (instruction.isAtomic()) found.push_back(&instruction);
    for (Instruction* instruction : found) replace(*instruction);
  }

 private:
  Context& context_;
  Function& function_;

  void replace(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) return replace_load(*load);
    if (auto* store = dyn_cast<StoreInst>(&instruction)) return replace_store(*store);
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction)) return replace_rmw(*rmw);
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return replace_exchange(*exchange);
    if (auto* fence = dyn_cast<FenceInst>(&instruction)) replace_fence(*fence);
  }

  uint64_t size_of(Type* type) const { return context_.layout.getTypeStoreSize(type).getFixedValue(); }

  // Can the performing hooks carry a value of this type?
  bool is_carried(Type* type) const {
    const uint64_t size = size_of(type);
    if (size != 1 && size != 2 && size != 4 && size != 8) return false;
    if (type->isIntegerTy()) return cast<IntegerType>(type)->getBitWidth() == 8 * size;
    return type->isPointerTy() || type->isFloatingPointTy();
  }

  Value* widen(IRBuilder<>& builder, Value* value) const {
    Type* type = value->getType();
    Type* integer = builder.getIntNTy(unsigned(8 * size_of(type)));
    if (type->isPointerTy())
      value = builder.CreatePtrToInt(value, integer);
    else if (!type->isIntegerTy())
      value = builder.CreateBitCast(value, integer);
    return builder.CreateZExt(value, builder.getInt64Ty());
  }

  Value* narrow(IRBuilder<>& builder, Value* value, Type* type) const {
    Value* integer = builder.CreateTrunc(value, builder.getIntNTy(unsigned(8 * size_of(type))));
    if (type->isPointerTy()) return builder.CreateIntToPtr(integer, type);
    return builder.CreateBitCast(integer, type);
  }

  Constant* site(Instruction& instruction, Value* address, uint64_t size) {
    return context_.sites.of(instruction, source_expression(address, size, context_.layout));
  }

  void point(Instruction& instruction, Value* address, Type* type, AtomicOrdering ordering, inspect_kind kind) {
    IRBuilder<> builder(&instruction);
    const uint64_t size = size_of(type);
    context_.hooks.call(builder, Hook::inspect_atomic_point,
                        {address, context_.word(size), context_.word(order_of(ordering)), context_.word(kind),
                         site(instruction, address, size)});
  }

  void replace_load(LoadInst& load) {
    if (!isStrongerThanUnordered(load.getOrdering())) return;
    Value* address = load.getPointerOperand();
    if (!is_carried(load.getType())) return point(load, address, load.getType(), load.getOrdering(), INSPECT_OP_AtomicLoad);
    IRBuilder<> builder(&load);
    const uint64_t size = size_of(load.getType());
    Value* value = context_.hooks.call(
        builder, Hook::inspect_atomic_load,
        {address, context_.word(size), context_.word(order_of(load.getOrdering())), site(load, address, size)});
    finish(load, narrow(builder, value, load.getType()));
  }

  void replace_store(StoreInst& store) {
    if (!isStrongerThanUnordered(store.getOrdering())) return;
    Value* address = store.getPointerOperand();
    Type* type = store.getValueOperand()->getType();
    if (!is_carried(type)) return point(store, address, type, store.getOrdering(), INSPECT_OP_AtomicStore);
    IRBuilder<> builder(&store);
    const uint64_t size = size_of(type);
    context_.hooks.call(builder, Hook::inspect_atomic_store,
                        {address, context_.word(size), context_.word(order_of(store.getOrdering())),
                         widen(builder, store.getValueOperand()), site(store, address, size)});
    store.eraseFromParent();
  }

  void replace_rmw(AtomicRMWInst& rmw) {
    Value* address = rmw.getPointerOperand();
    const inspect_rmw operation = rmw_of(rmw.getOperation());
    if (operation == INSPECT_RMW_Other || !is_carried(rmw.getType()))
      return point(rmw, address, rmw.getType(), rmw.getOrdering(), INSPECT_OP_AtomicRmw);
    IRBuilder<> builder(&rmw);
    const uint64_t size = size_of(rmw.getType());
    Value* old =
        context_.hooks.call(builder, Hook::inspect_atomic_rmw,
                            {address, context_.word(size), context_.word(order_of(rmw.getOrdering())), context_.word(operation),
                             context_.word(rmw.use_empty()), widen(builder, rmw.getValOperand()), site(rmw, address, size)});
    if (rmw.use_empty()) return rmw.eraseFromParent(), void();
    finish(rmw, narrow(builder, old, rmw.getType()));
  }

  void replace_exchange(AtomicCmpXchgInst& exchange) {
    Value* address = exchange.getPointerOperand();
    Type* type = exchange.getNewValOperand()->getType();
    if (!is_carried(type)) return point(exchange, address, type, exchange.getMergedOrdering(), INSPECT_OP_AtomicCas);
    IRBuilder<> builder(&exchange);
    const uint64_t size = size_of(type);
    Value* expected = widen(builder, exchange.getCompareOperand());
    Value* old = context_.hooks.call(builder, Hook::inspect_atomic_cas,
                                     {address, context_.word(size), context_.word(order_of(exchange.getSuccessOrdering())),
                                      context_.word(order_of(exchange.getFailureOrdering())), expected,
                                      widen(builder, exchange.getNewValOperand()), site(exchange, address, size)});
    Value* pair = builder.CreateInsertValue(PoisonValue::get(exchange.getType()), narrow(builder, old, type), 0);
    finish(exchange, builder.CreateInsertValue(pair, builder.CreateICmpEQ(old, expected), 1));
  }

  void replace_fence(FenceInst& fence) {
    if (fence.getSyncScopeID() == SyncScope::SingleThread) return;  // orders against signal handlers only
    IRBuilder<> builder(&fence);
    context_.hooks.call(builder, Hook::inspect_fence, {context_.word(order_of(fence.getOrdering())), context_.sites.of(fence)});
    fence.eraseFromParent();
  }

  static void finish(Instruction& instruction, Value* value) {
    value->takeName(&instruction);
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }
};

}  // namespace

void replace_atomics(Context& context, Function& function) { Replacer(context, function).run(); }

}  // namespace inspect::pass
