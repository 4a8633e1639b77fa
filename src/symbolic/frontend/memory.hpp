// The program's memory as objects that are split into scalar cells, and what is known of them.
//
// A pointer is a number of 64 bits: the object in the upper 24, and the offset in bytes, from the middle of what 40 bits hold,
// in the lower; null is 0. Guarantees: an access hits one cell of exactly its width and kind, or is an error or unsupported;
// there is no access to parts of cells. Facts only grow: translation is repeated until it adds none.
#pragma once
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "symbolic/frontend/shape.hpp"
#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

using ObjectId = std::uint32_t;
using Objects = std::set<ObjectId>;

// A value of the program: an integer, or a pointer with the objects it may point to. An integer with objects may be the handle
// of one of those threads.
struct Value {
  Term bits;
  bool is_pointer = false;
  Objects objects = {};
  friend bool operator==(const Value&, const Value&) = default;
};

enum class SlotKind : std::uint8_t { data, pointer, mutex, condition, semaphore, rwlock, barrier };

// A scalar within an object.
struct Slot {
  std::uint64_t offset = 0;  // in bytes
  unsigned width = 0;        // in bits
  SlotKind kind = SlotKind::data;
  [[nodiscard]] bool is_synchronisation() const { return kind != SlotKind::data && kind != SlotKind::pointer; }
  // How many bytes of the object it stands for.
  [[nodiscard]] std::uint64_t size() const;
};

// Of what stands for a variable of synchronisation, in bits: a read-write lock holds its readers, one bit a thread, and above
// them its writer; a mutex holds its owner, a condition variable and a barrier two sets of threads, a semaphore its value.
unsigned width_of(SlotKind kind);

// Empty, if the type is none of a variable of synchronisation.
std::optional<SlotKind> synchronisation_kind(const llvm::StructType* type);

// What a mutex, condition variable or semaphore holds that was not initialised, or was destroyed.
inline constexpr std::uint64_t kNotInitialised = ~std::uint64_t{0};

// What such a variable holds, but a semaphore, that has its static initialiser and was not used: init may come yet.
inline constexpr std::uint64_t kUntouched = kNotInitialised - 1;

// A handle of a thread is no number either: what it points to stands for the thread, and cannot be accessed.
enum class ObjectKind : std::uint8_t { global, stack, heap, function, handle };

struct Object {
  ObjectKind kind = ObjectKind::global;
  std::string name;
  std::uint64_t size = 0;  // in bytes
  std::vector<Slot> slots;
  const llvm::Value* value = nullptr;  // the global, alloca, call that allocates, or function
  bool is_constant = false;
  bool is_zero = false;        // of the heap: it is cleared at first
  llvm::Type* type = nullptr;  // of the heap: what it is split as; null: not known yet
  bool is_stale = false;       // of the heap: more is known of its type, and another object stands for it
  std::string unsupported;     // why it cannot be split; empty if it can
  // The first slot of each object has a number; a slot of all objects is first_slot + its place.
  std::uint32_t first_slot = 0;
  // Facts.
  std::set<ThreadIndex> accessed_by;
  bool is_written = false, escapes = false;

  // It has a life: it begins and ends in the middle of an execution.
  [[nodiscard]] bool may_end() const { return kind == ObjectKind::stack || kind == ObjectKind::heap; }
  [[nodiscard]] bool is_shared() const { return (accessed_by.size() > 1 && is_written) || escapes; }
  [[nodiscard]] bool is_array() const;  // two slots or more, of one kind and width, side by side
};

using SlotId = std::uint32_t;

std::uint64_t address_of(ObjectId object, std::uint64_t offset = 0);
inline constexpr unsigned kObjectShift = 40;
inline constexpr std::uint32_t kMostObjects = 1u << 23;

class Memory {
 public:
  Memory(const llvm::DataLayout& layout) : layout_(layout) {}

