// Calls that are modelled: threads, mutexes, condition variables, what a program says to a verifier, intrinsics.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <utility>

#include "symbolic/frontend/region.hpp"
#include "symbolic/frontend/uninitialised.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

Region::Flow Region::returns(const llvm::CallBase& call, std::uint64_t value) {
  if (const auto* type = llvm::dyn_cast<llvm::IntegerType>(call.getType()))
    set(call, {terms_.constant(type->getBitWidth(), value)});
  return Flow::next;
}

namespace {

// How many arguments a function has that is modelled with some; a program may declare it otherwise.
unsigned arguments_of(llvm::StringRef name) {
  return llvm::StringSwitch<unsigned>(name)
      .Case("pthread_create", 4)
      .Cases("sem_init", "pthread_barrier_init", 3)
      .Cases("inspect_proposition", "pthread_join", "pthread_mutex_init", "pthread_cond_init", "pthread_cond_wait",
             "pthread_rwlock_init", 2)
      .Cases("pthread_exit", "pthread_detach", "inspect_assume", "__VERIFIER_assume", "inspect_nondet", 1)
      .StartsWith("pthread_mutex_", 1)
      .StartsWith("pthread_cond_", 1)
      .StartsWith("pthread_rwlock_", 1)
      .StartsWith("pthread_barrier_", 1)
      .StartsWith("sem_", 1)
      .Default(0);
}

}  // namespace

std::optional<Region::Flow> Region::modelled(const llvm::CallBase& call, llvm::StringRef name) {
  if (call.arg_size() < arguments_of(name)) return unsupported(call, "another function than is known as " + name.str());
  if (name == "pthread_create") return create_thread(call);
  if (name == "pthread_join") return join_thread(call);
  if (name == "pthread_detach") return detach_thread(call);
  if (name == "pthread_exit") return exit_thread(call);
  if (const auto flow = handle_call(call, name)) return flow;
  llvm::StringRef rest = name;
  if (rest.consume_front("pthread_mutex_")) return mutex_operation(call, rest);
  if (rest.consume_front("pthread_rwlock_")) return rwlock_operation(call, rest);
  if (rest.consume_front("pthread_barrier_")) return barrier_operation(call, rest);
  if (rest.consume_front("pthread_cond_")) return condition_operation(call, rest);
  if (rest.consume_front("sem_")) return semaphore_operation(call, rest);
  if (const auto flow = library(call, name)) return flow;
  return verification(call, name);
}

std::optional<Region::Flow> Region::verification(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "__assert_fail" || name == "inspect_assert_failed")
    return fails(call, FailureKind::assertion, "assertion failed");
  if (name == "reach_error" || name == "__VERIFIER_error") return fails(call, FailureKind::assertion, name.str());
  if (name == "abort") return fails(call, FailureKind::assertion, "abort");
  if (name == "inspect_assume" || name == "__VERIFIER_assume") {
    const auto value = read(call.getArgOperand(0));
    if (!value) return unsupported(call, "an assumption that is not understood");
    const Term fails_here = terms_.both(path_.condition, terms_.equal(value->bits, 0));
    result_.excuses = terms_.either(result_.excuses, fails_here);
    path_.condition = terms_.both(path_.condition, terms_.negation(terms_.equal(value->bits, 0)));
    return Flow::next;
  }
  if (name == "inspect_proposition") return set_proposition(call);
  if (name == "inspect_yield") return Flow::next;
  if (name == "sched_yield" || name == "usleep" || name == "sleep") return returns(call, 0);
  if (name.starts_with(kUninitialised)) return leave_uninitialised(call);
  if (name == "inspect_nondet" || name.starts_with("__VERIFIER_nondet_")) return nondet(call);
  return std::nullopt;
}

// Part of the operation before it. Its name may be one of several constant strings.
Region::Flow Region::set_proposition(const llvm::CallBase& call) {
  if (program_.propositions.empty()) return Flow::next;
  const auto name = read(call.getArgOperand(0)), holds = read(call.getArgOperand(1));
  if (!name || !holds) return unsupported(call, "a proposition that is not understood");
  const Term value = terms_.negation(terms_.equal(holds->bits, 0));
  Term none = Terms::truth(true);
  for (const ObjectId id : name->objects) {
    const Object& object = program_.memory[id];
    const auto text = object.kind == ObjectKind::global ? constant_text(object.value) : std::nullopt;
    const Term is_it = terms_.equal(name->bits, address_of(id));
    if (!text || terms_.is_false(is_it)) continue;
    none = terms_.both(none, terms_.negation(is_it));
    if (const auto it = program_.propositions.find(text->str()); it != program_.propositions.end())
      result_.transition.updates.push_back({{it->second}, value, terms_.both(path_.condition, is_it)});
  }
  require_not(none, FailureKind::unsupported, "a proposition whose name is no constant string", call);
  return Flow::next;
}

