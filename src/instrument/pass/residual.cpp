#include "instrument/pass/residual.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include "instrument/pass/hooks.hpp"
#include "instrument/pass/sites.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

// Tokens that tell the parts of the serialised code apart.
enum Token : uint64_t {
  kLocal = 1,
  kConstant,
  kGlobal,
  kContent,
  kFunctionClass,
  kAssembly,
  kBlock,
  kOther,
  kEdge,
  kCopy,
  kAfter,
  kAddress,
  kInstruction = 64
};

// Nothing is executed for these; or only the begin or the end of a stack object is told.
bool is_silent(const Instruction& i) {
  if (isa<PHINode>(i)) return true;
  if (const auto* call = dyn_cast<CallBase>(&i); call && is_life_hook(hook_of(*call))) return true;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
  return intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic());
}

// Constants that stand for their contents.
bool is_content(const GlobalVariable& v) {
  return v.isConstant() && v.hasGlobalUnnamedAddr() && v.hasPrivateLinkage() && v.hasInitializer();
}

// Arguments that only say where in the source the call stands.
bool is_place(const CallBase& call, unsigned argument) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return false;
  if (callee->getName() == "__assert_fail") return argument > 0;
  return argument + 1 == call.arg_size() && Sites::is_site(call.getArgOperand(argument));
}

// Of which functions does the class count rather than the name?
bool has_class(const Function& function) {
  return !function.isDeclaration() && function.hasLocalLinkage() && !function.hasAddressTaken();
}

}  // namespace

void Hash128::add(uint64_t value) {
  low = (low ^ value) * 0x9E3779B97F4A7C15ull;
  low ^= low >> 29;
  high = (high + value + 0x632BE59BD9B4E019ull) * 0xD6E8FEB86659FD93ull;
  high ^= high >> 32;
  low += high;
}

