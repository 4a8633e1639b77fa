#include "symbolic/frontend/region.hpp"

#include <llvm/IR/CFG.h>

#include <algorithm>

#include "base/check.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

RegionResult Region::run(Environment environment, bool is_visible) {
  push({Terms::truth(true), std::move(environment), is_visible});
  while (!work_.empty() && !program_.is_late()) {
    const auto first = work_.begin();
    Path path = std::move(first->second);
    work_.erase(first);
    follow_path(std::move(path));
  }
  return std::move(result_);
}

void Region::merge(Environment& into, const Environment& other, Term condition) {
  CHECK(into.frames.size() == other.frames.size());
  const auto choose = [&](const Value& then, const Value& otherwise) {
    Value value{terms_.choice(condition, then.bits, otherwise.bits), then.is_pointer || otherwise.is_pointer, then.objects};
    value.objects.insert(otherwise.objects.begin(), otherwise.objects.end());
    return value;
  };
  for (std::size_t f = 0; f < into.frames.size(); ++f) {
    Frame& frame = into.frames[f];
    const Frame& with = other.frames[f];
    std::erase_if(frame.values, [&](const auto& entry) { return !with.values.contains(entry.first); });
    for (auto& [key, value] : frame.values) value = choose(with.values.at(key), value);
    for (const ObjectId local : with.locals)
      if (std::find(frame.locals.begin(), frame.locals.end(), local) == frame.locals.end()) frame.locals.push_back(local);
  }
  for (const auto& [slot, value] : other.slots) into.slots.try_emplace(slot, first_value(slot));
  for (auto& [slot, value] : into.slots) {
    const auto it = other.slots.find(slot);
    value = choose(it == other.slots.end() ? first_value(slot) : it->second, value);
  }
  for (const auto& [object, dead] : other.dead) into.dead.try_emplace(object, Terms::truth(false));
  for (auto& [object, dead] : into.dead) {
    const auto it = other.dead.find(object);
    dead = terms_.choice(condition, it == other.dead.end() ? Terms::truth(false) : it->second, dead);
  }
  into.has_ended.insert(other.has_ended.begin(), other.has_ended.end());
  into.has_begun.insert(other.has_begun.begin(), other.has_begun.end());
}

void Region::push(Path path) {
  if (terms_.is_false(path.condition)) return;
  drop_unneeded(program_, path.environment);
  const Key key = key_of(program_, path.environment);
  const auto it = work_.find(key);
  if (it == work_.end()) {
    work_.emplace(key, std::move(path));
    return;
  }
  merge(it->second.environment, path.environment, path.condition);
  it->second.condition = terms_.either(it->second.condition, path.condition);
}

void Region::follow_path(Path path) {
  path_ = std::move(path);
  while (!is_dead()) {
    const Frame& frame = path_.environment.top();
    const llvm::Instruction& i = *std::next(frame.block->begin(), frame.index);
    if (execute(i) == Flow::stop) return;
    path_.is_fresh = false;
    ++path_.environment.top().index;
  }
}

Region::Flow Region::stop_at_visible() {
  drop_unneeded(program_, path_.environment);
  const Key key = key_of(program_, path_.environment);
  const auto it = result_.locations.find(key);
  if (it == result_.locations.end()) {
    result_.locations.emplace(key, Arrival{path_.condition, std::move(path_.environment)});
  } else {
    merge(it->second.environment, path_.environment, path_.condition);
    it->second.condition = terms_.either(it->second.condition, path_.condition);
  }
  return Flow::stop;
}

void Region::describe(const llvm::Instruction& i, const std::string& what) {
  if (!path_.is_fresh) return;
  result_.transition.what = what;
  result_.transition.source = Program::place(i);
}

void Region::require_not(Term failure, FailureKind kind, const std::string& what, const llvm::Instruction& i) {
  const Term here = terms_.both(path_.condition, failure);
  if (terms_.is_false(here)) return;
  result_.transition.checks.push_back({here, kind, what, Program::place(i)});
  result_.excuses = terms_.either(result_.excuses, here);
  path_.condition = terms_.both(path_.condition, terms_.negation(failure));
}

void Region::note_limit(Term condition, const std::string& what, const llvm::Instruction& i) {
  const Term here = terms_.both(path_.condition, condition);
  if (!terms_.is_false(here)) result_.transition.checks.push_back({here, FailureKind::unsupported, what, Program::place(i)});
}

Region::Flow Region::fails(const llvm::Instruction& i, FailureKind kind, const std::string& what) {
  require_not(Terms::truth(true), kind, what, i);
  return Flow::stop;
}