  ObjectId global(const llvm::GlobalVariable* variable);
  ObjectId function(const llvm::Function* function);
  ObjectId handle(ThreadIndex thread);
  // The object of an alloca, by thread and place in the unrolled program.
  ObjectId stack(ThreadIndex thread, const Key& key, const llvm::AllocaInst* instruction);
  // The object of a call that allocates `size` bytes, likewise. What it is split into tells note_type().
  struct Block {
    std::uint64_t size = 0;
    bool is_zero = false;
  };
  ObjectId heap(ThreadIndex thread, const Key& key, const llvm::CallBase* call, Block block);
  [[nodiscard]] Object& operator[](ObjectId id) { return objects_[id]; }
  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  [[nodiscard]] ObjectId object_of(SlotId slot) const { return slot_owner_[slot]; }
  [[nodiscard]] const Slot& slot(SlotId id) const {
    return objects_[slot_owner_[id]].slots[id - objects_[slot_owner_[id]].first_slot];
  }

  // What a slot of a global holds at first; nothing if that is not a number or an address.
  std::optional<Value> initial(Terms& terms, SlotId slot);
  // What a variable of synchronisation holds whose bytes are zero.
  Value zeroed(Terms& terms, SlotId slot);
  // A constant as a value; nothing if it is not a number or an address.
  std::optional<Value> constant(Terms& terms, const llvm::Constant* constant);

  // Facts. Each returns nothing, and remembers whether it was new.
  void note_access(ObjectId object, ThreadIndex thread, bool writes);
  void note_escape(const Objects& objects);
  void note_pointer(SlotId slot, const Objects& objects);
  [[nodiscard]] const Objects& pointed_to(SlotId slot) { return pointed_to_[slot]; }
  // A block of the heap is accessed as elements of that type. Of several types the largest counts, of one size a structure:
  // an access that fits none of its scalars is unsupported.
  void note_type(ObjectId block, llvm::Type* type);
  // What the thread returns is asked for, and may point to those.
  void note_result(ThreadIndex thread, const Objects& objects) { note_known(results_[thread], objects); }
  void note_result_wanted() { insert(!std::exchange(results_wanted_, true)); }
  [[nodiscard]] bool are_results_wanted() const { return results_wanted_; }
  [[nodiscard]] const Objects& result_of(ThreadIndex thread) { return results_[thread]; }
  // A barrier is initialised for so many threads.
  void note_count(SlotId barrier, std::uint64_t count) { insert(counts_[barrier].insert(count).second); }
  [[nodiscard]] const std::set<std::uint64_t>& counts_of(SlotId barrier) { return counts_[barrier]; }
  [[nodiscard]] bool has_heap() const { return !on_heap_.empty(); }
  // A condition variable is waited on with that mutex.
  void note_wait(SlotId condition, SlotId mutex) { insert(waited_with_[condition].insert(mutex).second); }
  [[nodiscard]] const std::set<SlotId>& waited_with(SlotId condition) { return waited_with_[condition]; }
  // A call may initialise that mutex or the like.
  void note_initialisation(SlotId slot) { insert(initialised_by_call_.insert(slot).second); }
  [[nodiscard]] bool has_changed() const { return changed_; }
  void start_pass() { changed_ = false; }

 private:
  ObjectId add(Object object, llvm::Type* type);
  // Empty, or why the type cannot be split.
  std::string split(llvm::Type* type, std::uint64_t offset, std::vector<Slot>& slots);
  void insert(bool is_new) { changed_ |= is_new; }
  void note_known(Objects& known, const Objects& objects) {
    for (const ObjectId id : objects) insert(known.insert(id).second);
  }

  const llvm::DataLayout& layout_;
  std::vector<Object> objects_{Object{}};  // none has number 0
  std::vector<ObjectId> slot_owner_;
  std::map<const llvm::Value*, ObjectId> by_value_;
  std::map<ThreadIndex, ObjectId> handles_;
  std::map<std::tuple<ThreadIndex, Key, const llvm::Value*>, ObjectId> on_stack_;
  std::map<std::tuple<ThreadIndex, Key, const llvm::Value*>, ObjectId> on_heap_;
  std::map<const llvm::Value*, llvm::Type*> element_types_;  // by call that allocates
  std::map<SlotId, Objects> pointed_to_;
  std::map<ThreadIndex, Objects> results_;
  bool results_wanted_ = false;
  std::map<SlotId, std::set<std::uint64_t>> counts_;
  std::map<SlotId, std::set<SlotId>> waited_with_;
  std::set<SlotId> initialised_by_call_;
  bool changed_ = false;
};

}  // namespace inspect::symbolic
