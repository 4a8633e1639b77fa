#include "symbolic/frontend/memory.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "base/check.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

namespace {

constexpr std::uint64_t kMiddle = std::uint64_t{1} << (kObjectShift - 1);
constexpr std::size_t kMostSlots = 4096;  // of an object

}  // namespace

std::optional<SlotKind> synchronisation_kind(const llvm::StructType* type) {
  if (!type->hasName()) return std::nullopt;
  llvm::StringRef name = type->getName();
  // Where several objects are joined, one type may stand there twice: "union.pthread_mutex_t.7".
  if (const auto [front, number] = name.rsplit('.');
      front.contains('.') && !number.empty() && llvm::all_of(number, llvm::isDigit))
    name = front;
  if (name == "union.pthread_mutex_t") return SlotKind::mutex;
  if (name == "union.pthread_cond_t") return SlotKind::condition;
  if (name == "union.sem_t") return SlotKind::semaphore;
  if (name == "union.pthread_rwlock_t") return SlotKind::rwlock;
  if (name == "union.pthread_barrier_t") return SlotKind::barrier;
  return std::nullopt;
}

unsigned width_of(SlotKind kind) { return kind == SlotKind::mutex ? 8 : kind == SlotKind::semaphore ? 32 : 64; }

std::uint64_t Slot::size() const {
  switch (kind) {
    case SlotKind::mutex:
      return 40;
    case SlotKind::condition:
      return 48;
    case SlotKind::semaphore:
    case SlotKind::barrier:
      return 32;
    case SlotKind::rwlock:
      return 56;
    case SlotKind::data:
    case SlotKind::pointer:
      break;
  }
  return width / 8;
}

std::uint64_t address_of(ObjectId object, std::uint64_t offset) {
  return (std::uint64_t{object} << kObjectShift) + kMiddle + offset;
}

bool Object::is_array() const {
  if (slots.size() < 2) return false;
  const std::uint64_t stride = slots[0].width / 8;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].kind != slots[0].kind || slots[i].width != slots[0].width || slots[i].offset != i * stride) return false;
  return (stride & (stride - 1)) == 0 && (slots[0].kind == SlotKind::data || slots[0].kind == SlotKind::pointer);
}

std::string Memory::split(llvm::Type* type, std::uint64_t offset, std::vector<Slot>& slots) {
  if (slots.size() > kMostSlots) return "an object of more than 4096 scalars";
  if (type->isPointerTy()) return slots.push_back({offset, 64, SlotKind::pointer}), "";
  if (const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    const unsigned width = integer->getBitWidth();
    if (width > 64 || width % 8 != 0) return "an integer of " + std::to_string(width) + " bits in memory";
    return slots.push_back({offset, width, SlotKind::data}), "";
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout_.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      if (std::string wrong = split(array->getElementType(), offset + i * stride, slots); !wrong.empty()) return wrong;
    return "";
  }
  auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure || structure->isOpaque()) return "an object whose type is no integer, pointer, array or structure";
  if (const auto kind = synchronisation_kind(structure)) return slots.push_back({offset, width_of(*kind), *kind}), "";
  const llvm::StructLayout* const fields = layout_.getStructLayout(structure);
  for (unsigned i = 0; i < structure->getNumElements(); ++i)
    if (std::string wrong = split(structure->getElementType(i), offset + fields->getElementOffset(i), slots); !wrong.empty())
      return wrong;
  return "";
}

ObjectId Memory::add(Object object, llvm::Type* type) {
  if (type && type->isSized()) {
    object.size = layout_.getTypeAllocSize(type);
    object.unsupported = split(type, 0, object.slots);
    if (!object.unsupported.empty()) object.slots.clear();
  } else if (type) {
    object.unsupported = "an object of unknown size";
  }
  const auto id = static_cast<ObjectId>(objects_.size());
  CHECK(id < kMostObjects, "too many objects");
  object.first_slot = static_cast<std::uint32_t>(slot_owner_.size());
  slot_owner_.insert(slot_owner_.end(), object.slots.size(), id);
  objects_.push_back(std::move(object));
  return id;
}

