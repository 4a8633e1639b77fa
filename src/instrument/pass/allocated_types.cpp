#include "instrument/pass/allocated_types.hpp"

#include <optional>
#include <set>
#include <string>

#include <llvm/ADT/SetVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/raw_ostream.h>
#include "hooks/allocated_types.h"
#include "instrument/pass/variables.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

constexpr unsigned kMostSteps = 32;  // of typedefs, members, loads: broken debug information may go in circles

bool is_any_of(unsigned tag, std::initializer_list<unsigned> tags) { return is_contained(tags, tag); }

// Without typedefs and qualifiers; typedef_of: the innermost typedef.
DIType* plain(DIType* type, DIDerivedType** typedef_of = nullptr) {
  for (unsigned i = 0; i < kMostSteps; ++i) {
    auto* const derived = dyn_cast_or_null<DIDerivedType>(type);
    if (!derived || !is_any_of(derived->getTag(), {dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type,
                                                   dwarf::DW_TAG_restrict_type, dwarf::DW_TAG_atomic_type}))
      return type;
    if (typedef_of && derived->getTag() == dwarf::DW_TAG_typedef) *typedef_of = derived;
    type = derived->getBaseType();
  }
  return nullptr;
}

// What a pointer or reference leads to; typedefs are kept, null: it is neither.
DIType* target_of(DIType* type, bool of_pointers) {
  auto* const derived = dyn_cast_or_null<DIDerivedType>(plain(type));
  const bool fits =
      derived && (of_pointers ? derived->getTag() == dwarf::DW_TAG_pointer_type
                              : is_any_of(derived->getTag(), {dwarf::DW_TAG_pointer_type, dwarf::DW_TAG_reference_type,
                                                              dwarf::DW_TAG_rvalue_reference_type}));
  return fits ? derived->getBaseType() : nullptr;
}

uint64_t bytes_of(DIType* type) {
  DIType* const known = plain(type);
  return known ? known->getSizeInBits() / 8 : 0;
}

// The one part of the type that begins there and has the size of a pointer.
DIType* pointer_within(DIType* type, uint64_t offset) {
  for (unsigned i = 0; i < kMostSteps; ++i) {
    type = plain(type);
    auto* const composite = dyn_cast_or_null<DICompositeType>(type);
    if (!composite) return offset == 0 ? type : nullptr;
    if (composite->getTag() == dwarf::DW_TAG_array_type) {
      const uint64_t one = bytes_of(composite->getBaseType());
      if (!one) return nullptr;
      offset %= one;
      type = composite->getBaseType();
      continue;
    }
    if (composite->getTag() == dwarf::DW_TAG_union_type) return nullptr;  // which of them is not known
    DIType* found = nullptr;
    uint64_t begin = 0;
    for (DINode* const element : composite->getElements()) {
      auto* const member = dyn_cast<DIDerivedType>(element);
      if (!member || !is_any_of(member->getTag(), {dwarf::DW_TAG_member, dwarf::DW_TAG_inheritance}) ||
          member->isStaticMember())
        continue;
      const uint64_t at = member->getOffsetInBits() / 8;
      if (at > offset || offset - at >= bytes_of(member->getBaseType())) continue;
      if (found && at == begin) return nullptr;
      found = member->getBaseType(), begin = at;
    }
    if (!found) return nullptr;
    offset -= begin;
    type = found;
  }
  return nullptr;
}

// The type of what stands at an address, in the source; null: not certain.
DIType* type_at(Value* address, uint64_t offset, const DataLayout& layout, unsigned depth = 0);

DIType* declared_type(Value* object) {
  if (auto* const local = dyn_cast<AllocaInst>(object)) {
    const auto variables = variables_in(*local);
    if (variables.size() != 1) return nullptr;
    return variables.front()->getType();
  }
  auto* const global = dyn_cast<GlobalVariable>(object);
  if (!global) return nullptr;
  SmallVector<DIGlobalVariableExpression*, 1> described;
  global->getDebugInfo(described);
  return described.size() == 1 ? described.front()->getVariable()->getType() : nullptr;
}