namespace {

// The variable that gets the value of a call at once; empty if there is none.
std::string variable_of(const llvm::CallBase& call) {
  for (const llvm::User* const user : call.users()) {
    const llvm::Value* to = user;
    if (llvm::isa<llvm::CastInst>(user) && user->hasOneUse()) to = *user->user_begin();
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(to); store && store->getPointerOperand()->hasName())
      return store->getPointerOperand()->getName().str();
  }
  llvm::SmallVector<llvm::DbgValueInst*> values;
  llvm::SmallVector<llvm::DbgVariableRecord*> records;
  llvm::findDbgValues(values, const_cast<llvm::CallBase*>(&call), &records);
  if (!records.empty()) return records.front()->getVariable()->getName().str();
  return values.empty() ? "" : values.front()->getVariable()->getName().str();
}

}  // namespace

Region::Flow Region::nondet(const llvm::CallBase& call) {
  const auto* const type = llvm::dyn_cast<llvm::IntegerType>(call.getType());
  if (!type || type->getBitWidth() > 64) return unsupported(call, "a free value that is no integer");
  const CellId input = program_.add_input("input " + Program::place(call), type->getBitWidth(), thread_);
  const Term value = program_.system.read(input);
  set(call, {value});
  InputUse use{
      input, path_.condition, std::nullopt, variable_of(call), call.getCalledFunction()->getName().str(), Program::place(call)};
  if (call.arg_size() == 0) {
    result_.transition.inputs.push_back(std::move(use));
    return Flow::next;
  }
  const auto count = read(call.getArgOperand(0));
  if (!count || terms_.width(count->bits) != type->getBitWidth()) return unsupported(call, "a count that is not understood");
  require_number(*count, call);
  use.count = count->bits;
  result_.transition.inputs.push_back(std::move(use));
  require_not(terms_.equal(count->bits, 0), FailureKind::unsupported, "a choice among no values", call);
  // Larger numbers are no choices: those paths are of no interest.
  const Term is_choice = terms_.binary(TermKind::less, value, count->bits);
  result_.excuses = terms_.either(result_.excuses, terms_.both(path_.condition, terms_.negation(is_choice)));
  path_.condition = terms_.both(path_.condition, is_choice);
  return Flow::next;
}

std::optional<Region::Flow> Region::intrinsic(const llvm::IntrinsicInst& call) {
  const auto pick = [&](TermKind kind, bool swaps) -> Flow {
    const auto a = read(call.getArgOperand(0)), b = read(call.getArgOperand(1));
    if (!a || !b) return unsupported(call, "a value that is not understood");
    require_number(*a, call);
    require_number(*b, call);
    const Term less = terms_.binary(kind, a->bits, b->bits);
    set(call, {swaps ? terms_.choice(less, b->bits, a->bits) : terms_.choice(less, a->bits, b->bits)});
    return Flow::next;
  };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::x86_sse2_pause:
      return Flow::next;  // not relied on
    case llvm::Intrinsic::expect: {
      const auto value = read(call.getArgOperand(0));
      if (!value) return unsupported(call, "a value that is not understood");
      set(call, *value);
      return Flow::next;
    }
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
      return lifetime(call);
    case llvm::Intrinsic::memset:
      return clear(call);
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
      return copy(call);
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::smul_with_overflow:
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::umul_with_overflow:
      return with_overflow(llvm::cast<llvm::WithOverflowInst>(call));
    case llvm::Intrinsic::abs:
      return absolute(call);
    case llvm::Intrinsic::ubsantrap:
      return fails(call, FailureKind::crash, "a trap: arithmetic that overflows, or the like");
    case llvm::Intrinsic::trap:
      return fails(call, FailureKind::crash, "a trap");
    case llvm::Intrinsic::umin:
      return pick(TermKind::less, false);
    case llvm::Intrinsic::umax:
      return pick(TermKind::less, true);
    case llvm::Intrinsic::smin:
      return pick(TermKind::signed_less, false);
    case llvm::Intrinsic::smax:
      return pick(TermKind::signed_less, true);
    default:
      return std::nullopt;
  }
}

