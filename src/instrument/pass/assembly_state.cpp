#include "instrument/pass/assembly_state.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

unsigned bits_of_modifier(char modifier) {
  switch (modifier) {
    case 'b':
    case 'h':
      return 8;
    case 'w':
      return 16;
    case 'k':
      return 32;
    case 'q':
      return 64;
    default:
      return 0;
  }
}

// The register that a constraint fixes, as "{ax}".
std::optional<RegisterName> fixed_register(const InlineAsm::ConstraintInfo& constraint) {
  if (constraint.Codes.size() != 1) return std::nullopt;
  StringRef code = constraint.Codes[0];
  if (!code.consume_front("{") || !code.consume_back("}")) return std::nullopt;
  return register_named(code);
}

bool is_register_or_value(const InlineAsm::ConstraintInfo& constraint) {
  return all_of(constraint.Codes, [](StringRef code) {
    for (const char c : code)
      if (!StringRef("rqQRlabcdSDimgnsIJKLMNOeZ").contains(c)) return false;
    return true;
  });
}

// "{@ccz}"
std::optional<StringRef> flag_condition(const InlineAsm::ConstraintInfo& constraint) {
  if (constraint.Codes.size() != 1) return std::nullopt;
  StringRef code = constraint.Codes[0];
  if (!code.consume_front("{@cc") || !code.consume_back("}")) return std::nullopt;
  return code;
}

}  // namespace

AssemblyState::AssemblyState(CallBase& call, IRBuilder<>& builder)
    : call_(call),
      builder_(builder),
      layout_(call.getDataLayout()),
      constraints_(cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {}

Type* AssemblyState::result_type(unsigned result) const {
  if (auto* structure = dyn_cast<StructType>(call_.getType())) return structure->getElementType(result);
  return call_.getType();
}

// A value of a register as 64 bits; null if it is none that general registers hold.
Value* AssemblyState::whole(Value* value) {
  Type* type = value->getType();
  if (type->isPointerTy()) return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return nullptr;
  // As an immediate a constant would be extended with its sign; in a register its upper bits have no meaning.
  if (isa<ConstantInt>(value) && type->getIntegerBitWidth() > 1) return builder_.CreateSExt(value, builder_.getInt64Ty());
  return builder_.CreateZExt(value, builder_.getInt64Ty());
}

bool AssemblyState::take_output(unsigned number, const InlineAsm::ConstraintInfo& constraint, unsigned& passed,
                                unsigned& result) {
  Argument& argument = arguments_[number];
  if (constraint.isIndirect) {
    argument.is_memory = true;
    argument.pointer = call_.getArgOperand(passed);
    argument.bits = unsigned(layout_.getTypeStoreSizeInBits(call_.getParamElementType(passed++)).getFixedValue());
    return true;
  }
  Type* type = result_type(result++);
  if (flag_condition(constraint)) return type->isIntegerTy();
  if (!type->isPointerTy() && !type->isIntegerTy()) return false;
  argument.bits = unsigned(layout_.getTypeSizeInBits(type).getFixedValue());
  if (argument.bits > 64) return false;
  const auto reg = fixed_register(constraint);
  if (!reg && !is_register_or_value(constraint)) return false;
  argument.variable = reg ? reg->number : kRegisters + number;
  return true;
}

bool AssemblyState::take_input(unsigned number, const InlineAsm::ConstraintInfo& constraint, Value* value) {
  Argument& argument = arguments_[number];
  unsigned output = 0;
  if (constraint.Codes.size() == 1 && !StringRef(constraint.Codes[0]).getAsInteger(10, output)) {
    if (output >= number || arguments_[output].variable == ~0u) return false;
    argument.variable = arguments_[output].variable;
  } else if (const auto reg = fixed_register(constraint)) {
    argument.variable = reg->number;
  } else if (is_register_or_value(constraint)) {
    argument.variable = kRegisters + number;
    argument.may_be_immediate = isa<Constant>(value) && any_of(constraint.Codes, [](StringRef code) {
                                  return code.find_first_of("inIJKLMNOeZ") != StringRef::npos;
                                });
  } else {
    return false;
  }
  Type* type = value->getType();
  if (!type->isPointerTy() && !type->isIntegerTy()) return false;
  argument.bits = unsigned(layout_.getTypeSizeInBits(type).getFixedValue());
  Value* const all = whole(value);
  values_[argument.variable] = all;
  return all != nullptr;
}

bool AssemblyState::take_inputs() {
  unsigned passed = 0, result = 0, destination = 0, number = 0;
  arguments_.resize(constraints_.size());
  for (const InlineAsm::ConstraintInfo& constraint : constraints_) {
    if (constraint.isMultipleAlternative) return false;
    bool known = true;
    if (constraint.Type == InlineAsm::isOutput) {
      known = take_output(number, constraint, passed, result);
    } else if (constraint.Type == InlineAsm::isLabel) {
      arguments_[number].destination = destination++;
    } else if (constraint.Type == InlineAsm::isInput && constraint.isIndirect) {
      arguments_[number].is_memory = true;
      arguments_[number].pointer = call_.getArgOperand(passed);
      arguments_[number].bits = unsigned(layout_.getTypeStoreSizeInBits(call_.getParamElementType(passed++)).getFixedValue());
    } else if (constraint.Type == InlineAsm::isInput) {
      known = take_input(number, constraint, call_.getArgOperand(passed++));
    }
    if (!known) return false;
    ++number;
  }
  return true;
}

bool AssemblyState::outputs(function_ref<Value*(StringRef)> flag, SmallVectorImpl<Value*>& values) {
  unsigned result = 0;
  for (unsigned i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].Type != InlineAsm::isOutput || constraints_[i].isIndirect) continue;
    Type* type = result_type(result++);
    Value* value = nullptr;
    if (const auto condition = flag_condition(constraints_[i])) {
      value = flag(*condition);
      if (!value) return false;
      values.push_back(builder_.CreateZExt(value, type));
      continue;
    }
    value = values_.lookup(arguments_[i].variable);
    if (!value) value = builder_.getInt64(0);
    values.push_back(type->isPointerTy() ? builder_.CreateIntToPtr(value, type) : builder_.CreateZExtOrTrunc(value, type));
  }
  return true;
}

