#include "instrument/pass/names.hpp"

#include <optional>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr unsigned kMaxDepth = 12;

// Without typedefs and qualifiers.
const DIType* bare(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_atomic_type:
      case dwarf::DW_TAG_restrict_type:
        type = derived->getBaseType();
        continue;
      default:
        return type;
    }
  }
  return type;
}

bool is_reference(const DIType* type) {
  type = bare(type);
  return type && (type->getTag() == dwarf::DW_TAG_reference_type || type->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

// What a pointer or reference of this type refers to; null when not known.
const DIType* pointee(const DIType* type) {
  const auto* derived = dyn_cast_or_null<DIDerivedType>(bare(type));
  if (!derived) return nullptr;
  return derived->getTag() == dwarf::DW_TAG_pointer_type || is_reference(derived) ? bare(derived->getBaseType()) : nullptr;
}

uint64_t bytes_of(const DIType* type) { return type ? type->getSizeInBits() / 8 : 0; }

// The expression of a pointer value, an integer, or of a location.
struct Named {
  std::string text;
  const DIType* type = nullptr;  // of the value or of the object at the location
};

// A location: `base` plus a byte offset not yet turned into members.
struct Place {
  Named base;
  bool through_pointer = false;  // base.text is a pointer to the object, not the object
  uint64_t offset = 0;
};

class Namer {
 public:
  explicit Namer(const DataLayout& layout) : layout_(layout) {}

  std::optional<Named> location(const Value* address, uint64_t size, unsigned depth) {
    std::optional<Place> place = place_of(address, depth);
    if (!place) return std::nullopt;
    return render(*place, size);
  }

 private:
  const DataLayout& layout_;

  static std::optional<Named> declared(const Value* storage) {
    const auto named = [](const DILocalVariable* variable) {
      return Named{variable->getName().str(), bare(variable->getType())};
    };
    auto* value = const_cast<Value*>(storage);
    for (DbgVariableRecord* record : findDVRDeclares(value)) return named(record->getVariable());
    for (DbgDeclareInst* declare : findDbgDeclares(value)) return named(declare->getVariable());
    if (auto* object = dyn_cast<AllocaInst>(value)) {
      for (DbgVariableRecord* record : at::getDVRAssignmentMarkers(object)) return named(record->getVariable());
      for (DbgAssignIntrinsic* assign : at::getAssignmentMarkers(object)) return named(assign->getVariable());
      return std::nullopt;
    }
    SmallVector<DbgValueInst*, 1> values;
    SmallVector<DbgVariableRecord*, 1> records;
    findDbgValues(values, value, &records);
    for (DbgVariableRecord* record : records)
      if (record->getExpression()->getNumElements() == 0) return named(record->getVariable());
    for (DbgValueInst* instruction : values)
      if (instruction->getExpression()->getNumElements() == 0) return named(instruction->getVariable());
    return std::nullopt;
  }

  static std::optional<Named> global(const GlobalVariable* variable) {
    SmallVector<DIGlobalVariableExpression*, 1> expressions;
    variable->getDebugInfo(expressions);
    if (!expressions.empty()) {
      const DIGlobalVariable* described = expressions[0]->getVariable();
      return Named{described->getName().str(), bare(described->getType())};
    }
    if (variable->hasPrivateLinkage() || !variable->hasName()) return std::nullopt;
    return Named{variable->getName().str(), nullptr};
  }

  // The object that a pointer value points to.
  std::optional<Place> through(const Value* pointer, unsigned depth) {
    std::optional<Named> named = value(pointer, depth);
    if (!named) return std::nullopt;
    const bool reference = is_reference(named->type);
    return Place{{std::move(named->text), pointee(named->type)}, !reference, 0};
  }

  std::optional<Place> place_of(const Value* address, unsigned depth) {
    if (depth > kMaxDepth) return std::nullopt;
    address = address->stripPointerCasts();
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(address);
        intrinsic && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address)
      address = intrinsic->getArgOperand(0);
    if (const auto* variable = dyn_cast<GlobalVariable>(address)) {
      std::optional<Named> named = global(variable);
      if (!named) return std::nullopt;
      return Place{*named, false, 0};
    }
    if (isa<AllocaInst>(address)) {
      std::optional<Named> named = declared(address);
      if (!named) return std::nullopt;
      return Place{*named, is_reference(named->type), 0};
    }
    if (const auto* element = dyn_cast<GEPOperator>(address)) return element_of(*element, depth);
    return through(address, depth);
  }

  std::optional<Place> element_of(const GEPOperator& element, unsigned depth) {
    std::optional<Place> place = place_of(element.getPointerOperand(), depth + 1);
    if (!place) return std::nullopt;
    for (auto step = gep_type_begin(element), end = gep_type_end(element); step != end; ++step) {
      const Value* index = step.getOperand();
      if (StructType* structure = step.getStructTypeOrNull()) {
        const auto field = unsigned(cast<ConstantInt>(index)->getZExtValue());
        place->offset += layout_.getStructLayout(structure)->getElementOffset(field).getFixedValue();
        continue;
      }
      const uint64_t stride = step.getSequentialElementStride(layout_).getFixedValue();
      if (const auto* constant = dyn_cast<ConstantInt>(index)) {
        place->offset += uint64_t(constant->getSExtValue()) * stride;
        continue;
      }
      std::optional<Named> text = value(index, depth + 1);
      if (!text || !subscript(*place, text->text, stride)) return std::nullopt;
    }
    return place;
  }

  // Turns `place` into its element with a variable index.
  bool subscript(Place& place, const std::string& index, uint64_t stride) {
    if (place.through_pointer && place.offset == 0 && (!place.base.type || bytes_of(place.base.type) == stride)) {
      place = {{place.base.text + "[" + index + "]", place.base.type}, false, 0};
      return true;
    }
    while (const auto* type = dyn_cast_or_null<DICompositeType>(place.base.type)) {
      if (type->getTag() == dwarf::DW_TAG_array_type) {
        const DIType* element = bare(type->getBaseType());
        if (bytes_of(element) != stride || place.offset >= stride || type->getElements().size() != 1) return false;
        if (place.through_pointer) return false;
        place.base = {place.base.text + "[" + index + "]", element};
        return true;
      }
      if (!member(place, stride)) return false;
    }
    return false;
  }

  // Descends into the member of a class that holds the place's offset; `size` chooses among the members of a union.
  static bool member(Place& place, uint64_t size) {
    const auto* type = cast<DICompositeType>(place.base.type);
    const DIDerivedType* best = nullptr;
    for (const DINode* node : type->getElements()) {
      const auto* candidate = dyn_cast_or_null<DIDerivedType>(node);
      if (!candidate || candidate->isStaticMember()) continue;
      if (candidate->getTag() != dwarf::DW_TAG_member && candidate->getTag() != dwarf::DW_TAG_inheritance) continue;
      const uint64_t begin = candidate->getOffsetInBits() / 8;
      const uint64_t bytes = std::max<uint64_t>(bytes_of(candidate), 1);
      if (place.offset < begin || place.offset >= begin + bytes) continue;
      if (!best || (bytes == size && bytes_of(best) != size)) best = candidate;
    }
    if (!best) return false;
    place.offset -= best->getOffsetInBits() / 8;
    place.base.type = bare(best->getBaseType());
    if (best->getTag() == dwarf::DW_TAG_inheritance || best->getName().empty()) return true;
    place.base.text += (place.through_pointer ? "->" : ".") + best->getName().str();
    place.through_pointer = is_reference(place.base.type);
    return true;
  }

  // Descends into the element of an array that holds the place's offset.
  static bool constant_element(Place& place) {
    const auto* type = cast<DICompositeType>(place.base.type);
    const DIType* element = bare(type->getBaseType());
    const uint64_t bytes = bytes_of(element);
    if (!bytes || type->getElements().size() != 1 || place.through_pointer) return false;
    place.base = {place.base.text + "[" + std::to_string(place.offset / bytes) + "]", element};
    place.offset %= bytes;
    return true;
  }

  static std::optional<Named> render(Place place, uint64_t size) {
    const uint64_t whole = bytes_of(place.base.type);
    if (place.through_pointer && whole && place.offset >= whole) {  // p[3].x, with a constant index
      place.base.text += "[" + std::to_string(place.offset / whole) + "]";
      place.offset %= whole;
      place.through_pointer = false;
    }
    while (const auto* type = dyn_cast_or_null<DICompositeType>(place.base.type)) {
      const uint64_t bytes = bytes_of(type);
      const unsigned tag = type->getTag();
      if (place.offset == 0 && (size == 0 || size > bytes || (size == bytes && size > 8))) break;
      if (place.offset == 0 && tag == dwarf::DW_TAG_array_type && size > bytes_of(bare(type->getBaseType()))) break;
      if (tag == dwarf::DW_TAG_enumeration_type) break;
      if (tag == dwarf::DW_TAG_array_type ? !constant_element(place) : !member(place, size)) break;
    }
    if (place.offset != 0) return std::nullopt;
    if (place.through_pointer && !is_reference(place.base.type)) place.base.text = "*" + place.base.text;
    return place.base;
  }

  // A value that was loaded, computed or passed in.
  std::optional<Named> value(const Value* value, unsigned depth) {
    if (depth > kMaxDepth) return std::nullopt;
    if (const auto* constant = dyn_cast<ConstantInt>(value)) return Named{std::to_string(constant->getSExtValue()), nullptr};
    if (const auto* load = dyn_cast<LoadInst>(value))
      return location(load->getPointerOperand(), layout_.getTypeStoreSize(load->getType()), depth + 1);
    if (isa<Argument>(value) || isa<PHINode>(value)) return declared(value);
    if (const auto* cast = dyn_cast<CastInst>(value)) return this->value(cast->getOperand(0), depth + 1);
    if (const auto* call = dyn_cast<CallBase>(value)) return called(*call);
    if (const auto* operation = dyn_cast<BinaryOperator>(value)) return computed(*operation, depth);
    if (value->getType()->isPointerTy() && (isa<GEPOperator>(value) || isa<GlobalVariable>(value) || isa<AllocaInst>(value))) {
      std::optional<Named> target = location(value, 0, depth + 1);
      if (!target) return std::nullopt;
      return Named{"&" + target->text, nullptr};
    }
    return std::nullopt;
  }

  static std::optional<Named> called(const CallBase& call) {
    const Function* callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic()) return std::nullopt;
    const DISubprogram* subprogram = callee->getSubprogram();
    const DIType* type = nullptr;
    if (subprogram && subprogram->getType() && subprogram->getType()->getTypeArray().size() > 0)
      type = bare(subprogram->getType()->getTypeArray()[0]);
    return Named{(subprogram ? subprogram->getName() : callee->getName()).str() + "()", type};
  }

  std::optional<Named> computed(const BinaryOperator& operation, unsigned depth) {
    const char* sign = nullptr;
    switch (operation.getOpcode()) {
      case Instruction::Add:
        sign = " + ";
        break;
      case Instruction::Sub:
        sign = " - ";
        break;
      case Instruction::Mul:
        sign = " * ";
        break;
      case Instruction::SDiv:
      case Instruction::UDiv:
        sign = " / ";
        break;
      case Instruction::SRem:
      case Instruction::URem:
        sign = " % ";
        break;
      case Instruction::And:
        sign = " & ";
        break;
      case Instruction::Or:
        sign = " | ";
        break;
      case Instruction::Xor:
        sign = " ^ ";
        break;
      case Instruction::Shl:
        sign = " << ";
        break;
      case Instruction::LShr:
      case Instruction::AShr:
        sign = " >> ";
        break;
      default:
        return std::nullopt;
    }
    const auto left = value(operation.getOperand(0), depth + 1);
    if (!left) return std::nullopt;
    const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
    if (constant && constant->isNegative() && operation.getOpcode() == Instruction::Add)
      return Named{left->text + " - " + std::to_string(-constant->getSExtValue()), nullptr};
    const auto right = value(operation.getOperand(1), depth + 1);
    if (!right) return std::nullopt;
    return Named{parenthesised(left->text) + sign + parenthesised(right->text), nullptr};
  }

  static std::string parenthesised(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
};

}  // namespace

std::string source_expression(const Value* address, uint64_t size, const DataLayout& layout) {
  if (std::optional<Named> named = Namer(layout).location(address, size, 0)) return named->text;
  return {};
}

}  // namespace inspect::pass