Region::Flow Region::create_thread(const llvm::CallBase& call) {
  if (!path_.is_fresh) return stop_at_visible();
  const auto handle = read(call.getArgOperand(0)), attributes = read(call.getArgOperand(1));
  const auto start = read(call.getArgOperand(2)), argument = read(call.getArgOperand(3));
  if (!handle || !start || !argument || start->objects.size() != 1 || !terms_.is_constant(start->bits))
    return unsupported(call, "pthread_create of a function that is not known");
  if (!attributes || attributes->bits != terms_.constant(64, 0)) return unsupported(call, "pthread_create with attributes");
  const Object& code = program_.memory[*start->objects.begin()];
  const auto* const function = code.kind == ObjectKind::function ? llvm::cast<llvm::Function>(code.value) : nullptr;
  if (!function || function->isDeclaration() || function->arg_size() != 1 || !function->getArg(0)->getType()->isPointerTy() ||
      !program_.shape(const_cast<llvm::Function*>(function)).is_reducible())
    return unsupported(call, "pthread_create of a function that is not known");
  // The new thread may begin before its handle is stored, if it can tell.
  const bool is_stored = std::exchange(path_.environment.stage, 0) == 1;
  program_.memory.note_escape(argument->objects);
  const ThreadKey key{thread_, key_of(program_, path_.environment), &call, const_cast<llvm::Function*>(function)};
  const auto number = program_.create(key, *argument);
  if (!number) return unsupported(call, "more threads than are looked at");
  if (!is_stored) {
    const ThreadOfProgram& thread = program_.threads.at(*number);
    result_.transition.updates.push_back({{thread.started}, Terms::truth(true)});
    result_.transition.updates.push_back({{thread.argument}, argument->bits});
    result_.transition.creates = *number;
    describe(call, "create thread" + std::to_string(*number));
    if (touches_shared(*handle)) {
      path_.environment.stage = 1;
      return stop_at_visible();
    }
  }
  const auto hits = resolve({*handle, 64, SlotKind::data}, true, call);
  if (is_dead()) return Flow::stop;
  store_to(hits, handle_of(*number), Terms::truth(true));
  note_accesses(hits, {.writes = true});
  if (is_stored) describe(call, "creation ends");
  return returns(call, 0);
}

Region::Flow Region::join_thread(const llvm::CallBase& call) {
  if (!path_.is_fresh) return stop_at_visible();
  const auto handle = read(call.getArgOperand(0)), result = read(call.getArgOperand(1));
  if (!handle || terms_.width(handle->bits) != 64) return unsupported(call, "a join of a thread that is not understood");
  if (!result || !result->is_pointer) return unsupported(call, "a join whose place for the result is not understood");
  const bool takes_result = result->bits != terms_.constant(64, 0);
  if (takes_result) program_.memory.note_result_wanted();
  if (takes_result && touches_shared(*result) && !program_.options.wants_races)
    return unsupported(call, "a join that stores the result where other threads can see it");
  Value value{terms_.constant(64, 0), true};
  Term ready = Terms::truth(false), known = Terms::truth(false), again = Terms::truth(false);
  for (const auto& [number, thread] : program_.threads) {
    const Term is_it = terms_.equal(handle->bits, handle_of(number).bits);
    if (terms_.is_false(is_it)) continue;
    const Term progress = program_.system.read(thread.progress);
    known = terms_.either(known, terms_.both(is_it, program_.system.read(thread.started)));
    ready = terms_.either(ready, terms_.both(is_it, terms_.negation(terms_.equal(progress, kRunning))));
    const Term is_detached = program_.system.read(thread.detached);
    again = terms_.either(again, terms_.both(is_it, terms_.either(terms_.equal(progress, kJoined), is_detached)));
    result_.transition.updates.push_back({{thread.progress}, terms_.constant(2, kJoined), is_it});
    const Objects& returned = program_.memory.result_of(number);
    value.bits = terms_.choice(is_it, program_.system.read(thread.result), value.bits);
    value.objects.insert(returned.begin(), returned.end());
  }
  const Term is_own = terms_.equal(handle->bits, handle_of(thread_).bits);
  const Term is_main = thread_ == 0 ? Terms::truth(false) : terms_.equal(handle->bits, handle_of(0).bits);
  // Who joins no thread, or itself, is not kept waiting: the checks tell.
  if (!mutated(Mutation::joins_do_not_wait))
    result_.transition.guard = terms_.either(ready, terms_.either(is_own, terms_.either(again, terms_.negation(known))));
  require_not(is_own, FailureKind::unsupported, "a thread that joins itself", call);
  require_not(is_main, FailureKind::unsupported, "a join of main's thread (let main join the others)", call);
  require_not(terms_.negation(known), FailureKind::api_misuse, "a join of no thread", call);
  require_not(again, FailureKind::api_misuse, "a second join of one thread, or a join of one that was detached", call);
  describe(call, "join");
  if (takes_result) {
    const auto hits = resolve({*result, 64, SlotKind::pointer}, true, call);
    if (is_dead()) return Flow::stop;
    store_to(hits, value, Terms::truth(true));
    note_accesses(hits, {.writes = true});
  }
  return returns(call, 0);
}

