// Values: the instructions that touch no memory.
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "symbolic/frontend/region.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

std::optional<Value> Region::read(const llvm::Value* value) {
  // What SROA leaves of bits that nobody wrote: anything.
  if (llvm::isa<llvm::UndefValue>(value) && !llvm::isa<llvm::PoisonValue>(value) && value->getType()->isIntegerTy() &&
      value->getType()->getIntegerBitWidth() <= 64)
    return Value{
        program_.system.read(program_.add_uninitialised("a variable of " + path_.environment.top().function->getName().str(),
                                                        value->getType()->getIntegerBitWidth(), thread_))};
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return program_.memory.constant(terms_, constant);
  const auto& values = path_.environment.top().values;
  const auto it = values.find(value);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

Region::Flow Region::compute(const llvm::Instruction& i) {
  if (const auto* binary_operator = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return binary(*binary_operator);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) return compare(*comparison);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return convert(*cast);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&i)) return select(*choice);
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) return element_pointer(*gep);
  // Of a compare-exchange, which has said what it is.
  if (llvm::isa<llvm::ExtractValueInst>(i) && path_.environment.top().values.contains(&i)) return Flow::next;
  if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&i)) {
    const auto value = read(freeze->getOperand(0));
    if (!value) return unsupported(i, "a value that is not understood");
    set(i, *value);
    return Flow::next;
  }
  return unsupported(i, std::string("an instruction: ") + i.getOpcodeName());
}

namespace {

std::optional<TermKind> kind_of(llvm::Instruction::BinaryOps operation) {
  switch (operation) {
    case llvm::Instruction::Add:
      return TermKind::sum;
    case llvm::Instruction::Sub:
      return TermKind::subtraction;
    case llvm::Instruction::Mul:
      return TermKind::product;
    case llvm::Instruction::UDiv:
      return TermKind::quotient;
    case llvm::Instruction::URem:
      return TermKind::remainder;
    case llvm::Instruction::SDiv:
      return TermKind::signed_quotient;
    case llvm::Instruction::SRem:
      return TermKind::signed_remainder;
    case llvm::Instruction::Shl:
      return TermKind::shift_left;
    case llvm::Instruction::LShr:
      return TermKind::shift_right;
    case llvm::Instruction::AShr:
      return TermKind::signed_shift_right;
    case llvm::Instruction::And:
      return TermKind::conjunction;
    case llvm::Instruction::Or:
      return TermKind::disjunction;
    case llvm::Instruction::Xor:
      return TermKind::difference;
    default:
      return std::nullopt;
  }
}

bool divides(TermKind kind) {
  return kind == TermKind::quotient || kind == TermKind::remainder || kind == TermKind::signed_quotient ||
         kind == TermKind::signed_remainder;
}
bool shifts(TermKind kind) {
  return kind == TermKind::shift_left || kind == TermKind::shift_right || kind == TermKind::signed_shift_right;
}

}  // namespace

Region::Flow Region::binary(const llvm::BinaryOperator& i) {
  const auto kind = kind_of(i.getOpcode());
  const auto a = read(i.getOperand(0)), b = read(i.getOperand(1));
  if (!kind || !a || !b || a->is_pointer || b->is_pointer || !i.getType()->isIntegerTy())
    return unsupported(i, std::string("an operation: ") + i.getOpcodeName());
  require_number(*a, i);
  require_number(*b, i);
  const unsigned width = terms_.width(a->bits);
  if (divides(*kind) && !mutated(Mutation::divisions_unchecked)) {
    require_not(terms_.equal(b->bits, 0), FailureKind::crash, "division by zero", i);
    if (*kind == TermKind::signed_quotient || *kind == TermKind::signed_remainder) {
      const Term least = terms_.equal(a->bits, std::uint64_t{1} << (width - 1));
      const Term minus_one = terms_.equal(b->bits, truncated(~std::uint64_t{0}, width));
      require_not(terms_.both(least, minus_one), FailureKind::crash, "a quotient that is too large", i);
    }
  }
  if (shifts(*kind) && !mutated(Mutation::shifts_unchecked)) {
    require_not(terms_.negation(terms_.binary(TermKind::less, b->bits, terms_.constant(width, width))),
                FailureKind::unsupported, "a shift by the width of the number or more", i);
  }
  set(i, {terms_.binary(*kind, a->bits, b->bits)});
  return Flow::next;
}

Region::Flow Region::compare(const llvm::ICmpInst& i) {
  const auto a = read(i.getOperand(0)), b = read(i.getOperand(1));
  if (!a || !b) return unsupported(i, "a comparison of values that are not understood");
  if ((a->is_pointer || b->is_pointer) && !i.isEquality()) return unsupported(i, "an order of pointers");
  if (i.isEquality()) {
    require_comparable(*a, *b, i);
  } else {
    require_number(*a, i);
    require_number(*b, i);
  }
  const auto less = [&](bool is_signed, Term x, Term y) {
    return terms_.binary(is_signed ? TermKind::signed_less : TermKind::less, x, y);
  };
  const bool is_signed = i.isSigned() && !mutated(Mutation::comparisons_unsigned);
  Term result;
  switch (i.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ:
      result = terms_.equal(a->bits, b->bits);
      break;
    case llvm::CmpInst::ICMP_NE:
      result = terms_.negation(terms_.equal(a->bits, b->bits));
      break;
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
      result = less(is_signed, a->bits, b->bits);
      break;
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_SGT:
      result = less(is_signed, b->bits, a->bits);
      break;
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
      result = terms_.negation(less(is_signed, b->bits, a->bits));
      break;
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
      result = terms_.negation(less(is_signed, a->bits, b->bits));
      break;
    default:
      return unsupported(i, "a comparison");
  }
  set(i, {result});
  return Flow::next;
}

