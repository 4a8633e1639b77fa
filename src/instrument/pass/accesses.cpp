// Plain accesses: one hook before each load, store and memory intrinsic that may touch memory others can reach.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include "instrument/pass/escape.hpp"
#include "instrument/pass/names.hpp"
#include "instrument/pass/steps.hpp"
#include "instrument/pass/uninitialised.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Only ordinary memory; the segment-relative address spaces of x86 have no address to hand over.
bool is_ordinary(const Value* address) { return address->getType()->getPointerAddressSpace() == 0 && !address->isSwiftError(); }

// A load from a table of virtual functions: constant, though its address was loaded.
bool reads_virtual_table(const LoadInst& load) {
  const auto* table = dyn_cast<LoadInst>(load.getPointerOperand()->stripInBoundsConstantOffsets());
  const MDNode* tag = table ? table->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  return tag && tag->isTBAAVtableAccess();
}

// A destructor stores the table of its class first, which mostly is there already: that is no change, and no race.
bool stores_virtual_table_again(const StoreInst& store) {
  const StringRef function = store.getFunction()->getName();
  if (!function.ends_with("D0Ev") && !function.ends_with("D1Ev") && !function.ends_with("D2Ev")) return false;
  if (const MDNode* tag = store.getMetadata(LLVMContext::MD_tbaa)) return tag->isTBAAVtableAccess();
  const Value* table = getUnderlyingObject(store.getValueOperand());
  return isa<GlobalVariable>(table) && table->getName().starts_with("_ZTV");
}

// std::ctype<char>::narrow(char, char) keeps what it found: threads that share a facet store the same byte there.
bool only_fills_a_cache(const Function& function) { return function.getName() == "_ZNKSt5ctypeIcE6narrowEcc"; }

class Marker {
 public:
  Marker(Context& context, Function& function) : context_(context), function_(function) {}

  void run() {
    SmallVector<Instruction*, 64> found;
    for (Instruction& instruction : instructions(function_))
      if (isa<LoadInst, StoreInst, AnyMemIntrinsic, VAArgInst>(instruction) || isa<CallBase>(instruction))
        found.push_back(&instruction);
    for (Instruction* instruction : found)
      if (!is_automatic_initialisation(*instruction)) mark(*instruction);
  }

 private:
  Context& context_;
  Function& function_;
  Escape escape_;

  void mark(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) return mark_load(*load);
    if (auto* store = dyn_cast<StoreInst>(&instruction)) return mark_store(*store);
    if (auto* transfer = dyn_cast<AnyMemTransferInst>(&instruction)) {
      range(instruction, transfer->getRawSource(), transfer->getLength(), false);
      return range(instruction, transfer->getRawDest(), transfer->getLength(), true);
    }
    if (auto* set = dyn_cast<AnyMemSetInst>(&instruction)) return range(instruction, set->getRawDest(), set->getLength(), true);
    if (auto* call = dyn_cast<CallBase>(&instruction)) mark_copied_arguments(*call);
  }

  void mark_load(LoadInst& load) {
    if (isStrongerThanUnordered(load.getOrdering()) || load.hasMetadata(LLVMContext::MD_invariant_load)) return;
    if (reads_virtual_table(load)) return;
    access(load, load.getPointerOperand(), load.getType(), false);
  }

  void mark_store(StoreInst& store) {
    if (isStrongerThanUnordered(store.getOrdering())) return;
    if (stores_virtual_table_again(store)) return mark_table_store(store);
    access(store, store.getPointerOperand(), store.getValueOperand()->getType(), true);
  }

  // A read, and a write only if the value changes. The optimiser must not guess what stands in a new object: a volatile load.
  void mark_table_store(StoreInst& store) {
    Value *address = store.getPointerOperand(), *table = store.getValueOperand();
    if (skip(address, true)) return;
    access(store, address, table->getType(), false);
    IRBuilder<> builder(&store);
    Value* same = builder.CreateICmpEQ(builder.CreateLoad(table->getType(), address, true), table);
    Value* size = builder.CreateSelect(same, context_.wide(0), context_.wide(context_.layout.getPointerSize()));
    emit(store, Hook::inspect_write_range, {address, size}, context_.layout.getPointerSize());
  }

  // An argument passed by value in memory is copied by the caller.
  void mark_copied_arguments(CallBase& call) {
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (call.isByValArgument(i))
        range(call, call.getArgOperand(i), context_.wide(context_.layout.getTypeAllocSize(call.getParamByValType(i))), false);
  }

  bool skip(const Value* address, bool write) {
    return !is_ordinary(address) || escape_.is_local(address) || (!write && is_constant_memory(address));
  }

  static Hook hook_for(const Type* type, uint64_t size, bool write) {
    if (type->isVectorTy() || type->isAggregateType()) size = 0;
    switch (size) {
      case 1:
        return write ? Hook::inspect_write1 : Hook::inspect_read1;
      case 2:
        return write ? Hook::inspect_write2 : Hook::inspect_read2;
      case 4:
        return write ? Hook::inspect_write4 : Hook::inspect_read4;
      case 8:
        return write ? Hook::inspect_write8 : Hook::inspect_read8;
      case 16:
        return write ? Hook::inspect_write16 : Hook::inspect_read16;
      default:
        return write ? Hook::inspect_write_range : Hook::inspect_read_range;
    }
  }

  void access(Instruction& instruction, Value* address, Type* type, bool write) {
    if (skip(address, write)) return;
    const uint64_t size = context_.layout.getTypeStoreSize(type).getKnownMinValue();
    if (size == 0) return;
    const Hook hook = hook_for(type, size, write);
    if (hook == Hook::inspect_write_range || hook == Hook::inspect_read_range)
      return emit(instruction, hook, {address, context_.wide(size)}, size);
    emit(instruction, hook, {address}, size);
  }

  void range(Instruction& instruction, Value* address, Value* length, bool write) {
    const auto* constant = dyn_cast<ConstantInt>(length);
    if ((constant && constant->isZero()) || skip(address, write)) return;
    IRBuilder<> builder(&instruction);
    // Of a small write the runtime looks at what it changes.
    const uint64_t bytes = constant && write ? constant->getLimitedValue() : 0;
    if (bytes && bytes <= 16 && isPowerOf2_64(bytes))
      return emit(instruction, hook_for(builder.getIntNTy(unsigned(8 * bytes)), bytes, write), {address}, bytes);
    Value* size = builder.CreateZExtOrTrunc(length, builder.getInt64Ty());
    emit(instruction, write ? Hook::inspect_write_range : Hook::inspect_read_range, {address, size},
         constant ? constant->getZExtValue() : 0);
  }

  void emit(Instruction& instruction, Hook hook, SmallVector<Value*, 3> arguments, uint64_t size) {
    IRBuilder<> builder(&instruction);
    arguments.push_back(context_.sites.of(instruction, source_expression(arguments[0], size, context_.layout)));
    context_.hooks.call(builder, hook, arguments);
  }
};

}  // namespace

void mark_accesses(Context& context, Function& function) {
  if (!only_fills_a_cache(function)) Marker(context, function).run();
}

}  // namespace inspect::pass