// Nobody joins the thread any more.
Region::Flow Region::detach_thread(const llvm::CallBase& call) {
  if (!path_.is_fresh) return stop_at_visible();
  const auto handle = read(call.getArgOperand(0));
  if (!handle || terms_.width(handle->bits) != 64) return unsupported(call, "a detach of a thread that is not understood");
  Term may = Terms::truth(false);
  for (const auto& [number, thread] : program_.threads) {
    const Term is_it = terms_.equal(handle->bits, handle_of(number).bits);
    if (terms_.is_false(is_it)) continue;
    const Term is_detached = program_.system.read(thread.detached);
    const Term is_joined = terms_.equal(program_.system.read(thread.progress), kJoined);
    const Term is_there =
        terms_.both(program_.system.read(thread.started), terms_.negation(terms_.either(is_detached, is_joined)));
    may = terms_.either(may, terms_.both(is_it, is_there));
    result_.transition.updates.push_back({{thread.detached}, Terms::truth(true), is_it});
  }
  describe(call, "detach");
  require_not(terms_.equal(handle->bits, handle_of(0).bits), FailureKind::unsupported, "a detach of main's thread", call);
  require_not(terms_.negation(may), FailureKind::api_misuse, "a detach of a thread that cannot be detached", call);
  return returns(call, 0);
}

// What the thread returns, if any join asks for it. What is not understood is anything.
void Region::note_result(const llvm::Value* returned) {
  if (!program_.memory.are_results_wanted()) return;
  const CellId cell = program_.threads.at(thread_).result;
  const auto value = read(returned);
  if (value && terms_.width(value->bits) == 64) {
    program_.memory.note_escape(value->objects);
    program_.memory.note_result(thread_, value->objects);
    result_.transition.updates.push_back({{cell}, value->bits, path_.condition});
  } else {
    const Term anything = program_.system.read(program_.add_input("result of a thread", 64, thread_));
    result_.transition.updates.push_back({{cell}, anything, path_.condition});
  }
}

Region::Flow Region::exit_thread(const llvm::CallBase& call) {
  if (!path_.is_fresh) return stop_at_visible();
  // Those of main stay, as they do in practice.
  if (thread_ != 0) {
    note_result(call.getArgOperand(0));
    for (const Frame& frame : std::vector<Frame>(path_.environment.frames)) end_locals(frame.locals);
    result_.transition.updates.push_back({{program_.threads.at(thread_).progress}, terms_.constant(2, kDone)});
  }
  describe(call, "the thread ends");
  return end_thread(result_.ended);
}

// The slots of a mutex or condition variable; none after a check that ends the path.
std::vector<Region::Hit> Region::synchronisation(const llvm::Value* pointer, SlotKind kind, const llvm::CallBase& call) {
  const auto value = read(pointer);
  if (!value) {
    unsupported(call, "a mutex or condition variable that is not understood");
    return {};
  }
  const auto hits = resolve({*value, width_of(kind), kind}, true, call);
  for (const Hit& hit : hits) {
    const ObjectId id = program_.memory.object_of(hit.first);
    if (program_.memory[id].kind == ObjectKind::global && !program_.memory.initial(terms_, hit.first))
      unsupported(call, "a mutex or condition variable with attributes");
  }
  if (is_dead()) return {};
  return hits;
}