DIType* type_at(Value* address, uint64_t offset, const DataLayout& layout, unsigned depth) {
  if (depth > kMostSteps) return nullptr;
  if (auto* const step = dyn_cast<GEPOperator>(address)) {
    APInt constant(layout.getIndexTypeSizeInBits(step->getType()), 0);
    if (step->accumulateConstantOffset(layout, constant))
      return constant.isNegative() ? nullptr
                                   : type_at(step->getPointerOperand(), offset + constant.getZExtValue(), layout, depth + 1);
    return nullptr;
  }
  if (DIType* const declared = declared_type(address)) return pointer_within(declared, offset);
  auto* const load = dyn_cast<LoadInst>(address);
  if (!load) return nullptr;
  return pointer_within(target_of(type_at(load->getPointerOperand(), 0, layout, depth + 1), false), offset);
}

DIType* returned_type(const Function& function) {
  const DISubprogram* const source = function.getSubprogram();
  const auto types = source && source->getType() ? source->getType()->getTypeArray() : DITypeRefArray(nullptr);
  return types.size() ? types[0] : nullptr;
}

// The type of the pointer that a call returns, where the source says one: it is kept in one place, or returned.
DIType* pointer_type_of(CallBase& call, const DataLayout& layout) {
  DIType* found = nullptr;
  for (Use& use : call.uses()) {
    DIType* type = nullptr;
    if (auto* const store = dyn_cast<StoreInst>(use.getUser()); store && store->getValueOperand() == &call) {
      auto* const local = dyn_cast<AllocaInst>(store->getPointerOperand());
      if (local && variables_in(*local).empty()) {
        if (!is_returned(*local)) continue;
        type = returned_type(*call.getFunction());
      } else {
        type = type_at(store->getPointerOperand(), 0, layout);
      }
    } else if (isa<ReturnInst>(use.getUser())) {
      type = returned_type(*call.getFunction());
    } else {
      continue;
    }
    DIType* const target = target_of(type, true);
    if (!target || (found && plain(found) != plain(target))) return nullptr;
    found = target;
  }
  return found;
}

// How many bytes a call asks for: so many times `one`.
struct Amount {
  bool one = false, many = false;
};

Amount amount_of(Value* bytes, uint64_t one, bool may_be_folded) {
  using namespace PatternMatch;
  if (auto* const constant = dyn_cast<ConstantInt>(bytes)) {
    const uint64_t all = constant->getZExtValue();
    if (all == one) return {.one = true};
    return {.many = may_be_folded && all > one && all % one == 0};
  }
  const auto times = [&](uint64_t size) {
    return size == 1 || match(bytes, m_c_Mul(m_Value(), m_SpecificInt(size))) ||
           (isPowerOf2_64(size) && match(bytes, m_Shl(m_Value(), m_SpecificInt(Log2_64(size)))));
  };
  return {.many = times(one)};
}

struct Row {
  DIType* type = nullptr;  // typedefs are kept
  uint64_t begin = 0;
  bool many = false;
};

// The compiler's `new X[n]` keeps n in front of the objects, where they have destructors.
uint64_t bytes_in_front(CallBase& call) {
  bool counts_at_begin = false;
  uint64_t begin = 0, count_at = 0;
  for (User* const user : call.users()) {
    if (auto* const store = dyn_cast<StoreInst>(user)) {
      counts_at_begin |= store->getPointerOperand() == &call && store->getValueOperand()->getType()->isIntegerTy(64);
      continue;
    }
    auto* const step = dyn_cast<GetElementPtrInst>(user);
    if (!step || step->getNumIndices() != 1 || !step->getSourceElementType()->isIntegerTy(8)) continue;
    auto* const by = dyn_cast<ConstantInt>(step->getOperand(1));
    if (!by) continue;
    const bool counts = any_of(step->users(), [&](User* const of) {
      auto* const store = dyn_cast<StoreInst>(of);
      return store && store->getPointerOperand() == step && store->getValueOperand()->getType()->isIntegerTy(64);
    });
    (counts ? count_at : begin) = by->getZExtValue();
  }
  if (counts_at_begin && begin == 8) return 8;
  return count_at && begin == count_at + 8 ? begin : 0;
}

std::optional<Row> created(CallBase& call) {  // by a `new` expression
  MDNode* const node = call.getMetadata("heapallocsite");
  auto* const type = dyn_cast_or_null<DIType>(node);
  const Function* const callee = call.getCalledFunction();
  if (!type || !callee) return std::nullopt;
  const bool many = callee->getName().starts_with("_Zna");
  return Row{type, many ? bytes_in_front(call) : 0, many};
}