Region::Flow Region::unsupported(const llvm::Instruction& i, const std::string& what) {
  for (const llvm::Use& use : i.operands())
    if (const auto* const symbol = llvm::dyn_cast<llvm::GlobalValue>(use.get()); symbol && symbol->hasExternalWeakLinkage())
      return fails(i, FailureKind::unsupported,
                   "the weak symbol " + symbol->getName().str() + ", which may be missing (link a definition)");
  return fails(i, FailureKind::unsupported, what);
}

Region::Flow Region::execute(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
    case llvm::Instruction::Br:
    case llvm::Instruction::Switch:
      return branch(i);
    case llvm::Instruction::Ret:
      return leave_function(llvm::cast<llvm::ReturnInst>(i));
    case llvm::Instruction::Unreachable:
      // Only what a call that does not return leaves behind can be passed over, and those end their paths.
      return unsupported(i, "code that the compiler takes for unreachable");
    case llvm::Instruction::Call:
      return call(llvm::cast<llvm::CallBase>(i));
    case llvm::Instruction::Alloca:
      return allocate(llvm::cast<llvm::AllocaInst>(i));
    case llvm::Instruction::Load:
      return load(llvm::cast<llvm::LoadInst>(i));
    case llvm::Instruction::Store:
      return store(llvm::cast<llvm::StoreInst>(i));
    case llvm::Instruction::AtomicRMW:
      return read_modify_write(llvm::cast<llvm::AtomicRMWInst>(i));
    case llvm::Instruction::AtomicCmpXchg:
      return compare_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(i));
    case llvm::Instruction::Fence:
      return Flow::next;  // the order of operations is sequential anyway
    default:
      return compute(i);
  }
}

// Follows an edge: the phis of the block get their values from the edge.
Region::Flow Region::goes_to(const llvm::BasicBlock* to, Term condition) {
  Path path{terms_.both(path_.condition, condition), path_.environment};
  if (terms_.is_false(path.condition)) return Flow::stop;
  Frame& frame = path.environment.top();
  const llvm::BasicBlock* const from = frame.block;
  const llvm::Instruction& end = *from->getTerminator();
  std::vector<std::pair<const llvm::Value*, Value>> phis;
  for (const llvm::PHINode& phi : to->phis()) {
    const bool first = mutated(Mutation::phi_from_another_edge) && !program_.shape(frame.function).is_loop_head(to);
    const auto value = read(first ? phi.getIncomingValue(0) : phi.getIncomingValueForBlock(from));
    if (!value) {
      const Term kept = path_.condition;
      path_.condition = path.condition;
      unsupported(end, "a value that is not understood");
      path_.condition = kept;
      return Flow::stop;
    }
    phis.emplace_back(&phi, *value);
  }
  const bool goes_back = program_.shape(frame.function).follow(from, to, frame.iterations);
  if (goes_back) {
    int iteration = 0;
    for (const auto& [loop, n] : frame.iterations)
      if (loop->getHeader() == to) iteration = n;
    if (iteration > program_.options.unwind) {
      const Term kept = path_.condition;
      path_.condition = path.condition;
      if (mutated(Mutation::cuts_are_ends))
        end_thread(result_.excuses);
      else
        fails(end, FailureKind::unwinding, "a loop goes on after " + std::to_string(program_.options.unwind) + " iterations");
      path_.condition = kept;
      return Flow::stop;
    }
  }
  for (auto& [phi, value] : phis) frame.values[phi] = std::move(value);
  frame.block = to;
  frame.index = static_cast<int>(std::distance(to->begin(), to->getFirstNonPHIIt()));
  push(std::move(path));
  return Flow::stop;
}

Region::Flow Region::branch(const llvm::Instruction& i) {
  if (const auto* br = llvm::dyn_cast<llvm::BranchInst>(&i)) {
    if (br->isUnconditional()) return goes_to(br->getSuccessor(0), Terms::truth(true));
    const auto condition = read(br->getCondition());
    if (!condition) return unsupported(i, "a condition that is not understood");
    goes_to(br->getSuccessor(0), condition->bits);
    return goes_to(br->getSuccessor(1), terms_.negation(condition->bits));
  }
  const auto& by = llvm::cast<llvm::SwitchInst>(i);
  const auto value = read(by.getCondition());
  if (!value) return unsupported(i, "a value that is not understood");
  require_number(*value, i);
  Term none = Terms::truth(true);
  // Several cases may lead to one block: its phis are the same for them, and so is the place, where they are merged.
  for (const auto& one : by.cases()) {
    if (one.getCaseValue()->getBitWidth() > 64) return unsupported(i, "a number of more than 64 bits");
    const Term hit = terms_.equal(value->bits, one.getCaseValue()->getZExtValue());
    if (!mutated(Mutation::branches_swapped) || one.getCaseIndex() == 0) goes_to(one.getCaseSuccessor(), hit);
    none = terms_.both(none, terms_.negation(hit));
  }
  return goes_to(by.getDefaultDest(), none);
}