Term Region::held_by(const std::vector<Hit>& hits, SlotKind kind) {
  const unsigned width = width_of(kind);
  const Term held = load_from(hits, {{}, width, kind}).bits;
  const Term is_untouched = terms_.equal(held, truncated(kUntouched, width));
  return kind == SlotKind::semaphore ? held : terms_.choice(is_untouched, terms_.constant(width, 0), held);
}

void Region::initialise(const std::vector<Hit>& hits, SlotKind kind, Term value, const std::string& what,
                        const llvm::CallBase& call) {
  const unsigned width = width_of(kind);
  for (const Hit& hit : hits) program_.memory.note_initialisation(hit.first);
  const Term held = load_from(hits, {{}, width, kind}).bits;
  const Term is_none = terms_.equal(held, truncated(kNotInitialised, width));
  const Term is_untouched = kind == SlotKind::semaphore ? is_none : terms_.equal(held, truncated(kUntouched, width));
  require_not(terms_.negation(terms_.either(is_none, is_untouched)), FailureKind::api_misuse,
              what + " is initialised again, and was not destroyed", call);
  store_to(hits, {value}, Terms::truth(true));
}

Region::Flow Region::mutex_operation(const llvm::CallBase& call, llvm::StringRef what) {
  if (!path_.is_fresh) return stop_at_visible();
  const bool is_known = what == "lock" || what == "trylock" || what == "unlock" || what == "init" || what == "destroy";
  if (!is_known) return unsupported(call, "a call to pthread_mutex_" + what.str());
  const auto hits = synchronisation(call.getArgOperand(0), SlotKind::mutex, call);
  if (hits.empty()) return Flow::stop;
  describe(call, what.str());
  const auto hold = [&](std::uint64_t owner, Term when) { store_to(hits, {terms_.constant(8, owner)}, when); };
  if (what == "init") {
    const auto attributes = read(call.getArgOperand(1));
    if (!attributes || attributes->bits != terms_.constant(64, 0)) return unsupported(call, "a mutex with attributes");
    initialise(hits, SlotKind::mutex, terms_.constant(8, 0), "a mutex", call);
    return returns(call, 0);
  }
  const Term owner = held_by(hits, SlotKind::mutex);
  const Term is_free = terms_.equal(owner, 0);
  const Term is_none = terms_.equal(owner, truncated(kNotInitialised, 8));
  if (what == "lock" && !mutated(Mutation::locks_do_not_wait)) result_.transition.guard = terms_.either(is_free, is_none);
  require_not(is_none, FailureKind::api_misuse, "a mutex that is not initialised", call);
  if (what == "lock" && mutated(Mutation::locks_do_not_hold)) return returns(call, 0);
  if (what == "lock") {
    hold(thread_ + 1, Terms::truth(true));
  } else if (what == "unlock") {
    require_not(terms_.negation(terms_.equal(owner, owner_number())), FailureKind::api_misuse,
                "an unlock of a mutex that the thread does not hold", call);
    hold(0, Terms::truth(true));
  } else if (what == "destroy") {
    require_not(terms_.negation(is_free), FailureKind::api_misuse, "a mutex is destroyed that is held", call);
    hold(kNotInitialised, Terms::truth(true));
  } else {
    if (program_.options.wants_races)
      note_limit(terms_.negation(is_free), "a trylock that fails: races behind it are not known (--no-races)", call);
    hold(thread_ + 1, is_free);
    const unsigned width = call.getType()->getIntegerBitWidth();
    set(call, {terms_.choice(is_free, terms_.constant(width, 0), terms_.constant(width, 16))});  // EBUSY
    return Flow::next;
  }
  return returns(call, 0);
}