bool AssemblyState::is_argument_memory(const TextValue& value) const {
  return value.is_argument && value.argument < arguments_.size() && arguments_[value.argument].is_memory;
}

bool AssemblyState::is_memory(const TextOperand& operand) const {
  return operand.kind == TextOperand::memory || (operand.kind == TextOperand::value && is_argument_memory(operand.of));
}

// What part of which register a value is; memory and immediates are none.
std::optional<RegisterName> AssemblyState::place_of(const TextValue& value) const {
  if (!value.is_argument) return value.reg;
  if (value.argument >= arguments_.size() || arguments_[value.argument].variable == ~0u) return std::nullopt;
  const Argument& argument = arguments_[value.argument];
  RegisterName name{argument.variable, bits_of_modifier(value.modifier), value.modifier == 'h'};
  if (!name.bits) {
    if (value.modifier && value.modifier != 'c' && value.modifier != 'P') return std::nullopt;
    name.bits = argument.bits <= 8 ? 8 : argument.bits <= 16 ? 16 : argument.bits <= 32 ? 32 : 64;
  }
  return name;
}

unsigned AssemblyState::bits_of(const TextOperand& operand) const {
  if (operand.kind == TextOperand::memory) return operand.bits;
  if (operand.kind != TextOperand::value || is_memory(operand)) return 0;
  if (operand.of.is_argument && operand.of.argument < arguments_.size()) {
    if (arguments_[operand.of.argument].may_be_immediate && !operand.of.modifier) return 0;
  }
  const auto place = place_of(operand.of);
  return place ? place->bits : 0;
}

Value* AssemblyState::part(unsigned variable, RegisterName name, bool may_be_unset) {
  Value* value = values_.lookup(variable);
  if (!value) {
    if (variable < kRegisters && !may_be_unset) return nullptr;
    value = builder_.getInt64(0);
  }
  if (name.high) value = builder_.CreateLShr(value, 8);
  return builder_.CreateTrunc(value, builder_.getIntNTy(name.bits));
}

void AssemblyState::set_part(unsigned variable, RegisterName name, Value* value) {
  Value* all = builder_.CreateZExt(value, builder_.getInt64Ty());
  if (name.bits < 32) {
    Value* old = values_.lookup(variable);
    if (!old) old = builder_.getInt64(0);
    const unsigned shift = name.high ? 8 : 0;
    const uint64_t mask = ((uint64_t(1) << name.bits) - 1) << shift;
    all = builder_.CreateOr(builder_.CreateAnd(old, ~mask), builder_.CreateShl(all, shift));
  }
  values_[variable] = all;
}

Value* AssemblyState::get(RegisterName reg, bool may_be_unset) { return part(reg.number, reg, may_be_unset); }
void AssemblyState::set(RegisterName reg, Value* value) { set_part(reg.number, reg, value); }

Value* AssemblyState::read_value(const TextValue& value, unsigned bits) {
  auto place = place_of(value);
  if (!place) return nullptr;
  place->bits = bits;
  return part(place->number, *place, false);
}

Value* AssemblyState::full(const TextValue& value) {
  const auto place = place_of(value);
  if (!place || place->bits != 64 || place->number == kRsp || place->number == kRbp) return nullptr;
  Value* all = values_.lookup(place->number);
  return all;
}