Region::Flow Region::end_thread(Term& ending) {
  ending = terms_.either(ending, path_.condition);
  return Flow::stop;
}

Region::Flow Region::leave_function(const llvm::ReturnInst& i) {
  Environment& environment = path_.environment;
  const std::vector<ObjectId> locals = environment.top().locals;
  const bool is_last = environment.frames.size() == 1;
  std::optional<Value> value;
  if (i.getReturnValue() && !(is_last && thread_ != 0)) {
    value = read(i.getReturnValue());
    if (!value) return unsupported(i, "a value that is not understood");
  }
  if (is_last && thread_ == 0) {
    if (value) {
      const Term status = terms_.extract(value->bits, 0, std::min(8u, terms_.width(value->bits)));
      require_not(terms_.negation(terms_.equal(status, 0)), FailureKind::exit_status, "main returns another status than 0", i);
    }
    return end_thread(result_.excuses);
  }
  if (is_last || has_shared(locals)) {
    if (!path_.is_fresh) return stop_at_visible();
    describe(i, is_last ? "the thread ends" : "a function's variables end");
  }
  if (is_last && i.getReturnValue()) note_result(i.getReturnValue());
  end_locals(locals);
  if (is_last) {
    result_.transition.updates.push_back({{program_.threads.at(thread_).progress}, terms_.constant(2, kDone)});
    return end_thread(result_.ended);
  }
  environment.frames.pop_back();
  Frame& caller = environment.top();
  const llvm::Instruction& at = *std::next(caller.block->begin(), caller.index);
  if (value) caller.values[&at] = *value;
  ++caller.index;
  push({path_.condition, std::move(environment)});
  return Flow::stop;
}

void Region::enter(const llvm::CallBase& call, llvm::Function* callee, Term condition) {
  Path path{terms_.both(path_.condition, condition), path_.environment};
  Path kept = std::move(path_);
  path_ = path;
  Frame frame{callee, &callee->getEntryBlock()};
  const auto depth = std::count_if(path.environment.frames.begin(), path.environment.frames.end(),
                                   [&](const Frame& f) { return f.function == callee; });
  bool is_understood = false;
  if (callee->isVarArg() || callee->getFunctionType() != call.getFunctionType())
    unsupported(call, "a call with other arguments than the function has: " + callee->getName().str());
  else if (!program_.shape(callee).is_reducible())
    unsupported(call, "a function with a loop that is entered in several places: " + callee->getName().str());
  else if (depth > program_.options.unwind)
    fails(call, FailureKind::unwinding, "a function calls itself more often: " + callee->getName().str());
  else
    is_understood = true;
  for (unsigned a = 0; is_understood && a < call.arg_size(); ++a) {
    const auto value = read(call.getArgOperand(a));
    if (!value || callee->getArg(a)->hasByValAttr()) {
      unsupported(call, "an argument that is not understood");
      is_understood = false;
    } else {
      frame.values[callee->getArg(a)] = *value;
    }
  }
  if (is_understood) {
    path_.environment.frames.push_back(std::move(frame));
    push(std::move(path_));
  }
  path_ = std::move(kept);
}

Region::Flow Region::call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return unsupported(call, "inline assembly");
  if (call.hasOperandBundles()) return unsupported(call, "a call with an operand bundle");
  if (const auto* intrinsic_call = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    const auto flow = intrinsic(*intrinsic_call);
    return flow ? *flow : unsupported(call, "an intrinsic: " + call.getCalledFunction()->getName().str());
  }
  if (llvm::Function* callee = call.getCalledFunction()) {
    // A function of the program's own wins over the one that is known by its name.
    if (callee->isDeclaration())
      if (const auto flow = modelled(call, callee->getName())) return *flow;
    if (callee->isDeclaration() && mutated(Mutation::unknown_is_nothing)) return returns(call, 0);
    if (callee->isDeclaration()) return unsupported(call, "a call to " + callee->getName().str());
    enter(call, callee, Terms::truth(true));
    return Flow::stop;
  }
  const auto target = read(call.getCalledOperand());
  if (!target) return unsupported(call, "a call through a pointer that is not understood");
  Term none = Terms::truth(true);
  for (const ObjectId id : target->objects) {
    if (program_.memory[id].kind != ObjectKind::function) continue;
    auto* const callee = const_cast<llvm::Function*>(llvm::cast<llvm::Function>(program_.memory[id].value));
    const Term hit = terms_.equal(target->bits, address_of(id));
    if (terms_.is_false(hit)) continue;
    if (callee->isDeclaration()) return unsupported(call, "a call through a pointer to " + callee->getName().str());
    enter(call, callee, hit);
    none = terms_.both(none, terms_.negation(hit));
  }
  path_.condition = terms_.both(path_.condition, none);
  return fails(call, FailureKind::memory_error, "a call through a pointer to no function");
}

}  // namespace inspect::symbolic