ObjectId Memory::global(const llvm::GlobalVariable* variable) {
  if (const auto it = by_value_.find(variable); it != by_value_.end()) return it->second;
  Object object{ObjectKind::global, variable->getName().str()};
  object.value = variable;
  object.is_constant = variable->isConstant();
  const ObjectId id = add(std::move(object), variable->getValueType());
  if (!variable->hasInitializer()) objects_[id].unsupported = "a variable that is defined elsewhere: " + objects_[id].name;
  if (variable->isThreadLocal()) objects_[id].unsupported = "a thread-local variable: " + objects_[id].name;
  return by_value_[variable] = id;
}

ObjectId Memory::function(const llvm::Function* function) {
  if (const auto it = by_value_.find(function); it != by_value_.end()) return it->second;
  Object object{ObjectKind::function, function->getName().str()};
  object.value = function;
  return by_value_[function] = add(std::move(object), nullptr);
}

ObjectId Memory::handle(ThreadIndex thread) {
  const auto [it, is_new] = handles_.try_emplace(thread, 0);
  if (is_new) {
    Object object{ObjectKind::handle, "handle of thread" + std::to_string(thread)};
    object.unsupported = "a handle of a thread that is used as an address";
    it->second = add(std::move(object), nullptr);
  }
  return it->second;
}

ObjectId Memory::stack(ThreadIndex thread, const Key& key, const llvm::AllocaInst* instruction) {
  const auto [it, is_new] = on_stack_.try_emplace({thread, key, instruction}, 0);
  if (!is_new) return it->second;
  Object object{ObjectKind::stack, instruction->hasName() ? instruction->getName().str() : "local"};
  object.name += "#" + std::to_string(objects_.size());
  object.value = instruction;
  llvm::Type* type = instruction->getAllocatedType();
  if (instruction->isArrayAllocation()) {
    const auto* const count = llvm::dyn_cast<llvm::ConstantInt>(instruction->getArraySize());
    type = count ? llvm::ArrayType::get(type, count->getZExtValue()) : nullptr;
  }
  const ObjectId id = add(std::move(object), type);
  if (!type) objects_[id].unsupported = "an array of variable length";
  return it->second = id;
}

ObjectId Memory::heap(ThreadIndex thread, const Key& key, const llvm::CallBase* call, Block block) {
  const auto [it, is_new] = on_heap_.try_emplace({thread, key, call}, 0);
  const auto known = element_types_.find(call);
  llvm::Type* type = known == element_types_.end() ? nullptr : known->second;
  const std::uint64_t stride = type ? layout_.getTypeAllocSize(type).getFixedValue() : 0;
  if (type && block.size % stride == 0) type = llvm::ArrayType::get(type, block.size / stride);
  if (!is_new) {
    const Object& before = objects_[it->second];
    if (before.size == block.size && before.type == type) return it->second;
  }
  Object object{ObjectKind::heap, "block#" + std::to_string(objects_.size())};
  object.value = call;
  object.is_zero = block.is_zero;
  object.type = type;
  if (!is_new) {
    Object& before = objects_[it->second];
    object.accessed_by = before.accessed_by;
    object.is_written = before.is_written;
    object.escapes = before.escapes;
    before.is_stale = true;
    changed_ = true;
  }
  const ObjectId id = add(std::move(object), type);
  objects_[id].size = block.size;
  return it->second = id;
}

void Memory::note_type(ObjectId block, llvm::Type* type) {
  const Object& object = objects_[block];
  if (object.kind != ObjectKind::heap || !type->isSized() || type->isScalableTy()) return;
  const std::uint64_t size = layout_.getTypeAllocSize(type).getFixedValue();
  if (size == 0 || size > object.size) return;
  llvm::Type*& known = element_types_[object.value];
  const auto rank = [&](llvm::Type* of) {
    return std::pair(layout_.getTypeAllocSize(of).getFixedValue(), of->isAggregateType());
  };
  if (known && rank(known) >= rank(type)) return;
  known = type;
  changed_ = true;
}

