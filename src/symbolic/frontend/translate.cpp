#include "symbolic/frontend/translate.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <algorithm>

#include "base/check.hpp"
#include "symbolic/frontend/region.hpp"
#include "symbolic/frontend/uninitialised.hpp"

namespace inspect::symbolic {

namespace {

constexpr LocationId kStart = 0, kEnded = 1, kExcuses = 2;
constexpr int kMostPasses = 100;
constexpr std::size_t kMostLocations = 20000;

// One thread: its locations are its visible operations in the unrolled code.
class ThreadTranslation {
 public:
  ThreadTranslation(Program& program, ThreadIndex index, Thread& thread)
      : program_(program), index_(index), thread_(thread), region_(program, index) {
    thread_.locations.resize(3);
    thread_.locations[kEnded].kind = LocationKind::ended;
    thread_.locations[kExcuses].kind = LocationKind::excuses;
  }

  // False if there is no end of locations.
  bool run(Environment environment, Term guard) {
    go_on(kStart, std::move(environment), false);
    Transition& start = thread_.locations[kStart].transition;
    start.guard = guard;
    start.what = "start";
    while (!pending_.empty()) {
      if (program_.is_late()) return false;
      if (thread_.locations.size() > kMostLocations) return false;
      const auto first = pending_.begin();
      const Pending next = std::move(first->second);
      pending_.erase(first);
      go_on(next.id, united(next), true);
    }
    return true;
  }

 private:
  struct Pending {
    LocationId id = 0;
    std::vector<std::pair<LocationId, Environment>> arrivals;  // after the transition of which location
  };

  void go_on(LocationId at, Environment environment, bool is_visible) {
    const Environment before = environment;
    RegionResult result = Region(program_, index_).run(std::move(environment), is_visible);
    if (is_visible) wait_where_nothing_changes(before, result);
    Transition& transition = thread_.locations[at].transition;
    transition = std::move(result.transition);
    if (!program_.system.terms.is_false(result.ended)) transition.branches.push_back({result.ended, kEnded});
    if (!program_.system.terms.is_false(result.excuses)) transition.branches.push_back({result.excuses, kExcuses});
    std::vector<std::pair<LocationId, Term>> further;
    for (auto& [key, arrival] : result.locations) {
      Pending& pending = pending_[key];
      if (pending.arrivals.empty()) pending.id = static_cast<LocationId>(thread_.locations.size() + new_locations_++);
      further.emplace_back(pending.id, arrival.condition);
      pending.arrivals.emplace_back(at, std::move(arrival.environment));
    }
    for (const auto& [id, condition] : further) transition.branches.push_back({condition, id});
    if (transition.branches.empty()) transition.branches.push_back({Terms::truth(true), kExcuses});
    transition.branches.back().condition = Terms::truth(true);  // one of them holds
    thread_.locations.resize(thread_.locations.size() + new_locations_);
    new_locations_ = 0;
  }

  // Whether the updates of a transition leave everything as it is, where `condition` holds.
  Term changes_nothing(const Transition& transition, Term condition) {
    Terms& terms = program_.system.terms;
    Term result = Terms::truth(true);
    for (const Update& update : transition.updates) {
      const Term when = terms.both(update.condition, condition);
      if (terms.is_false(when)) continue;
      const Target& target = update.target;
      if (target.extent > 1 && !target.index) return Terms::truth(false);
      const unsigned width = program_.system.cells[target.first].width;
      const Term now =
          target.index ? terms.element(target.first, target.extent, *target.index, width) : program_.system.read(target.first);
      result = terms.both(result, terms.either(terms.negation(when), terms.equal(update.value, now)));
    }
    return result;
  }

  // A turn of a loop that comes back to its one operation, and has changed nothing, may as well not be: the thread waits until
  // it would go on otherwise.
  void wait_where_nothing_changes(const Environment& before, RegionResult& result) {
    Terms& terms = program_.system.terms;
    Transition& transition = result.transition;
    if (!transition.inputs.empty() || transition.creates) return;
    std::erase_if(result.locations, [&](const auto& entry) {
      const Arrival& arrival = entry.second;
      if (!is_next_turn(before, arrival.environment)) return false;
      const Term unchanged = changes_nothing(transition, arrival.condition);
      const Term waits = terms.both(arrival.condition, unchanged);
      if (terms.is_false(waits)) return false;
      transition.guard = terms.both(transition.guard, terms.negation(waits));
      transition.awaits = true;
      return terms.is_true(unchanged);
    });
  }

  // What arrivals agree on, if it keeps its value; else a register that each of them sets.
  Value united(const std::vector<Value>& values, const Pending& pending, const std::string& name) {
    Value result = values.front();
    bool agree = program_.is_stable(result.bits);
    for (const Value& v : values) {
      agree = agree && v.bits == result.bits;
      result.objects.insert(v.objects.begin(), v.objects.end());
    }
    if (agree) return result;
    const CellId cell = program_.add_register(name, program_.system.terms.width(result.bits), index_);
    for (std::size_t a = 0; a < values.size(); ++a)
      thread_.locations[pending.arrivals[a].first].transition.updates.push_back({{cell}, values[a].bits});
    result.bits = program_.system.read(cell);
    return result;
  }