Region::Flow Region::semaphore_operation(const llvm::CallBase& call, llvm::StringRef what) {
  if (!path_.is_fresh) return stop_at_visible();
  const bool is_known = what == "init" || what == "wait" || what == "trywait" || what == "post" || what == "destroy";
  if (!is_known) return unsupported(call, "a call to sem_" + what.str());
  const auto hits = synchronisation(call.getArgOperand(0), SlotKind::semaphore, call);
  if (hits.empty()) return Flow::stop;
  describe(call, what.str());
  const auto put = [&](Term value, Term when) { store_to(hits, {value}, when); };
  const Term most = terms_.constant(32, 0x7fffffff), one = terms_.constant(32, 1);
  if (what == "init") {
    const auto shared = read(call.getArgOperand(1)), first = read(call.getArgOperand(2));
    if (!shared || !first || shared->bits != terms_.constant(32, 0))
      return unsupported(call, "a semaphore of several processes");
    require_not(terms_.binary(TermKind::less, most, first->bits), FailureKind::unsupported, "a semaphore with a large value",
                call);
    initialise(hits, SlotKind::semaphore, first->bits, "a semaphore", call);
    return returns(call, 0);
  }
  const Term value = load_from(hits, {{}, 32, SlotKind::semaphore}).bits;
  const Term is_none = terms_.equal(value, truncated(kNotInitialised, 32)), is_zero = terms_.equal(value, 0);
  if (what == "wait") result_.transition.guard = terms_.negation(is_zero);
  require_not(is_none, FailureKind::api_misuse, "a semaphore that is not initialised", call);
  if (what == "wait") {
    put(terms_.binary(TermKind::subtraction, value, one), Terms::truth(true));
  } else if (what == "post") {
    require_not(terms_.equal(value, most), FailureKind::unsupported, "a semaphore with a large value", call);
    if (!mutated(Mutation::posts_do_not_count)) put(terms_.binary(TermKind::sum, value, one), Terms::truth(true));
  } else if (what == "destroy") {
    put(terms_.constant(32, kNotInitialised), Terms::truth(true));
  } else {
    if (program_.options.wants_races)
      note_limit(is_zero, "a sem_trywait that fails: races behind it are not known (--no-races)", call);
    put(terms_.binary(TermKind::subtraction, value, one), terms_.negation(is_zero));
    set(call, {terms_.choice(is_zero, terms_.constant(32, ~std::uint64_t{0}), terms_.constant(32, 0))});
    return Flow::next;
  }
  return returns(call, 0);
}

Region::Flow Region::condition_operation(const llvm::CallBase& call, llvm::StringRef what) {
  if (!path_.is_fresh) return stop_at_visible();
  if (what == "wait") return condition_wait(call);
  const bool is_known = what == "signal" || what == "broadcast" || what == "init" || what == "destroy";
  if (!is_known) return unsupported(call, "a call to pthread_cond_" + what.str());
  const auto hits = synchronisation(call.getArgOperand(0), SlotKind::condition, call);
  if (hits.empty()) return Flow::stop;
  describe(call, what.str());
  if (what == "init") {
    const auto attributes = read(call.getArgOperand(1));
    if (!attributes || attributes->bits != terms_.constant(64, 0))
      return unsupported(call, "a condition variable with attributes");
    initialise(hits, SlotKind::condition, terms_.constant(64, 0), "a condition variable", call);
    return returns(call, 0);
  }
  const Term held = held_by(hits, SlotKind::condition);
  require_not(terms_.equal(held, kNotInitialised), FailureKind::api_misuse, "a condition variable that is not initialised",
              call);
  const Term waiting = terms_.extract(held, 0, 32), woken = terms_.extract(held, 32, 32);
  if (what == "destroy") {
    require_not(terms_.negation(terms_.equal(waiting, 0)), FailureKind::api_misuse,
                "a condition variable is destroyed that threads wait on", call);
    require_not(terms_.negation(terms_.equal(woken, 0)), FailureKind::unsupported,
                "a condition variable is destroyed before those that were woken have gone on", call);
    store_to(hits, {terms_.constant(64, kNotInitialised)}, Terms::truth(true));
  } else if (what == "broadcast") {
    require_ordered_wake(hits, waiting, call);
    store_to(hits, {joined(terms_.constant(32, 0), terms_.binary(TermKind::disjunction, woken, waiting))}, Terms::truth(true));
  } else {
    require_ordered_wake(hits, waiting, call);
    const Term chosen = mutated(Mutation::signals_wake_nobody) ? terms_.constant(32, 0) : chosen_waiter(waiting, call);
    result_.transition.wakes = chosen;
    store_to(
        hits,
        {joined(terms_.binary(TermKind::difference, waiting, chosen), terms_.binary(TermKind::disjunction, woken, chosen))},
        Terms::truth(true));
  }
  return returns(call, 0);
}