FunctionClasses::FunctionClasses(const Module& module) {
  for (const Function& f : module)
    if (has_class(f)) classes_[&f] = {};
  if (classes_.empty()) return;
  // Refines until no class splits any more; then functions of one class call functions of one class throughout.
  size_t parts = 0;
  for (size_t round = 0; round <= classes_.size(); ++round) {
    DenseMap<const Function*, Hash128> next;
    SmallVector<std::pair<uint64_t, uint64_t>, 64> distinct;
    Residual residual(module, *this);
    for (const auto& entry : classes_) {
      residual.run(*entry.first);
      next[entry.first] = residual.hash();
      distinct.emplace_back(residual.hash().low, residual.hash().high);
    }
    sort(distinct);
    const size_t now = size_t(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
    classes_ = std::move(next);
    if (now == parts) break;
    parts = now;
  }
}

const Hash128* FunctionClasses::find(const Function& function) const {
  const auto at = classes_.find(&function);
  return at == classes_.end() ? nullptr : &at->second;
}

Residual::Residual(const Module& module, const FunctionClasses& classes)
    : layout_(module.getDataLayout()), classes_(classes), module_(module.getSourceFileName()) {}

void Residual::clear() {
  hash_ = {};
  instructions_ = 0;
  numbers_.clear();
  order_.clear();
  labels_.clear();
  pending_.clear();
}

void Residual::finish() {
  while (!pending_.empty()) {
    const BasicBlock* block = pending_.pop_back_val();
    hash_.add(kBlock);
    hash_.add(labels_[block]);
    chain(block, block->begin());
  }
}

void Residual::run(const Instruction& from, bool after) {
  clear();
  const BasicBlock* block = from.getParent();
  auto at = from.getIterator();
  if (after) {
    hash_.add(kAfter);
    type(from.getType());
    if (!from.getType()->isVoidTy()) local(&from);
    if (from.isTerminator()) {
      for (unsigned i = 0; i < from.getNumSuccessors(); ++i) edge(block, from.getSuccessor(i));
      return finish();
    }
    ++at;
  }
  chain(block, at);
  finish();
}

void Residual::run(const Function& function) {
  clear();
  for (const Argument& argument : function.args()) local(&argument);
  type(function.getReturnType());
  chain(&function.getEntryBlock(), function.getEntryBlock().begin());
  finish();
}

// A block and what follows it without a choice: where blocks begin is no part of the code.
void Residual::chain(const BasicBlock* block, BasicBlock::const_iterator at) {
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (;;) {
    seen.insert(block);
    for (; !at->isTerminator(); ++at)
      if (!is_silent(*at)) instruction(*at);
    const auto* branch = dyn_cast<BranchInst>(&*at);
    const BasicBlock* next = branch && branch->isUnconditional() ? branch->getSuccessor(0) : nullptr;
    if (!next || next->getSinglePredecessor() != block || seen.contains(next)) return instruction(*at);
    for (const PHINode& phi : next->phis()) {
      hash_.add(kCopy);
      local(&phi);
      operand(phi.getIncomingValue(0));
    }
    block = next;
    at = next->begin();
  }
}

void Residual::instruction(const Instruction& i) {
  ++instructions_;
  hash_.add(kInstruction + i.getOpcode());
  hash_.add(i.getRawSubclassOptionalData());
  if (!i.getType()->isVoidTy()) local(&i);
  attributes(i);
  if (const auto* c = dyn_cast<CallBase>(&i)) {
    call(*c);
    if (i.isTerminator()) terminator(i);
    return;
  }
  if (const auto* gep = dyn_cast<GetElementPtrInst>(&i); gep && address(*gep)) return;
  if (i.isTerminator()) {
    for (const Use& use : i.operands())
      if (!isa<BasicBlock>(use)) operand(use);
    return terminator(i);
  }
  hash_.add(i.getNumOperands());
  if (i.isCommutative() && i.getNumOperands() == 2) {
    const Value *first = i.getOperand(0), *second = i.getOperand(1);
    if (rank(second) < rank(first)) std::swap(first, second);
    operand(first);
    return operand(second);
  }
  for (const Use& use : i.operands()) operand(use);
}

// Known locals first, then new ones, constants last: operands that commute have one order.
uint64_t Residual::rank(const Value* value) const {
  if (isa<Constant>(value)) return 1ull << 40;
  const auto at = numbers_.find(value);
  return at == numbers_.end() ? 1ull << 39 : at->second;
}

void Residual::attributes(const Instruction& i) {
  const auto memory = [&](Align align, bool is_volatile, AtomicOrdering ordering, SyncScope::ID scope) {
    hash_.add(align.value() << 8 | uint64_t(is_volatile) << 7 | uint64_t(ordering));
    hash_.add(scope);
  };
  if (const auto* c = dyn_cast<CmpInst>(&i)) hash_.add(c->getPredicate());
  if (const auto* l = dyn_cast<LoadInst>(&i)) memory(l->getAlign(), l->isVolatile(), l->getOrdering(), l->getSyncScopeID());
  if (const auto* s = dyn_cast<StoreInst>(&i)) memory(s->getAlign(), s->isVolatile(), s->getOrdering(), s->getSyncScopeID());
  if (const auto* r = dyn_cast<AtomicRMWInst>(&i)) {
    hash_.add(r->getOperation());
    memory(r->getAlign(), r->isVolatile(), r->getOrdering(), r->getSyncScopeID());
  }
  if (const auto* x = dyn_cast<AtomicCmpXchgInst>(&i)) {
    hash_.add(uint64_t(x->getFailureOrdering()) << 1 | x->isWeak());
    memory(x->getAlign(), x->isVolatile(), x->getSuccessOrdering(), x->getSyncScopeID());
  }
  if (const auto* f = dyn_cast<FenceInst>(&i)) memory(Align(), false, f->getOrdering(), f->getSyncScopeID());
  if (const auto* a = dyn_cast<AllocaInst>(&i)) {
    type(a->getAllocatedType());
    hash_.add(a->getAlign().value());
  }
  const auto indices = [&](ArrayRef<unsigned> list) {
    for (const unsigned index : list) hash_.add(index);
  };
  if (const auto* e = dyn_cast<ExtractValueInst>(&i)) indices(e->getIndices());
  if (const auto* e = dyn_cast<InsertValueInst>(&i)) indices(e->getIndices());
  if (const auto* s = dyn_cast<ShuffleVectorInst>(&i))
    for (const int element : s->getShuffleMask()) hash_.add(uint64_t(int64_t(element)));
  if (const auto* l = dyn_cast<LandingPadInst>(&i)) {
    hash_.add(l->isCleanup());
    for (unsigned k = 0; k < l->getNumClauses(); ++k) hash_.add(l->isCatch(k));
  }
}

// base + constant + sum of scaled indices: names and types of structures do not count. False if it has no such form.
bool Residual::address(const GetElementPtrInst& i) {
  APInt offset(64, 0);
  MapVector<Value*, APInt> variable;
  if (i.getType()->isVectorTy() || !i.collectOffset(layout_, 64, variable, offset)) {
    type(i.getSourceElementType());
    return false;
  }
  hash_.add(kAddress);
  operand(i.getPointerOperand());
  hash_.add(offset.getZExtValue());
  for (const auto& [value, scale] : variable) {
    operand(value);
    hash_.add(scale.getZExtValue());
  }
  return true;
}

void Residual::call(const CallBase& call) {
  hash_.add(call.getCallingConv());
  const Function* callee = call.getCalledFunction();
  if (const Hash128* known = callee ? classes_.find(*callee) : nullptr) {
    hash_.add(kFunctionClass);
    hash_.add(known->low);
    hash_.add(known->high);
    text(module_);
  } else {
    operand(call.getCalledOperand());
  }
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (!is_place(call, i)) operand(call.getArgOperand(i));
  for (unsigned i = 0; i < call.getNumOperandBundles(); ++i) {
    const OperandBundleUse bundle = call.getOperandBundleAt(i);
    text(bundle.getTagName());
    for (const Use& use : bundle.Inputs) operand(use);
  }
}

void Residual::terminator(const Instruction& i) {
  if (const auto* choice = dyn_cast<SwitchInst>(&i))
    for (const auto& one : choice->cases()) constant(one.getCaseValue());
  hash_.add(i.getNumSuccessors());
  for (unsigned k = 0; k < i.getNumSuccessors(); ++k) edge(i.getParent(), i.getSuccessor(k));
}

// The phi nodes behind an edge are copies made on it.
void Residual::edge(const BasicBlock* from, const BasicBlock* to) {
  hash_.add(kEdge);
  hash_.add(label(to));
  for (const PHINode& phi : to->phis()) {
    local(&phi);
    operand(phi.getIncomingValueForBlock(from));
  }
}

unsigned Residual::label(const BasicBlock* block) {
  const auto [at, fresh] = labels_.try_emplace(block, labels_.size());
  if (fresh) pending_.push_back(block);
  return at->second;
}

void Residual::operand(const Value* value) {
  if (const auto* c = dyn_cast<Constant>(value)) return constant(c);
  if (isa<Instruction, Argument>(value)) return local(value);
  if (const auto* assembly = dyn_cast<InlineAsm>(value)) {
    hash_.add(kAssembly);
    text(assembly->getAsmString());
    text(assembly->getConstraintString());
    return hash_.add(assembly->hasSideEffects());
  }
  if (const auto* block = dyn_cast<BasicBlock>(value)) {
    hash_.add(kBlock);
    return hash_.add(label(block));
  }
  hash_.add(kOther);  // metadata: rare
  std::string printed;
  raw_string_ostream stream(printed);
  value->print(stream);
  text(printed);
}

void Residual::local(const Value* value) {
  const auto [at, fresh] = numbers_.try_emplace(value, order_.size());
  hash_.add(kLocal);
  hash_.add(at->second);
  if (!fresh) return;
  order_.push_back(value);
  type(value->getType());
  const auto* object = dyn_cast<AllocaInst>(value);
  if (!object) return;
  const std::optional<TypeSize> size = object->isStaticAlloca() ? object->getAllocationSize(layout_) : std::nullopt;
  hash_.add(size ? size->getKnownMinValue() : ~0ull);
  hash_.add(object->getAlign().value());
}

void Residual::constant(const Constant* value) {
  if (const auto* variable = dyn_cast<GlobalVariable>(value); variable && is_content(*variable)) {
    hash_.add(kContent);
    return constant(variable->getInitializer());
  }
  if (const auto* global = dyn_cast<GlobalValue>(value)) {
    hash_.add(kGlobal);
    text(global->getName());
    if (global->hasLocalLinkage()) text(module_);
    return;
  }
  hash_.add(kConstant + (uint64_t(value->getValueID()) << 8));
  type(value->getType());
  const auto words = [&](const APInt& number) {
    for (unsigned i = 0; i < number.getNumWords(); ++i) hash_.add(number.getRawData()[i]);
  };
  if (const auto* number = dyn_cast<ConstantInt>(value)) return words(number->getValue());
  if (const auto* number = dyn_cast<ConstantFP>(value)) return words(number->getValueAPF().bitcastToAPInt());
  if (const auto* data = dyn_cast<ConstantDataSequential>(value)) return text(data->getRawDataValues());
  if (const auto* address = dyn_cast<BlockAddress>(value)) {
    text(address->getFunction()->getName());
    return hash_.add(uint64_t(std::distance(address->getFunction()->begin(), address->getBasicBlock()->getIterator())));
  }
  if (const auto* expression = dyn_cast<ConstantExpr>(value)) {
    hash_.add(expression->getOpcode());
    if (const auto* gep = dyn_cast<GEPOperator>(expression)) type(gep->getSourceElementType());
  }
  hash_.add(value->getNumOperands());
  for (const Use& use : value->operands()) constant(cast<Constant>(use));
}

void Residual::type(const Type* type_) {
  hash_.add(type_->getTypeID());
  if (const auto* integer = dyn_cast<IntegerType>(type_)) return hash_.add(integer->getBitWidth());
  if (const auto* pointer = dyn_cast<PointerType>(type_)) return hash_.add(pointer->getAddressSpace());
  if (const auto* array = dyn_cast<ArrayType>(type_)) {
    hash_.add(array->getNumElements());
    return type(array->getElementType());
  }
  if (const auto* vector = dyn_cast<VectorType>(type_)) {
    hash_.add(vector->getElementCount().getKnownMinValue());
    return type(vector->getElementType());
  }
  if (const auto* structure = dyn_cast<StructType>(type_)) {
    hash_.add(structure->isPacked());
    if (structure->isOpaque()) return;
    hash_.add(structure->getNumElements());
    for (const Type* element : structure->elements()) type(element);
  }
}

void Residual::text(StringRef string) {
  hash_.add(string.size());
  for (size_t at = 0; at < string.size(); at += 8) {
    uint64_t word = 0;
    memcpy(&word, string.data() + at, std::min<size_t>(8, string.size() - at));
    hash_.add(word);
  }
}

}  // namespace inspect::pass