std::optional<Value> Memory::constant(Terms& terms, const llvm::Constant* constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    if (number->getBitWidth() > 64) return std::nullopt;
    return Value{terms.constant(number->getBitWidth(), number->getZExtValue())};
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) return Value{terms.constant(64, 0), true};
  // Whether there is such a thing at all is known to who linked the program.
  if (const auto* symbol = llvm::dyn_cast<llvm::GlobalValue>(constant); symbol && symbol->hasExternalWeakLinkage())
    return std::nullopt;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    const ObjectId id = global(variable);
    return Value{terms.constant(64, address_of(id)), true, {id}};
  }
  if (const auto* code = llvm::dyn_cast<llvm::Function>(constant)) {
    const ObjectId id = function(code);
    return Value{terms.constant(64, address_of(id)), true, {id}};
  }
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr) {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
    if (!number || number->getBitWidth() > 64) return std::nullopt;
    const std::uint64_t object = number->getZExtValue() >> kObjectShift;
    if (object != 0 && object < kMostObjects) return std::nullopt;
    return Value{terms.constant(64, number->getZExtValue()), true};
  }
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(constant)) {
    llvm::APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(layout_, offset)) return std::nullopt;
    auto base = this->constant(terms, llvm::cast<llvm::Constant>(gep->getPointerOperand()));
    if (base) base->bits = terms.binary(TermKind::sum, base->bits, terms.constant(64, offset.getZExtValue()));
    return base;
  }
  return std::nullopt;
}

Value Memory::zeroed(Terms& terms, SlotId id) {
  const Slot& of = slot(id);
  if (of.kind == SlotKind::semaphore || of.kind == SlotKind::barrier) return {terms.constant(of.width, kNotInitialised)};
  return {terms.constant(of.width, initialised_by_call_.contains(id) ? kUntouched : 0)};
}

std::optional<Value> Memory::initial(Terms& terms, SlotId id) {
  const Object& object = objects_[slot_owner_[id]];
  const Slot& of = slot(id);
  const auto* const variable = llvm::cast<llvm::GlobalVariable>(object.value);
  llvm::LLVMContext& context = variable->getContext();
  auto* const initializer = const_cast<llvm::Constant*>(variable->getInitializer());
  if (of.is_synchronisation()) {
    // Anything but zeros is a mutex of another kind, or a condition variable of another clock.
    for (std::uint64_t at = 0; at < of.size(); at += 8) {
      const llvm::Constant* const word = llvm::ConstantFoldLoadFromConst(initializer, llvm::IntegerType::get(context, 64),
                                                                         llvm::APInt(64, of.offset + at), layout_);
      if (!word || !word->isNullValue()) return std::nullopt;
    }
    return zeroed(terms, id);
  }
  llvm::Type* const type = of.kind == SlotKind::pointer ? static_cast<llvm::Type*>(llvm::PointerType::get(context, 0))
                                                        : llvm::IntegerType::get(context, of.width);
  if (mutated(Mutation::initialisers_dropped)) return Value{terms.constant(of.width, 0), of.kind == SlotKind::pointer};
  const llvm::Constant* const held = llvm::ConstantFoldLoadFromConst(initializer, type, llvm::APInt(64, of.offset), layout_);
  return held ? constant(terms, held) : std::nullopt;
}

void Memory::note_access(ObjectId id, ThreadIndex thread, bool writes) {
  Object& object = objects_[id];
  insert(object.accessed_by.insert(thread).second);
  insert(writes && !object.is_written);
  object.is_written |= writes;
}

void Memory::note_escape(const Objects& objects) {
  for (const ObjectId id : objects) {
    if (!objects_[id].may_end()) continue;
    insert(!objects_[id].escapes);
    objects_[id].escapes = true;
  }
}

void Memory::note_pointer(SlotId slot, const Objects& objects) { note_known(pointed_to_[slot], objects); }

}  // namespace inspect::symbolic
