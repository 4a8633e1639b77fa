// Local synchronisation objects, and attributes of such, without an initialiser: filled with a pattern that no initialiser
// leaves, in place of the zeroes of -ftrivial-auto-var-init, which could not be told from PTHREAD_MUTEX_INITIALIZER. The
// runtime's models see that they were never initialised (runtime/threads/initialised.hpp).
#include "instrument/pass/uninitialised.hpp"
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace inspect::pass {
namespace {

constexpr uint8_t kNeverInitialised = 0xa5;

bool is_synchronisation_object(const StructType& type) {
  static const StringSet<> kNames{"union.pthread_mutex_t",
                                  "union.pthread_cond_t",
                                  "union.pthread_rwlock_t",
                                  "union.pthread_barrier_t",
                                  "union.sem_t",
                                  "union.mtx_t",
                                  "union.cnd_t",
                                  "union.pthread_attr_t",
                                  "union.pthread_mutexattr_t",
                                  "union.pthread_condattr_t",
                                  "union.pthread_rwlockattr_t",
                                  "union.pthread_barrierattr_t"};
  if (!type.hasName()) return false;
  // A second type of the name in a module has a number behind it.
  const auto [name, number] = type.getName().rsplit('.');
  return kNames.contains(type.getName()) || (!number.empty() && all_of(number, isDigit) && kNames.contains(name));
}

// Calls f(offset, size) for each synchronisation object within a type, at most so many.
template <class F>
void for_each_object(const DataLayout& layout, Type* type, uint64_t offset, unsigned& left, F&& f) {
  if (auto* structure = dyn_cast<StructType>(type)) {
    if (is_synchronisation_object(*structure)) {
      if (left) --left, f(offset, layout.getTypeAllocSize(structure).getFixedValue());
      return;
    }
    const StructLayout& places = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      for_each_object(layout, structure->getElementType(i), offset + places.getElementOffset(i).getFixedValue(), left, f);
  } else if (auto* array = dyn_cast<ArrayType>(type)) {
    if (!isa<StructType, ArrayType>(array->getElementType())) return;
    const uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements() && left; ++i)
      for_each_object(layout, array->getElementType(), offset + i * size, left, f);
  }
}

constexpr unsigned kMostObjects = 64;  // of one variable

void fill_objects(Context& context, Instruction& initialisation, AllocaInst& variable) {
  IRBuilder<> builder(initialisation.getNextNode());
  unsigned left = kMostObjects;
  for_each_object(context.layout, variable.getAllocatedType(), 0, left, [&](uint64_t offset, uint64_t size) {
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &variable, offset);
    CallInst* fill = builder.CreateMemSet(place, builder.getInt8(kNeverInitialised), size, MaybeAlign());
    fill->addAnnotationMetadata("auto-init");
  });
}

}  // namespace

bool is_automatic_initialisation(const Instruction& instruction) {
  const MDNode* notes = instruction.getMetadata(LLVMContext::MD_annotation);
  return notes && any_of(notes->operands(), [](const MDOperand& note) {
           const auto* text = dyn_cast<MDString>(note.get());
           return text && text->getString() == "auto-init";
         });
}

void fill_uninitialised_objects(Context& context, Function& function) {
  SmallVector<std::pair<Instruction*, AllocaInst*>, 16> found;
  for (Instruction& instruction : instructions(function)) {
    if (!is_automatic_initialisation(instruction)) continue;
    Value* place = nullptr;
    if (auto* store = dyn_cast<StoreInst>(&instruction)) place = store->getPointerOperand();
    if (auto* memory = dyn_cast<AnyMemIntrinsic>(&instruction)) place = memory->getRawDest();
    if (!place) continue;
    if (auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(place)); variable && !variable->isArrayAllocation())
      found.emplace_back(&instruction, variable);
  }
  for (auto [initialisation, variable] : found) fill_objects(context, *initialisation, *variable);
}

}  // namespace inspect::pass