Region::Flow Region::convert(const llvm::CastInst& i) {
  const auto value = read(i.getOperand(0));
  const auto* const to = llvm::dyn_cast<llvm::IntegerType>(i.getType());
  const bool is_cast = i.getOpcode() == llvm::Instruction::IntToPtr || i.getOpcode() == llvm::Instruction::PtrToInt;
  if (value && is_cast && terms_.width(value->bits) <= 64) {
    const bool makes_pointer = i.getOpcode() == llvm::Instruction::IntToPtr;
    const unsigned width = makes_pointer ? 64 : i.getType()->getIntegerBitWidth();
    if (width > 64 || value->is_pointer == makes_pointer) return unsupported(i, "a conversion");
    const bool stays_whole = width == 64 && terms_.width(value->bits) == 64;
    if (!stays_whole) require_number(*value, i);
    // A number in a pointer's place is one to get back; an address is none of the numbers that it would be.
    const Term bits = makes_pointer ? terms_.extend(value->bits, 64, false) : value->bits;
    const Term object = terms_.extract(bits, kObjectShift, 64 - kObjectShift);
    const Term is_address = terms_.both(terms_.negation(terms_.equal(object, 0)),
                                        terms_.binary(TermKind::less, object, terms_.constant(24, kMostObjects)));
    require_not(terms_.both(is_address, terms_.negation(is_handle(*value))), FailureKind::unsupported,
                std::string("a conversion: ") + i.getOpcodeName() +
                    ", of an address (or an atomic exchange of pointers: use an index, or a mutex)",
                i);
    set(i, {makes_pointer ? bits : terms_.extract(bits, 0, width), makes_pointer,
            stays_whole ? handles_among(value->objects) : Objects{}});
    return Flow::next;
  }
  const bool is_number = value && !value->is_pointer && to && to->getBitWidth() <= 64;
  if (is_number) require_number(*value, i);
  if (is_number && i.getOpcode() == llvm::Instruction::Trunc)
    set(i, {terms_.extract(value->bits, 0, to->getBitWidth())});
  else if (is_number && (i.getOpcode() == llvm::Instruction::ZExt || i.getOpcode() == llvm::Instruction::SExt))
    set(i, {terms_.extend(value->bits, to->getBitWidth(),
                          i.getOpcode() == llvm::Instruction::SExt && !mutated(Mutation::extensions_unsigned))});
  else
    return unsupported(i, std::string("a conversion: ") + i.getOpcodeName());
  return Flow::next;
}

Region::Flow Region::select(const llvm::SelectInst& i) {
  const auto condition = read(i.getCondition()), then = read(i.getTrueValue()), otherwise = read(i.getFalseValue());
  if (!condition || !then || !otherwise || terms_.width(condition->bits) != 1 || then->is_pointer != otherwise->is_pointer)
    return unsupported(i, "a choice of values that are not understood");
  Value value{terms_.choice(condition->bits, then->bits, otherwise->bits), then->is_pointer, then->objects};
  value.objects.insert(otherwise->objects.begin(), otherwise->objects.end());
  set(i, std::move(value));
  return Flow::next;
}

Region::Flow Region::element_pointer(const llvm::GetElementPtrInst& i) {
  const auto base = read(i.getPointerOperand());
  if (!base || !base->is_pointer) return unsupported(i, "a pointer that is not understood");
  const llvm::DataLayout& layout = program_.module.getDataLayout();
  if (!i.getSourceElementType()->isIntegerTy(8))
    for (const ObjectId id : base->objects) program_.memory.note_type(id, i.getSourceElementType());
  Term offset = terms_.constant(64, 0);
  for (auto at = llvm::gep_type_begin(i), end = llvm::gep_type_end(i); at != end; ++at) {
    const auto index = read(at.getOperand());
    if (!index || index->is_pointer || !at.getOperand()->getType()->isIntegerTy())
      return unsupported(i, "an index that is not understood");
    require_number(*index, i);
    Term step;
    if (llvm::StructType* structure = at.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(terms_[index->bits].value);
      step = terms_.constant(64, layout.getStructLayout(structure)->getElementOffset(field));
    } else {
      const std::uint64_t stride = at.getSequentialElementStride(layout);
      step = terms_.binary(TermKind::product, terms_.extend(index->bits, 64, true), terms_.constant(64, stride));
    }
    offset = terms_.binary(TermKind::sum, offset, step);
  }
  const Term result = terms_.binary(TermKind::sum, base->bits, offset);
  const auto object = [&](Term pointer) { return terms_.extract(pointer, kObjectShift, 64 - kObjectShift); };
  // Or an access could meet another object by accident of numbers. Null stays null only without an offset.
  const Term leaves = terms_.negation(terms_.equal(object(result), object(base->bits)));
  require_not(leaves, FailureKind::memory_error, "a pointer far outside its object", i);
  set(i, {result, true, base->objects});
  return Flow::next;
}

}  // namespace inspect::symbolic
