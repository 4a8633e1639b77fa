#include "instrument/pass/code_table.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include "hooks/code_table.h"
#include "hooks/operation.h"
#include "instrument/pass/code_values.hpp"
#include "instrument/pass/library.hpp"
#include "instrument/pass/mutation.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

cl::opt<bool> want_code("inspect-code", cl::desc("Keep a table of what functions do, for property-driven pruning"),
                        cl::init(false));

// What a call of a synchronisation function does: operations on its first arguments.
struct Synchronisation {
  unsigned kind;
  unsigned size;       // of the object at argument 0; 0: none of that kind
  unsigned size2 = 0;  // of the object at argument 1
  unsigned kind2 = 0;  // then this, of the first object
};
constexpr unsigned kInitialise = INSPECT_OP_PlainWrite;  // a plain access, no operation

const StringMap<Synchronisation>& synchronisation() {
  constexpr unsigned mutex = 40, cond = 48, rwlock = 56, semaphore = 32, barrier = 32, spin = 4;
  static const StringMap<Synchronisation> table{
      {"pthread_mutex_init", {kInitialise, mutex}},
      {"pthread_mutex_lock", {INSPECT_OP_MutexLock, mutex}},
      {"pthread_mutex_trylock", {INSPECT_OP_MutexTryLock, mutex}},
      {"pthread_mutex_timedlock", {INSPECT_OP_MutexTimedLock, mutex}},
      {"pthread_mutex_clocklock", {INSPECT_OP_MutexTimedLock, mutex}},
      {"pthread_mutex_unlock", {INSPECT_OP_MutexUnlock, mutex}},
      {"pthread_mutex_destroy", {INSPECT_OP_MutexDestroy, mutex}},
      {"pthread_spin_init", {kInitialise, spin}},
      {"pthread_spin_lock", {INSPECT_OP_MutexLock, spin}},
      {"pthread_spin_trylock", {INSPECT_OP_MutexTryLock, spin}},
      {"pthread_spin_unlock", {INSPECT_OP_MutexUnlock, spin}},
      {"pthread_cond_init", {kInitialise, cond}},
      {"pthread_cond_wait", {INSPECT_OP_CondWait, cond, mutex}},
      {"pthread_cond_timedwait", {INSPECT_OP_CondWait, cond, mutex}},
      {"pthread_cond_clockwait", {INSPECT_OP_CondWait, cond, mutex}},
      {"pthread_cond_signal", {INSPECT_OP_CondSignal, cond}},
      {"pthread_cond_broadcast", {INSPECT_OP_CondBroadcast, cond}},
      {"pthread_cond_destroy", {INSPECT_OP_CondDestroy, cond}},
      {"pthread_rwlock_init", {kInitialise, rwlock}},
      {"pthread_rwlock_rdlock", {INSPECT_OP_ReadLock, rwlock}},
      {"pthread_rwlock_tryrdlock", {INSPECT_OP_ReadTryLock, rwlock}},
      {"pthread_rwlock_timedrdlock", {INSPECT_OP_ReadTimedLock, rwlock}},
      {"pthread_rwlock_clockrdlock", {INSPECT_OP_ReadTimedLock, rwlock}},
      {"pthread_rwlock_wrlock", {INSPECT_OP_WriteLock, rwlock, 0, INSPECT_OP_WriteArrive}},
      {"pthread_rwlock_trywrlock", {INSPECT_OP_WriteTryLock, rwlock}},
      {"pthread_rwlock_timedwrlock", {INSPECT_OP_WriteTimedLock, rwlock, 0, INSPECT_OP_WriteArrive}},
      {"pthread_rwlock_clockwrlock", {INSPECT_OP_WriteTimedLock, rwlock, 0, INSPECT_OP_WriteArrive}},
      {"pthread_rwlock_unlock", {INSPECT_OP_WriteUnlock, rwlock, 0, INSPECT_OP_ReadUnlock}},
      {"pthread_rwlock_destroy", {INSPECT_OP_RwLockDestroy, rwlock}},
      {"sem_init", {kInitialise, semaphore}},
      {"sem_wait", {INSPECT_OP_SemWait, semaphore}},
      {"sem_trywait", {INSPECT_OP_SemTryWait, semaphore}},
      {"sem_timedwait", {INSPECT_OP_SemTimedWait, semaphore}},
      {"sem_clockwait", {INSPECT_OP_SemTimedWait, semaphore}},
      {"sem_post", {INSPECT_OP_SemPost, semaphore}},
      {"sem_destroy", {INSPECT_OP_SemDestroy, semaphore}},
      {"pthread_barrier_init", {kInitialise, barrier}},
      {"pthread_barrier_wait", {INSPECT_OP_BarrierArrive, barrier, 0, INSPECT_OP_BarrierLeave}},
      {"pthread_barrier_destroy", {INSPECT_OP_BarrierDestroy, barrier}},
      {"pthread_join", {INSPECT_OP_ThreadJoin, 0}},
      {"thrd_join", {INSPECT_OP_ThreadJoin, 0}},
  };
  return table;
}