  Environment united(const Pending& pending) {
    Environment result = pending.arrivals.front().second;
    for (const auto& arrival : pending.arrivals)
      region_.merge(result, arrival.second,
                    Terms::truth(false));  // what all of them know, with first values where one has none
    const std::string at = thread_.name + "." + std::to_string(pending.id) + ".";
    for (std::size_t f = 0; f < result.frames.size(); ++f)
      for (auto& [key, value] : result.frames[f].values) {
        std::vector<Value> values;
        for (const auto& arrival : pending.arrivals) values.push_back(arrival.second.frames[f].values.at(key));
        value = united(values, pending, at + (key->hasName() ? key->getName().str() : "value"));
      }
    for (auto& [slot, value] : result.slots) {
      std::vector<Value> values;
      for (const auto& arrival : pending.arrivals) {
        const auto it = arrival.second.slots.find(slot);
        values.push_back(it == arrival.second.slots.end() ? region_.first_value(slot) : it->second);
      }
      value = united(values, pending, at + program_.memory[program_.memory.object_of(slot)].name);
    }
    for (auto& [object, dead] : result.dead) {
      std::vector<Value> values;
      for (const auto& arrival : pending.arrivals) {
        const auto it = arrival.second.dead.find(object);
        values.push_back({it == arrival.second.dead.end() ? Terms::truth(false) : it->second});
      }
      dead = united(values, pending, at + "dead").bits;
    }
    return result;
  }

  Program& program_;
  ThreadIndex index_;
  Thread& thread_;
  Region region_;  // for what it knows of environments
  std::map<Key, Pending> pending_;
  std::size_t new_locations_ = 0;
};

Environment entry(llvm::Function* function) {
  Environment environment;
  environment.frames.push_back({function, &function->getEntryBlock()});
  return environment;
}

// What of the module as a whole is not understood; empty if nothing.
std::string refuse(llvm::Module& module) {
  for (const char* const name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (module.getGlobalVariable(name)) return "code that runs before or after main";
  if (!module.getModuleInlineAsm().empty()) return "assembly of the module";
  if (!module.ifunc_empty()) return "functions that are chosen at load time";
  const llvm::Function* const main = module.getFunction("main");
  if (!main || main->isDeclaration()) return "a program without main";
  if (module.getDataLayout().getPointerSizeInBits() != 64 || !module.getDataLayout().isLittleEndian())
    return "a machine other than x86-64";
  return "";
}

// Variables that need no memory become values. Nothing else is simplified: what is undefined must stay visible.
void prepare(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  take_back_zeros(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
  drop_unused(module);
}

// One pass over all threads that are known. An error, or whether the system is complete.
Result<bool> translate_threads(Program& program) {
  llvm::Function* const main = program.module.getFunction("main");
  const std::size_t threads = program.threads.empty() ? 1 : program.threads.rbegin()->first + 1;
  program.system.threads.resize(threads);
  for (ThreadIndex t = 0; t < threads; ++t) {
    Thread& thread = program.system.threads[t];
    thread.name = t == 0 ? "main" : "thread" + std::to_string(t);
    llvm::Function* const function = t == 0 ? main : program.threads.at(t).start;
    if (!program.shape(function).is_reducible())
      return Error{"a function with a loop that is entered in several places: " + function->getName().str()};
    Environment environment = entry(function);
    Term guard = Terms::truth(true);
    if (t == 0 && function->arg_size() > 0 && function->getArg(0)->getType()->isIntegerTy(32))
      environment.frames[0].values[function->getArg(0)] = {program.system.terms.constant(32, 1)};
    if (t > 0) {
      const ThreadOfProgram& of = program.threads.at(t);
      environment.frames[0].values[function->getArg(0)] = of.argument_value;
      guard = program.system.read(of.started);
    }
    const bool has_ended = ThreadTranslation(program, t, thread).run(std::move(environment), guard);
    if (program.is_late()) return Error{kLate};
    if (!has_ended) return Error{"a thread with more than 20000 visible operations: " + thread.name};
  }
  return true;
}

}  // namespace

Result<System> translate(llvm::Module& module, const FrontendOptions& options) {
  if (const std::string reason = refuse(module); !reason.empty()) return Error{reason};
  prepare(module);
  const llvm::DataLayout layout = module.getDataLayout();
  Memory memory(layout);
  ThreadNumbers thread_numbers;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    memory.start_pass();
    const std::size_t known = thread_numbers.size();
    Program program(module, memory, thread_numbers, options);
    if (const auto done = translate_threads(program); !done) return done.failure();
    if (memory.has_changed() || thread_numbers.size() != known) continue;
    program.system.uses_heap = memory.has_heap();
    const std::string wrong = validate(program.system);
    CHECK(wrong.empty(), wrong);
    return std::move(program.system);
  }
  return Error{"a program whose pointers do not settle"};
}

}  // namespace inspect::symbolic