std::optional<Row> kept(CallBase& call, const DataLayout& layout) {
  const Function* const callee = call.getCalledFunction();
  if (!callee) return std::nullopt;
  const StringRef name = callee->getName();
  const bool counted = name == "calloc";
  if (!counted && name != "malloc" && !name.starts_with("_Znwm") && !name.starts_with("_Znam")) return std::nullopt;
  if (call.arg_size() < (counted ? 2u : 1u)) return std::nullopt;
  DIType* const type = pointer_type_of(call, layout);
  const uint64_t one = bytes_of(type);
  if (!one) return std::nullopt;
  if (counted) {
    const auto* const count = dyn_cast<ConstantInt>(call.getArgOperand(0));
    auto* const size = dyn_cast<ConstantInt>(call.getArgOperand(1));
    if (!size || size->getZExtValue() != one) return std::nullopt;
    return Row{type, 0, !count || !count->isOne()};
  }
  // A larger structure whose first member this is looks the same as several of them.
  const bool is_basic = isa<DIBasicType>(plain(type));
  const Amount amount = amount_of(call.getArgOperand(0), one, is_basic);
  return amount.one || amount.many ? std::optional(Row{type, 0, amount.many}) : std::nullopt;
}

StringRef name_of(const DISubprogram& function) {
  return function.getLinkageName().empty() ? function.getName() : function.getLinkageName();
}

std::optional<std::string> text_of(const Row& row, const DILocation& at) {
  DIDerivedType* typedef_of = nullptr;
  DIType* const type = plain(row.type, &typedef_of);
  const DISubprogram* const function = at.getScope()->getSubprogram();
  if (!type || !function || (!isa<DIBasicType>(type) && !isa<DICompositeType>(type))) return std::nullopt;
  if (type->getTag() == dwarf::DW_TAG_array_type) return std::nullopt;
  const DIType* const named = type->getName().empty() && typedef_of ? typedef_of : type;
  const StringRef name = named->getName();
  if (name.empty() || name.find_first_of("\t\n") != StringRef::npos) return std::nullopt;
  const uint64_t size = type->isForwardDecl() ? 0 : type->getSizeInBits() / 8;
  std::string text = name_of(*function).str();
  for (const uint64_t number : {uint64_t(at.getLine()), uint64_t(at.getColumn())}) text += '\t' + std::to_string(number);
  text += '\t' + name.str();
  for (const uint64_t number : {uint64_t(named->getLine()), size, row.begin, uint64_t(row.many)})
    text += '\t' + std::to_string(number);
  return text + '\n';
}

// Written to the debug information though nothing else may need it.
void retain(const SetVector<DIType*>& types, DICompileUnit& unit) {
  SmallVector<Metadata*, 16> all(unit.getRetainedTypes().begin(), unit.getRetainedTypes().end());
  SetVector<Metadata*> kept(all.begin(), all.end());
  kept.insert(types.begin(), types.end());
  unit.replaceRetainedTypes(MDTuple::get(unit.getContext(), kept.getArrayRef()));
}

}  // namespace

void list_allocated_types(Module& module) {
  std::set<std::string> rows;
  MapVector<DICompileUnit*, SetVector<DIType*>> types;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      auto* const call = dyn_cast<CallBase>(&instruction);
      const DILocation* const at = call ? call->getDebugLoc().get() : nullptr;
      DISubprogram* const subprogram = function.getSubprogram();
      if (!at || !at->getLine() || !subprogram || !subprogram->getUnit()) continue;
      auto row = created(*call);
      if (!row) row = kept(*call, module.getDataLayout());
      const auto text = row ? text_of(*row, *at) : std::nullopt;
      if (!text) continue;
      rows.insert(*text);
      types[subprogram->getUnit()].insert(row->type);
    }
  for (auto& [unit, of_unit] : types) retain(of_unit, *unit);
  if (rows.empty()) return;
  std::string assembly = ".pushsection " INSPECT_ALLOCATED_TYPES_SECTION ",\"\",@progbits\n";
  raw_string_ostream out(assembly);
  for (const std::string& row : rows) {
    out << ".ascii \"";
    for (const char c : row) {
      if (c == '\t' || c == '\n') {
        out << (c == '\t' ? "\\t" : "\\n");
        continue;
      }
      if (c == '"' || c == '\\') out << '\\';
      out << c;
    }
    out << "\"\n";
  }
  out << ".popsection\n";
  module.appendModuleInlineAsm(out.str());
}

}  // namespace inspect::pass