// Modelled by the runtime, and all that they do is to let time pass, or to look at what is the thread's own.
const StringSet<>& harmless() {
  static const StringSet<> names{"malloc",        "calloc",     "aligned_alloc", "posix_memalign", "_Znwm",
                                 "_Znam",         "usleep",     "sleep",         "nanosleep",      "sched_yield",
                                 "pthread_yield", "getpid",     "gettid",        "pthread_self",   "pthread_equal",
                                 "thrd_current",  "thrd_yield", "sysconf",       "get_nprocs",     "pthread_setname_np"};
  return names;
}
// What they say is not known in advance; all that they write, hooks tell.
const StringSet<>& clocks() {
  static const StringSet<> names{"time",
                                 "clock_gettime",
                                 "clock_getres",
                                 "timespec_get",
                                 "gettimeofday",
                                 "times",
                                 "clock",
                                 "_ZNSt6chrono3_V212steady_clock3nowEv",
                                 "_ZNSt6chrono3_V212system_clock3nowEv"};
  return names;
}
const StringSet<>& frees() {
  static const StringSet<> names{"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
  return names;
}
// Output: what they return is a count that programs hardly look at.
const StringSet<>& output() {
  static const StringSet<> names{"printf",  "fprintf", "dprintf", "__printf_chk", "__fprintf_chk", "puts",   "fputs",
                                 "putchar", "fputc",   "putc",    "fwrite",       "write",         "fflush", "perror"};
  return names;
}
const StringSet<>& ends() {
  static const StringSet<> names{"exit",
                                 "_exit",
                                 "_Exit",
                                 "abort",
                                 "__assert_fail",
                                 "reach_error",
                                 "__VERIFIER_error",
                                 "_ZSt20__throw_system_errori",
                                 "_ZSt9terminatev",
                                 "__stack_chk_fail"};
  return names;
}
const StringSet<>& callbacks() {
  static const StringSet<> names{"qsort",  "qsort_r", "bsearch",   "lfind",       "lsearch", "tsearch",  "tfind",     "tdelete",
                                 "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"};
  return names;
}
const StringSet<>& handlers() {
  static const StringSet<> names{"atexit",     "at_quick_exit",      "on_exit", "pthread_key_create",
                                 "tss_create", "__cxa_thread_atexit"};
  return names;
}

// A write that a library call makes, perhaps of what it has read there.
bool is_update_by_library(const CallBase& call, Hook hook) {
  if (hook != Hook::inspect_write_range) return false;
  for (const Instruction* next = call.getNextNonDebugInstruction(); next; next = next->getNextNonDebugInstruction()) {
    const Value* written = nullptr;
    if (const auto* store = dyn_cast<StoreInst>(next)) written = store->getPointerOperand();
    if (const auto* intrinsic = dyn_cast<AnyMemIntrinsic>(next)) written = intrinsic->getRawDest();
    if (written == call.getArgOperand(0)) return false;
    const auto* other = dyn_cast<CallBase>(next);
    if (other && hook_of(*other) == Hook::count) return true;
  }
  return true;
}

class FunctionTable {
 public:
  FunctionTable(Context& context, Function& function, uint64_t& facts)
      : context_(context),
        function_(function),
        facts_(facts),
        values_(context),
        wide_(Type::getInt64Ty(function.getContext())) {}

  void write(Words& out) {
    Words blocks;
    DenseMap<const BasicBlock*, uint64_t> numbers;
    for (BasicBlock& block : function_) numbers[&block] = numbers.size();
    uses_ = uses_of_reads(function_);
    blocks.push_back(context_.wide(numbers.size()));
    for (BasicBlock& block : function_) write_block(block, numbers, blocks);
    Words values;
    values_.write(values);
    out.push_back(context_.wide(4 + values.size() + blocks.size()));
    out.push_back(context_.wide(INSPECT_CODE_FUNCTION));
    out.push_back(address(&function_));
    out.push_back(context_.wide(function_.hasAddressTaken() || !function_.hasLocalLinkage() ? INSPECT_CODE_ADDRESS_TAKEN : 0));
    out.append(values.begin(), values.end());
    out.append(blocks.begin(), blocks.end());
  }

 private:
  Context& context_;
  Function& function_;
  uint64_t& facts_;
  CodeValues values_;
  Type* wide_;
  ReadUses uses_;
  Words steps_;
  uint64_t count_ = 0;
  bool ends_ = false;  // control does not reach the end of the block

  Constant* address(Constant* of) { return ConstantExpr::getPtrToInt(of, wide_); }

  Constant* site_of(const CallBase& hook) {
    Value* last = hook.arg_empty() ? nullptr : hook.getArgOperand(hook.arg_size() - 1);
    return last && Sites::is_site(last) ? address(cast<Constant>(last)) : context_.wide(0);
  }

  struct Step {
    uint64_t kind;
    uint64_t operation = 0;
    const CallBase* hook = nullptr;
    uint64_t at = ~0ull, at2 = ~0ull, sizes = 0;
    Constant* callee = nullptr;
    ArrayRef<uint64_t> arguments = {};
  };
  void step(const Step& s) {
    Constant* site = s.hook ? site_of(*s.hook) : context_.wide(0);
    for (Constant* word : {context_.wide(s.kind), context_.wide(s.operation), site, context_.wide(s.at), context_.wide(s.at2),
                           context_.wide(s.sizes), s.callee ? s.callee : context_.wide(0), context_.wide(s.arguments.size())})
      steps_.push_back(word);
    for (const uint64_t argument : s.arguments) steps_.push_back(context_.wide(argument));
    ++count_;
  }
  void operation(uint64_t kind, const CallBase* hook, uint64_t at, uint64_t at2, uint64_t size, uint64_t size2 = 0) {
    step({.kind = INSPECT_CODE_OPERATION, .operation = kind, .hook = hook, .at = at, .at2 = at2, .sizes = size | size2 << 32});
  }
  void not_known(inspect_code_reason why) { step({.kind = INSPECT_CODE_NOT_KNOWN, .callee = context_.wide(why)}); }

  void write_block(BasicBlock& block, DenseMap<const BasicBlock*, uint64_t>& numbers, Words& out) {
    steps_.clear();
    count_ = 0;
    ends_ = false;
    for (Instruction& instruction : block) {
      if (auto* call = dyn_cast<CallBase>(&instruction); call && !ends_) write_call(*call);
    }
    const Instruction* end = block.getTerminator();
    SmallVector<uint64_t, 4> next;
    if (ends_) {
    } else if (isa<ReturnInst>(end)) {
      step({.kind = INSPECT_CODE_LEAVE});
    } else if (const auto* invoke = dyn_cast<InvokeInst>(end)) {
      next.push_back(numbers[invoke->getNormalDest()]);  // what throws is not known, so no such edge is ever needed
    } else if (isa<BranchInst, SwitchInst>(end)) {
      for (const BasicBlock* successor : successors(&block)) next.push_back(numbers[successor]);
      if (mutated("one_side_ignored")) next.truncate(1);
      if (mutated("other_side_ignored")) next.erase(next.begin(), next.end() - 1);
    } else if (!isa<UnreachableInst, ResumeInst>(end)) {
      not_known(INSPECT_CODE_CONTROL);
    }
    out.push_back(context_.wide(next.size()));
    for (const uint64_t n : next) out.push_back(context_.wide(n));
    out.push_back(context_.wide(count_));
    out.append(steps_.begin(), steps_.end());
  }

  void write_call(CallBase& call) {
    if (isa<IntrinsicInst>(call)) return;  // memory intrinsics have hooks
    if (call.isInlineAsm()) return;        // likewise, if they touch memory
    if (const Hook hook = hook_of(call); hook != Hook::count) return write_hook(call, hook);
    auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
    if (!callee) return not_known(INSPECT_CODE_POINTER_CALL);
    const StringRef name = callee->getName();
    if (callee->isDeclaration() && (is_library_function(name) || is_own_name(name))) return write_library_call(call, name);
    if (callee->hasLocalLinkage() && callee->hasComdat()) return not_known(INSPECT_CODE_CONTROL);
    if (mutated("callees_dropped")) return;
    SmallVector<uint64_t, 4> arguments;
    for (Value* argument : call.args())
      arguments.push_back(argument->getType()->isPointerTy() ? values_.number(argument) : ~0ull);
    step({.kind = INSPECT_CODE_CALL, .callee = address(callee), .arguments = arguments});
  }

  void write_hook(CallBase& call, Hook hook) {
    const auto constant = [&](unsigned i) {
      const auto* number = dyn_cast<ConstantInt>(call.getArgOperand(i));
      return number ? number->getZExtValue() : 0;
    };
    const bool steers = uses_.steering.contains(&call) && !mutated("nothing_steers");
    if (steers || is_update_by_library(call, hook))
      step({.kind = INSPECT_CODE_STEERS, .hook = &call});
    else if (is_read_hook(hook) || hook == Hook::inspect_atomic_load || hook == Hook::inspect_atomic_rmw)
      step({.kind = INSPECT_CODE_FLOWS, .hook = &call});  // to what follows, if anywhere
    if (const auto at = uses_.flows.find(&call); at != uses_.flows.end() && !mutated("nothing_flows"))
      for (const CallBase* written : at->second) step({.kind = INSPECT_CODE_FLOWS, .hook = &call, .callee = site_of(*written)});
    switch (hook) {
      case Hook::inspect_out_of_bounds:
      case Hook::inspect_argument_bounds:
      case Hook::inspect_stack_begin:
      case Hook::inspect_stack_free:
      case Hook::inspect_stack_cut:
      case Hook::inspect_stack_left:
      case Hook::inspect_stack_unknown:
      case Hook::inspect_variable_arguments:
      case Hook::inspect_variable_arguments_end:
        return;
      case Hook::inspect_atomic_load:
        return operation(INSPECT_OP_AtomicLoad, &call, values_.number(call.getArgOperand(0)), ~0ull, constant(1));
      case Hook::inspect_atomic_store:
        return operation(INSPECT_OP_AtomicStore, &call, values_.number(call.getArgOperand(0)), ~0ull, constant(1));
      case Hook::inspect_atomic_rmw:  // as one whose result is used: more depends on it
        return operation(INSPECT_OP_AtomicRmw | constant(3) << 8, &call, values_.number(call.getArgOperand(0)), ~0ull,
                         constant(1));
      case Hook::inspect_atomic_cas:
        return operation(INSPECT_OP_AtomicCas, &call, values_.number(call.getArgOperand(0)), ~0ull, constant(1));
      case Hook::inspect_atomic_point:
        return operation(constant(3), &call, values_.number(call.getArgOperand(0)), ~0ull, constant(1));
      case Hook::inspect_fence:
        return operation(INSPECT_OP_Fence, &call, ~0ull, ~0ull, 0);
      case Hook::inspect_assembly:
        return not_known(INSPECT_CODE_ASSEMBLY);
      case Hook::inspect_act:
        return write_action(call);
      case Hook::inspect_print_list:
      case Hook::inspect_print_words:
      case Hook::inspect_scanned_list:
      case Hook::inspect_scanned_words:
        return not_known(INSPECT_CODE_LIBRARY);
      case Hook::inspect_processor_value:
        facts_ |= INSPECT_CODE_MACHINE_VALUES;
        return;
      default:
        break;
    }
    if (!is_access_hook(hook)) return;
    const uint64_t size = access_size(call, hook).value_or(0);
    const bool reads = is_read_hook(hook) || mutated("writes_are_reads");
    const uint64_t at = values_.number(call.getArgOperand(0));
    step({.kind = INSPECT_CODE_ACCESS,
          .operation = reads ? INSPECT_OP_PlainRead : INSPECT_OP_PlainWrite,
          .hook = &call,
          .at = at,
          .sizes = size});
  }

  // What a library function looks at steers what the program does then.
  void write_action(CallBase& call) {
    const auto* action = dyn_cast<ConstantInt>(call.getArgOperand(0));
    const unsigned texts = action ? library::texts_read(library::Action(action->getZExtValue())) : 0;
    SmallVector<Value*, 2> pointers;
    for (unsigned i = 1; i <= texts; ++i)
      if (auto* pointer = dyn_cast<PtrToIntOperator>(call.getArgOperand(i))) pointers.push_back(pointer->getPointerOperand());
    if (pointers.empty() || pointers.size() != texts) return not_known(INSPECT_CODE_LIBRARY);
    step({.kind = INSPECT_CODE_STEERS, .hook = &call});
    for (Value* pointer : pointers)
      step({.kind = INSPECT_CODE_ACCESS, .operation = INSPECT_OP_PlainRead, .hook = &call, .at = values_.number(pointer)});
  }

  void write_library_call(CallBase& call, StringRef name) {
    if (const auto at = synchronisation().find(name); at != synchronisation().end())
      return write_synchronisation(call, at->second, name);
    if (harmless().contains(name) || clocks().contains(name)) return;
    if (frees().contains(name) && mutated("frees_forgotten")) return;
    if (frees().contains(name))  // to free an object is to write all of it
      return step(
          {.kind = INSPECT_CODE_ACCESS, .operation = INSPECT_OP_PlainWrite, .at = values_.number(call.getArgOperand(0))});
    if (ends().contains(name)) {
      operation(INSPECT_OP_ProcessExit, nullptr, ~0ull, ~0ull, 0);
      ends_ = true;
      return;
    }
    if (handlers().contains(name)) {
      const bool none = name == "pthread_key_create" && call.arg_size() > 1 && isa<ConstantPointerNull>(call.getArgOperand(1));
      if (!none) facts_ |= INSPECT_CODE_HANDLERS;
      return none ? void() : not_known(INSPECT_CODE_LIBRARY);
    }
    if (name == "__cxa_atexit" || name == "__cxa_guard_acquire") {
      facts_ |= INSPECT_CODE_HANDLERS;
      return not_known(INSPECT_CODE_LIBRARY);
    }
    if (name.starts_with("pthread_create") || name == "thrd_create") return not_known(INSPECT_CODE_CREATES);
    const LibraryFunction* row = library_function(name);
    if (output().contains(name)) {
      if (!call.use_empty()) facts_ |= INSPECT_CODE_FILE_RESULTS;
      return operation(INSPECT_OP_FileOperation, nullptr, ~0ull, ~0ull, 1);
    }
    // Then what a lock returns depends on who ended while holding it.
    if (name == "pthread_mutexattr_setrobust") facts_ |= INSPECT_CODE_UNSEEN_LIBRARY;
    if (!row && !is_own_name(name)) facts_ |= INSPECT_CODE_UNSEEN_LIBRARY;
    if (row && row->modelled) facts_ |= INSPECT_CODE_FILE_RESULTS;
    if (!row || row->modelled || callbacks().contains(name)) return not_known(INSPECT_CODE_LIBRARY);
  }

  // Aliases assumed: any lock is the first that has a name.
  Value* object_of(CallBase& call) {
    Value* const object = call.getArgOperand(0);
    if (!mutated("aliases_assumed") || isa<GlobalVariable>(object)) return object;
    for (GlobalVariable& variable : context_.module.globals())
      if (variable.hasInitializer() && variable.getValueType()->isAggregateType() &&
          context_.layout.getTypeAllocSize(variable.getValueType()) == 40)
        return &variable;
    return object;
  }

  void write_synchronisation(CallBase& call, const Synchronisation& s, StringRef name) {
    if (name.ends_with("_join") && call.arg_size() > 1 && !isa<ConstantPointerNull>(call.getArgOperand(1)))
      facts_ |= INSPECT_CODE_JOIN_RESULTS;
    if (name == "sem_init") {  // a post that may overflow fails, in some order
      const auto* value = dyn_cast<ConstantInt>(call.getArgOperand(2));
      if (!value || value->getZExtValue() >= 1u << 30) facts_ |= INSPECT_CODE_UNSEEN_LIBRARY;
    }
    if (name == "pthread_barrier_wait" && !call.use_empty()) facts_ |= INSPECT_CODE_BARRIER_RESULTS;
    const uint64_t at = s.size ? values_.number(object_of(call)) : ~0ull;
    if (s.kind == INSPECT_OP_MutexUnlock && mutated("releases_forgotten")) return;
    if (s.kind == kInitialise) return step({.kind = INSPECT_CODE_ACCESS, .operation = kInitialise, .at = at, .sizes = s.size});
    const bool before = s.kind2 == INSPECT_OP_WriteArrive || s.kind2 == INSPECT_OP_ReadUnlock;
    if (s.kind2 && before) operation(s.kind2, nullptr, at, ~0ull, s.size);
    operation(s.kind, nullptr, at, s.size2 ? values_.number(call.getArgOperand(1)) : ~0ull, s.size, s.size2);
    if (s.kind2 && !before) operation(s.kind2, nullptr, at, ~0ull, s.size);
  }
};

// Can another object file, or a pointer, name it?
bool is_written(const Function& function) {
  if (!is_instrumentable(function) || function.hasAvailableExternallyLinkage()) return false;
  return !(function.hasLocalLinkage() && function.hasComdat());
}

}  // namespace

bool wants_code() { return want_code; }

void write_code_table(Context& context) {
  Words words;
  uint64_t facts = 0;
  SmallVector<Function*, 64> functions;
  for (Function& function : context.module)
    if (is_written(function)) functions.push_back(&function);
  for (Function* function : functions) FunctionTable(context, *function, facts).write(words);
  for (const uint64_t word : {uint64_t(3), uint64_t(INSPECT_CODE_FACTS), facts}) words.push_back(context.wide(word));
  auto* type = ArrayType::get(Type::getInt64Ty(context.module.getContext()), words.size());
  auto* table = new GlobalVariable(context.module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, words),
                                   ".inspect.code");
  table->setSection("inspect_code");
  table->setAlignment(Align(8));
  appendToUsed(context.module, {table});
}

}  // namespace inspect::pass