Value* AssemblyState::address_number(const TextOperand& operand) {
  if (operand.kind == TextOperand::value) {
    Value* pointer = address(operand);
    return pointer ? builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()) : nullptr;
  }
  if (operand.kind != TextOperand::memory || !operand.segment.empty()) return nullptr;
  if (operand.base && is_argument_memory(*operand.base)) {
    Value* pointer = address(operand);
    return pointer ? builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()) : nullptr;
  }
  Value* sum = builder_.getInt64(uint64_t(operand.number));
  if (operand.base) {
    Value* base = full(*operand.base);
    if (!base) return nullptr;
    sum = builder_.CreateAdd(sum, base);
  }
  if (operand.index) {
    Value* index = full(*operand.index);
    if (!index) return nullptr;
    sum = builder_.CreateAdd(sum, builder_.CreateMul(index, builder_.getInt64(operand.scale)));
  }
  return operand.base || operand.index ? sum : nullptr;
}

Value* AssemblyState::address(const TextOperand& operand) {
  const auto offset = [&](Value* pointer, Value* bytes) { return builder_.CreateGEP(builder_.getInt8Ty(), pointer, bytes); };
  if (operand.kind == TextOperand::value) return is_memory(operand) ? arguments_[operand.of.argument].pointer : nullptr;
  if (operand.kind != TextOperand::memory || !operand.segment.empty()) return nullptr;
  if (operand.base && is_argument_memory(*operand.base)) {
    if (operand.index) return nullptr;
    return offset(arguments_[operand.base->argument].pointer, builder_.getInt64(uint64_t(operand.number)));
  }
  // A pointer that has been passed as such keeps its origin.
  if (operand.base && !operand.index)
    if (auto* base = dyn_cast_or_null<PtrToIntInst>(full(*operand.base))) {
      Value* pointer = base->getPointerOperand();
      return operand.number ? offset(pointer, builder_.getInt64(uint64_t(operand.number))) : pointer;
    }
  Value* number = address_number(operand);
  return number ? builder_.CreateIntToPtr(number, builder_.getPtrTy()) : nullptr;
}

std::optional<unsigned> AssemblyState::destination(const TextOperand& operand) const {
  if (operand.kind != TextOperand::value || !operand.of.is_argument || operand.of.argument >= arguments_.size())
    return std::nullopt;
  return arguments_[operand.of.argument].destination;
}

Value* AssemblyState::load(Value* address, unsigned bits) {
  LoadInst* load = builder_.CreateAlignedLoad(builder_.getIntNTy(bits), address, Align(bits / 8));
  load->setAtomic(AtomicOrdering::Acquire);
  return load;
}

void AssemblyState::store(Value* address, Value* value) {
  StoreInst* store = builder_.CreateAlignedStore(value, address, Align(value->getType()->getIntegerBitWidth() / 8));
  store->setAtomic(AtomicOrdering::Release);
}

Value* AssemblyState::read(const TextOperand& operand, unsigned bits) {
  if (operand.kind == TextOperand::immediate) return builder_.getInt(APInt(64, uint64_t(operand.number)).trunc(bits));
  if (is_memory(operand)) {
    Value* place = address(operand);
    return place ? load(place, bits) : nullptr;
  }
  return operand.kind == TextOperand::value ? read_value(operand.of, bits) : nullptr;
}

bool AssemblyState::write(const TextOperand& operand, unsigned bits, Value* value) {
  if (is_memory(operand)) {
    Value* place = address(operand);
    if (place) store(place, value);
    return place != nullptr;
  }
  if (operand.kind != TextOperand::value) return false;
  auto place = place_of(operand.of);
  if (!place || place->number == kRsp || place->number == kRbp) return false;
  place->bits = bits;
  set_part(place->number, *place, value);
  return true;
}

void AssemblyState::find_variables(const std::vector<Statement>& statements) {
  SmallDenseSet<unsigned> seen{kRax, kRcx, kRdx};
  const auto note = [&](const TextValue& value) {
    if (const auto place = place_of(value)) seen.insert(place->number);
  };
  for (const Argument& argument : arguments_)
    if (argument.variable != ~0u) seen.insert(argument.variable);
  for (const Statement& statement : statements)
    for (const TextOperand& operand : statement.operands) {
      if (operand.kind == TextOperand::value) note(operand.of);
      if (operand.base) note(*operand.base);
      if (operand.index) note(*operand.index);
    }
  variables_.assign(seen.begin(), seen.end());
  sort(variables_);
}

SmallVector<PHINode*, 8> AssemblyState::make_phis(BasicBlock& block) const {
  SmallVector<PHINode*, 8> phis;
  for (unsigned i = 0; i < variables_.size(); ++i) phis.push_back(PHINode::Create(builder_.getInt64Ty(), 2, "", &block));
  return phis;
}

void AssemblyState::add_incoming(ArrayRef<PHINode*> phis, BasicBlock& from) const {
  for (unsigned i = 0; i < phis.size(); ++i) {
    Value* value = values_.lookup(variables_[i]);
    phis[i]->addIncoming(value ? value : builder_.getInt64(0), &from);
  }
}

void AssemblyState::enter(ArrayRef<PHINode*> phis) {
  for (unsigned i = 0; i < phis.size(); ++i) values_[variables_[i]] = phis[i];
}

}  // namespace inspect::pass
