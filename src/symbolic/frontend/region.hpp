// One transition: a visible operation, and the local code behind it on all paths, up to the next visible ones.
//
// Paths are taken together where they meet: values become choices on the paths' conditions. Guarantees: what is not understood
// is a check of kind unsupported under the condition of its path, which ends there; nothing is passed over.
#pragma once
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "symbolic/frontend/environment.hpp"

namespace inspect::symbolic {

// How a thread goes on after a transition, on some of its paths.
struct Arrival {
  Term condition;
  Environment environment;
};

struct RegionResult {
  Transition transition;               // without branches
  std::map<Key, Arrival> locations;    // at their next visible operations
  Term ended = Terms::truth(false);    // the condition under which the thread ends
  Term excuses = Terms::truth(false);  // or the process, or a path that is of no interest
};

class Region {
 public:
  Region(Program& program, ThreadIndex thread) : program_(program), terms_(program.system.terms), thread_(thread) {}
  // From where `environment` stands. `is_visible`: with the visible operation there; else with local code.
  RegionResult run(Environment environment, bool is_visible);
  // Takes two environments of one key together; `condition` says when it is `other`.
  void merge(Environment& into, const Environment& other, Term condition);
  // What a slot of a private object holds that was not written yet.
  Value first_value(SlotId slot);

 private:
  enum class Flow : std::uint8_t { next, stop };
  struct Path {
    Term condition;
    Environment environment;
    bool is_fresh = false;  // stands at the visible operation that the transition is about
  };
  // One slot that an access may hit, or the elements of an array.
  struct Hit {
    SlotId first = 0;
    std::uint32_t extent = 1;
    std::optional<Term> index = std::nullopt;
    Term condition = Terms::truth(true);
  };
  struct Place {
    Value pointer;
    unsigned width;
    SlotKind kind;
  };

  // Paths (region.cpp).
  void push(Path path);
  void follow_path(Path path);
  Flow execute(const llvm::Instruction& i);
  Flow goes_to(const llvm::BasicBlock* to, Term condition);
  Flow branch(const llvm::Instruction& i);
  Flow leave_function(const llvm::ReturnInst& i);
  Flow stop_at_visible();
  void enter(const llvm::CallBase& call, llvm::Function* callee, Term condition);
  Flow call(const llvm::CallBase& call);
  Flow end_thread(Term& ending);
  Flow unsupported(const llvm::Instruction& i, const std::string& what);
  Flow fails(const llvm::Instruction& i, FailureKind kind, const std::string& what);
  // Names the transition, if the operation is the visible one.
  void describe(const llvm::Instruction& i, const std::string& what);
  // A check; the path goes on where it does not fail.
  void require_not(Term failure, FailureKind kind, const std::string& what, const llvm::Instruction& i);
  // What follows is looked at, but does not count as verified.
  void note_limit(Term condition, const std::string& what, const llvm::Instruction& i);
  bool is_dead() const { return terms_.is_false(path_.condition); }

  // Values (region_values.cpp).
  std::optional<Value> read(const llvm::Value* value);
  void set(const llvm::Value& value, Value to) { path_.environment.top().values[&value] = std::move(to); }
  Flow compute(const llvm::Instruction& i);
  Flow binary(const llvm::BinaryOperator& i);
  Flow compare(const llvm::ICmpInst& i);
  Flow convert(const llvm::CastInst& i);
  Flow select(const llvm::SelectInst& i);
  Flow element_pointer(const llvm::GetElementPtrInst& i);

  // Handles of threads (region_handles.cpp).
  Value handle_of(ThreadIndex thread);
  Term is_handle(const Value& value);
  bool may_be_handle(const Value& value);
  // That the value is used as a number, which a handle is not.
  void require_number(const Value& value, const llvm::Instruction& i);
  // That it is known whether the two are equal, if one is a handle.
  void require_comparable(const Value& a, const Value& b, const llvm::Instruction& i);
  Objects handles_among(const Objects& objects);
  std::optional<Flow> handle_call(const llvm::CallBase& call, llvm::StringRef name);

  // Memory (region_memory.cpp).
  Flow allocate(const llvm::AllocaInst& i);
  Flow load(const llvm::LoadInst& i);
  Flow store(const llvm::StoreInst& i);
  Flow read_modify_write(const llvm::AtomicRMWInst& i);
  Flow compare_exchange(const llvm::AtomicCmpXchgInst& i);
  Flow lifetime(const llvm::IntrinsicInst& i);
  // The slots that an access may hit. Adds the checks; the path may be dead then.
  std::vector<Hit> resolve(const Place& place, bool writes, const llvm::Instruction& i);
  void resolve_in_object(const Place& place, ObjectId id, std::vector<Hit>& hits, Term& inside, Term& odd);
  // Between the scalars of an object: compilers copy that, too.
  bool is_padding(const Place& place);
  llvm::Type* type_of(const Place& place);
  bool touches_shared(const Value& pointer);
  Value load_from(const std::vector<Hit>& hits, const Place& place);
  void store_to(const std::vector<Hit>& hits, const Value& value, Term condition);
  // Accesses like that one, to what is shared.
  void note_accesses(const std::vector<Hit>& hits, const Access& like);
  std::optional<std::pair<unsigned, SlotKind>> scalar(llvm::Type* type);
  bool wants_races() const { return program_.options.wants_races; }
  Term is_alive(ObjectId object);
  void end_locals(const std::vector<ObjectId>& locals);
  bool has_shared(const std::vector<ObjectId>& locals);

