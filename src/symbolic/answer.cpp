#include "symbolic/answer.hpp"

#include <map>

#include "symbolic/system/interpreter.hpp"

namespace inspect::symbolic {

namespace {

// Follows a counterexample, and writes down what whoever runs the program must know.
class Witness {
 public:
  Witness(const System& system, const Counterexample& bug, SymbolicAnswer& answer)
      : system_(system), bug_(bug), answer_(answer), interpreter_(system), state_(interpreter_.start(bug.inputs)) {
    names_[0] = "0";
    std::size_t input = 0;
    for (CellId c = 0; c < system.cells.size(); ++c)
      if (system.cells[c].is_input) first_values_[c] = bug.inputs[input++];
  }

  void run() {
    for (const ThreadIndex t : bug_.schedule) {
      add_step(t);
      interpreter_.take(state_, t);
    }
    if (bug_.kind == PropertyKind::deadlock) return;
    if (bug_.thread) add_step(*bug_.thread);
    if (bug_.other_thread) add_step(*bug_.other_thread);
  }

 private:
  void add_step(ThreadIndex t) {
    const Transition* const transition = interpreter_.pending(state_, t);
    if (!transition) return;
    if (transition->creates) names_[*transition->creates] = names_[t] + '.' + std::to_string(created_[t]++);
    for (const InputUse& use : transition->inputs) {
      if (interpreter_.value(state_, use.condition) == 0) continue;
      answer_.inputs.push_back({names_[t], use.name, use.function, use.source, answer_.steps.size(),
                                system_.cells[use.cell].width, first_values_.at(use.cell),
                                use.count ? interpreter_.value(state_, *use.count) : 0});
    }
    std::string woken;
    if (transition->wakes)
      if (const std::uint64_t set = interpreter_.value(state_, *transition->wakes))
        woken = names_[static_cast<ThreadIndex>(__builtin_ctzll(set))];
    answer_.steps.push_back({names_[t], transition->what, transition->source, woken});
  }

  const System& system_;
  const Counterexample& bug_;
  SymbolicAnswer& answer_;
  const Interpreter interpreter_;
  State state_;
  std::map<ThreadIndex, std::string> names_;
  std::map<ThreadIndex, unsigned> created_;
  std::map<CellId, std::uint64_t> first_values_;
};

}  // namespace

SymbolicAnswer answer_of(const System& system, const CheckResult& result, int bound) {
  SymbolicAnswer answer;
  answer.verdict = word_of(result.verdict);
  answer.reason = result.reason;
  answer.encoding = word_of(result.encoding);
  answer.figures = {static_cast<std::uint64_t>(bound),
                    result.depth,
                    system.threads.size(),
                    system.cells.size(),
                    static_cast<std::uint64_t>(result.variables),
                    result.clauses,
                    result.conflicts,
                    result.seconds};
  if (result.counterexample) {
    const Counterexample& bug = *result.counterexample;
    answer.bug = SymbolicBug{bug.what, bug.message, bug.source};
    answer.uninitialised = bug.uninitialised;
    Witness(system, bug, answer).run();
  }
  return answer;
}

}  // namespace inspect::symbolic