// Who wakes a thread without its mutex comes before it, but does not happen before it.
void Region::require_ordered_wake(const std::vector<Hit>& conditions, Term waiting, const llvm::CallBase& call) {
  if (!program_.options.wants_races) return;
  Term held = Terms::truth(true);
  for (const Hit& hit : conditions)
    for (const SlotId mutex : program_.memory.waited_with(hit.first)) {
      const Term owner = load_from({{mutex}}, {{}, 8, SlotKind::mutex}).bits;
      held = terms_.both(held, terms_.either(terms_.negation(hit.condition), terms_.equal(owner, owner_number())));
    }
  note_limit(terms_.both(terms_.negation(terms_.equal(waiting, 0)), terms_.negation(held)),
             "a thread is woken by one that does not hold the mutex: races behind it are not known (--no-races)", call);
}

Term Region::joined(Term low, Term high) {
  const Term shifted = terms_.binary(TermKind::shift_left, terms_.extend(high, 64, false), terms_.constant(64, 32));
  return terms_.binary(TermKind::disjunction, terms_.extend(low, 64, false), shifted);
}

// Any of the waiters: the one that an input names, or the first if that does not wait. No bit if none waits.
Term Region::chosen_waiter(Term waiting, const llvm::CallBase& call) {
  const CellId input = program_.add_input("waiter " + Program::place(call), 5, thread_);
  const Term named =
      terms_.binary(TermKind::shift_left, terms_.constant(32, 1), terms_.extend(program_.system.read(input), 32, false));
  const Term negative = terms_.binary(TermKind::subtraction, terms_.constant(32, 0), waiting);
  const Term first = terms_.binary(TermKind::conjunction, waiting, negative);
  const Term waits = terms_.negation(terms_.equal(terms_.binary(TermKind::conjunction, waiting, named), 0));
  return terms_.choice(waits, named, first);
}

// Which of several mutexes the others wait with is not known.
void Region::require_one_mutex(const std::vector<Hit>& conditions, Term waiting, const llvm::CallBase& call) {
  Term several = Terms::truth(false);
  for (const Hit& hit : conditions)
    if (program_.memory.waited_with(hit.first).size() > 1) several = terms_.either(several, hit.condition);
  require_not(terms_.both(several, terms_.negation(terms_.equal(waiting, 0))), FailureKind::unsupported,
              "threads wait on one condition variable, perhaps with different mutexes", call);
}

Region::Flow Region::condition_wait(const llvm::CallBase& call) {
  const auto conditions = synchronisation(call.getArgOperand(0), SlotKind::condition, call);
  if (conditions.empty()) return Flow::stop;
  const auto mutexes = synchronisation(call.getArgOperand(1), SlotKind::mutex, call);
  if (mutexes.empty()) return Flow::stop;
  const Term held = held_by(conditions, SlotKind::condition);
  const Term owner = held_by(mutexes, SlotKind::mutex);
  const Term waiting = terms_.extract(held, 0, 32), woken = terms_.extract(held, 32, 32);
  const Term own = terms_.constant(32, std::uint64_t{1} << thread_);
  if (path_.environment.stage == 0) {
    describe(call, "wait");
    require_not(terms_.equal(held, kNotInitialised), FailureKind::api_misuse, "a condition variable that is not initialised",
                call);
    require_not(terms_.negation(terms_.equal(owner, owner_number())), FailureKind::api_misuse,
                "a wait with a mutex that the thread does not hold", call);
    for (const Hit& condition : conditions)
      for (const Hit& mutex : mutexes) program_.memory.note_wait(condition.first, mutex.first);
    require_one_mutex(conditions, waiting, call);
    if (!mutated(Mutation::waits_keep_the_mutex)) store_to(mutexes, {terms_.constant(8, 0)}, Terms::truth(true));
    store_to(conditions, {joined(terms_.binary(TermKind::disjunction, waiting, own), woken)}, Terms::truth(true));
    if (is_dead()) return Flow::stop;
    path_.environment.stage = 1;
    return stop_at_visible();
  }
  describe(call, "wake");
  const Term is_woken = terms_.negation(terms_.equal(terms_.binary(TermKind::conjunction, woken, own), 0));
  result_.transition.guard = terms_.both(is_woken, terms_.equal(owner, 0));
  store_to(mutexes, {owner_number()}, Terms::truth(true));
  store_to(conditions, {joined(waiting, terms_.binary(TermKind::difference, woken, own))}, Terms::truth(true));
  path_.environment.stage = 0;
  return returns(call, 0);
}

}  // namespace inspect::symbolic