  // The functions that are modelled (region_calls.cpp); nothing if it is none of them.
  std::optional<Flow> modelled(const llvm::CallBase& call, llvm::StringRef name);
  std::optional<Flow> verification(const llvm::CallBase& call, llvm::StringRef name);
  std::optional<Flow> intrinsic(const llvm::IntrinsicInst& call);
  Flow nondet(const llvm::CallBase& call);
  Flow set_proposition(const llvm::CallBase& call);
  Flow leave_uninitialised(const llvm::CallBase& call);
  Flow with_overflow(const llvm::WithOverflowInst& call);
  Flow absolute(const llvm::IntrinsicInst& call);
  // Of the C library (region_library.cpp).
  std::optional<Flow> library(const llvm::CallBase& call, llvm::StringRef name);
  Flow output(const llvm::CallBase& call, unsigned first, bool has_format);
  bool is_plain_output(const llvm::CallBase& call, unsigned first, bool has_format);
  Flow exit_process(const llvm::CallBase& call);
  // The heap (region_heap.cpp).
  std::optional<Flow> heap(const llvm::CallBase& call, llvm::StringRef name);
  Flow allocate_block(const llvm::CallBase& call, unsigned factors, bool is_zero);
  Flow free_block(const llvm::CallBase& call);
  bool is_stream_to_print_on(const llvm::LoadInst& load);
  std::optional<llvm::StringRef> constant_text(const llvm::Value* value);
  Flow clear(const llvm::IntrinsicInst& call);
  Flow copy(const llvm::IntrinsicInst& call);
  // A range of one object that an operation touches as a whole.
  struct Range {
    ObjectId object = 0;
    std::uint64_t begin = 0, end = 0;
    std::vector<Slot> slots;  // in it, and none in part
  };
  // A variable of synchronisation becomes zeros, which are its static initialiser.
  void initialise_by_zeros(const std::vector<Hit>& hits, const Slot& slot, const llvm::Instruction& i);
  std::optional<Range> known_range(const llvm::Value* pointer, const llvm::Value* length);
  Flow create_thread(const llvm::CallBase& call);
  Flow join_thread(const llvm::CallBase& call);
  Flow detach_thread(const llvm::CallBase& call);
  Flow exit_thread(const llvm::CallBase& call);
  void note_result(const llvm::Value* returned);
  Flow mutex_operation(const llvm::CallBase& call, llvm::StringRef what);
  Flow condition_operation(const llvm::CallBase& call, llvm::StringRef what);
  Flow semaphore_operation(const llvm::CallBase& call, llvm::StringRef what);
  Flow rwlock_operation(const llvm::CallBase& call, llvm::StringRef what);
  Flow barrier_operation(const llvm::CallBase& call, llvm::StringRef what);
  Flow barrier_wait(const llvm::CallBase& call, const std::vector<Hit>& hits);
  Flow condition_wait(const llvm::CallBase& call);
  // A condition variable holds who waits, below, and who is woken and has not gone on, above: one bit a thread.
  Term joined(Term low, Term high);
  void require_ordered_wake(const std::vector<Hit>& conditions, Term waiting, const llvm::CallBase& call);
  void require_one_mutex(const std::vector<Hit>& conditions, Term waiting, const llvm::CallBase& call);
  Term chosen_waiter(Term waiting, const llvm::CallBase& call);
  // The slots of a mutex or condition variable; none after a check that ends the path.
  std::vector<Hit> synchronisation(const llvm::Value* pointer, SlotKind kind, const llvm::CallBase& call);
  // What such a variable holds, nothing if it was not used yet; and that it may not be initialised now.
  Term held_by(const std::vector<Hit>& hits, SlotKind kind);
  void initialise(const std::vector<Hit>& hits, SlotKind kind, Term value, const std::string& what, const llvm::CallBase& call);
  Term owner_number() { return terms_.constant(8, thread_ + 1); }
  Flow returns(const llvm::CallBase& call, std::uint64_t value);

  Program& program_;
  Terms& terms_;
  ThreadIndex thread_;
  RegionResult result_;
  std::map<Key, Path> work_;
  Path path_;  // the one that is followed
};

}  // namespace inspect::symbolic
