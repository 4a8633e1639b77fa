#include "symbolic/frontend/uninitialised.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <utility>
#include <vector>

#include "symbolic/frontend/memory.hpp"

namespace inspect::symbolic {

namespace {

constexpr const char* kNote = "inspect.variable";  // on a call: which variable it is about
constexpr std::size_t kMostScalars = 64;           // of a variable that is taken apart

bool is_added(const llvm::Instruction& i) {
  const llvm::MDNode* const notes = i.getMetadata(llvm::LLVMContext::MD_annotation);
  return notes && llvm::any_of(notes->operands(), [](const llvm::MDOperand& note) {
           const auto* const text = llvm::dyn_cast<llvm::MDString>(note.get());
           return text && text->getString() == "auto-init";
         });
}

// The scalars of a type by their offsets; false if it has other parts, or too many.
bool take_apart(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                std::vector<std::pair<std::uint64_t, llvm::Type*>>& scalars) {
  if (scalars.size() > kMostScalars) return false;
  if (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)) {
    scalars.emplace_back(offset, type);
    return true;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (std::uint64_t n = 0; n < array->getNumElements(); ++n)
      if (!take_apart(array->getElementType(), offset + n * stride, layout, scalars)) return false;
    return true;
  }
  auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure || structure->isOpaque() || synchronisation_kind(structure)) return false;
  const llvm::StructLayout* const fields = layout.getStructLayout(structure);
  for (unsigned n = 0; n < structure->getNumElements(); ++n)
    if (!take_apart(structure->getElementType(n), offset + fields->getElementOffset(n), layout, scalars)) return false;
  return true;
}

class Undo {
 public:
  explicit Undo(llvm::Module& module) : module_(module) {}

  void run() {
    std::vector<llvm::Instruction*> added;
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& i : block)
          if (is_added(i)) added.push_back(&i);
    for (llvm::Instruction* const i : added) take_back(*i);
  }

 private:
  void take_back(llvm::Instruction& i) {
    llvm::Value* const pointer = pointer_of(i);
    if (!pointer) return;  // nothing that writes
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(pointer->stripInBoundsConstantOffsets());
    const std::string name = variable ? variable_name(*variable) : "a variable";
    llvm::IRBuilder<> builder(&i);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i); store && is_scalar(store->getValueOperand()->getType())) {
      store->setOperand(0, value(builder, store->getValueOperand()->getType(), name));
      return;
    }
    std::vector<std::pair<std::uint64_t, llvm::Type*>> scalars;
    if (variable && pointer == variable && !variable->isArrayAllocation() &&
        take_apart(variable->getAllocatedType(), 0, module_.getDataLayout(), scalars)) {
      for (const auto& [offset, type] : scalars)
        builder.CreateStore(value(builder, type, name),
                            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), variable, offset));
    } else {
      const auto begins =
          module_.getOrInsertFunction(std::string(kUninitialised) + ".object", builder.getVoidTy(), builder.getPtrTy());
      note(builder.CreateCall(begins, {pointer}), name);
    }
    i.eraseFromParent();
  }

  static bool is_scalar(llvm::Type* type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
  }

  static llvm::Value* pointer_of(llvm::Instruction& i) {
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&i)) return store->getPointerOperand();
    if (auto* const range = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) return range->getRawDest();
    return nullptr;
  }

  llvm::Value* value(llvm::IRBuilder<>& builder, llvm::Type* type, const std::string& name) {
    const std::string of = type->isPointerTy() ? "ptr" : "i" + std::to_string(type->getIntegerBitWidth());
    const auto function = module_.getOrInsertFunction(kUninitialised + ("." + of), type);
    return note(builder.CreateCall(function), name);
  }

  llvm::CallInst* note(llvm::CallInst* call, const std::string& name) {
    llvm::LLVMContext& context = module_.getContext();
    call->setMetadata(kNote, llvm::MDNode::get(context, llvm::MDString::get(context, name)));
    return call;
  }

  llvm::Module& module_;
};

}  // namespace

std::string variable_name(const llvm::AllocaInst& variable) {
  auto* const alloca = const_cast<llvm::AllocaInst*>(&variable);
  const llvm::DILocalVariable* known = nullptr;
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(alloca)) known = record->getVariable();
  for (const llvm::DbgDeclareInst* declared : llvm::findDbgDeclares(alloca)) known = declared->getVariable();
  // Where assignments are tracked, declarations are assignments.
  for (const llvm::DbgVariableRecord* record : llvm::at::getDVRAssignmentMarkers(alloca)) known = record->getVariable();
  for (const llvm::DbgAssignIntrinsic* assigned : llvm::at::getAssignmentMarkers(alloca)) known = assigned->getVariable();
  if (known) return known->getName().str() + " at " + known->getFilename().str() + ":" + std::to_string(known->getLine());
  return (variable.hasName() ? variable.getName().str() : "a variable") + " of " + variable.getFunction()->getName().str();
}

void take_back_zeros(llvm::Module& module) { Undo(module).run(); }

void drop_unused(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.getName().starts_with(kUninitialised) || function.getReturnType()->isVoidTy()) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users()))
      if (user->use_empty()) llvm::cast<llvm::Instruction>(user)->eraseFromParent();
  }
}

std::string uninitialised_name(const llvm::CallBase& call) {
  const llvm::MDNode* const of = call.getMetadata(kNote);
  return of ? llvm::cast<llvm::MDString>(of->getOperand(0))->getString().str() : "a variable";
}

}  // namespace inspect::symbolic
