#include "symbolic/encode/check.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "symbolic/system/interpreter.hpp"

namespace inspect::symbolic {

const char* word_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::verified:
      return "verified";
    case CheckVerdict::bug:
      return "bug";
    case CheckVerdict::inconclusive:
      return "inconclusive";
    case CheckVerdict::unsupported:
      return "unsupported";
  }
  return "?";
}

namespace {

bool is_bug(const Candidate& c) {
  return c.kind != PropertyKind::check ||
         (c.check->kind != FailureKind::unwinding && c.check->kind != FailureKind::unsupported);
}

std::string place_of(const Check& check) { return (check.source.empty() ? "" : check.source + ": ") + check.message; }

class Checker {
 public:
  Checker(const System& system, const CheckOptions& options)
      : system_(system),
        options_(options),
        unrolling_(system, options.order, options.at_once ? Stutters::at_end : Stutters::none,
                   options.wants_effort ? Solver::Reports::effort : Solver::Reports::nothing) {
    if (options.deadline) unrolling_.solver().set_deadline(*options.deadline);
    if (options.on_progress) unrolling_.solver().set_watcher([this] { tell(); });
  }

  CheckResult run() {
    if (options_.at_once)
      all_at_once();
    else
      step_by_step();
    measure();
    result_.was_cut = !cut_.empty();
    if (options_.wants_effort) result_.effort = unrolling_.solver().effort();
    if (!options_.dump_cnf.empty() && !unrolling_.solver().write_dimacs(options_.dump_cnf))
      result_.reason += (result_.reason.empty() ? "" : "; ") + ("the clauses could not be written to " + options_.dump_cnf);
    return std::move(result_);
  }

 private:
  std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    if (options_.checks) all = failing_checks(unrolling_);
    if (options_.deadlocks) all.push_back(deadlock(unrolling_));
    if (options_.races)
      for (const Candidate& c : races(unrolling_)) all.push_back(c);
    if (options_.proposition) all.push_back(proposition(unrolling_, *options_.proposition));
    std::erase_if(all, [&](const Candidate& c) { return unrolling_.gates().is_false(c.holds); });
    return all;
  }

  void measure() {
    result_.depth = unrolling_.depth();
    result_.variables = unrolling_.solver().variables();
    result_.clauses = unrolling_.solver().clauses();
    result_.conflicts = unrolling_.solver().conflicts();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  void tell() {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.on_progress || now < next_telling_) return;
    next_telling_ = now + std::chrono::milliseconds(200);
    measure();
    options_.on_progress(result_);
  }

  void step_by_step() {
    for (;;) {
      if (!look_at_state()) return;
      const bool at_bound = unrolling_.depth() >= options_.bound;
      if (at_bound || unrolling_.depth() % 4 == 0) {
        const std::optional<bool> more = goes_on();
        if (!more) return time_is_up();
        if (!*more) return conclude();
      }
      if (at_bound) break;
      unrolling_.add_step();
      tell();
    }
    result_.reason = "executions of more than " + std::to_string(options_.bound) + " transitions were not looked at";
    if (!cut_.empty()) result_.reason += "; " + cut_;
    if (!unsupported_.empty()) unsupported();
  }

  void all_at_once() {
    while (unrolling_.depth() < options_.bound) unrolling_.add_step();
    if (!look_at_state()) return;
    result_.reason = "executions of more than " + std::to_string(options_.bound) + " transitions were not looked at";
    if (!unsupported_.empty()) unsupported();
  }

  // Whether some execution has a transition after the last state. Nothing if time is up.
  std::optional<bool> goes_on() {
    const Literal some = unrolling_.gates().any(unrolling_.pending().enabled);
    if (unrolling_.gates().is_false(some)) return false;
    const Answer answer = unrolling_.solver().solve(std::vector{some});
    if (answer == Answer::unknown) return std::nullopt;
    return answer == Answer::satisfiable;
  }

  // False if that ends the search.
  bool look_at_state() {
    std::vector<Literal> bugs;
    const std::vector<Candidate> all = candidates();
    for (const Candidate& c : all)
      if (is_bug(c)) bugs.push_back(c.holds);
    const Literal bad = unrolling_.gates().any(std::move(bugs));
    if (!unrolling_.gates().is_false(bad)) {
      const Answer answer = unrolling_.solver().solve(std::vector{bad});
      if (answer == Answer::unknown) return time_is_up(), false;
      if (answer == Answer::satisfiable) return report(all), false;
      unrolling_.gates().require({-bad});
    }
    return look_for_limits(all);
  }

  // What is left out on some execution: a loop cut, something unsupported. Once found it is not asked for again.
  bool look_for_limits(const std::vector<Candidate>& all) {
    for (const Candidate& c : all) {
      if (is_bug(c)) continue;
      std::string& found = c.check->kind == FailureKind::unwinding ? cut_ : unsupported_;
      if (!found.empty()) continue;
      const Answer answer = unrolling_.solver().solve(std::vector{c.holds});
      if (answer == Answer::unknown) return time_is_up(), false;
      if (answer == Answer::satisfiable) found = place_of(*c.check);
    }
    return true;
  }

  void time_is_up() {
    result_.verdict = CheckVerdict::inconclusive;
    result_.reason = "time limit reached at depth " + std::to_string(unrolling_.depth());
    if (!unsupported_.empty()) unsupported();
  }
  void unsupported() {
    result_.verdict = CheckVerdict::unsupported;
    result_.reason = unsupported_;
  }
  void conclude() {
    if (!unsupported_.empty()) return unsupported();
    result_.verdict = cut_.empty() ? CheckVerdict::verified : CheckVerdict::inconclusive;
    result_.reason = cut_;
  }

  void report(const std::vector<Candidate>& all) {
    const auto bad = std::find_if(all.begin(), all.end(),
                                  [&](const Candidate& c) { return is_bug(c) && unrolling_.solver().value(c.holds); });
    CHECK(bad != all.end());
    Counterexample example = described(*bad);
    example.inputs = unrolling_.inputs_in_model();
    example.schedule = unrolling_.schedule_in_model();
    CHECK(happens(example, *bad), "the interpreter does not reach the state that the solver found");
    result_.verdict = CheckVerdict::bug;
    result_.counterexample = std::move(example);
  }

  [[nodiscard]] Counterexample described(const Candidate& bad) const {
    Counterexample example;
    example.kind = bad.kind;
    switch (bad.kind) {
      case PropertyKind::check:
        example.what = word_of(bad.check->kind);
        example.message = bad.check->message;
        example.source = bad.check->source;
        example.thread = bad.thread;
        break;
      case PropertyKind::deadlock:
        example.what = "deadlock";
        break;
      case PropertyKind::race:
        example.what = "data-race";
        example.thread = bad.thread;
        example.other_thread = bad.other_thread;
        break;
      case PropertyKind::proposition:
        example.what = "proposition";
        example.message = system_.propositions[bad.proposition].name;
        break;
    }
    return example;
  }

  [[nodiscard]] bool happens(const Counterexample& example, const Candidate& bad) const {
    const Interpreter interpreter(system_);
    State state = interpreter.start(example.inputs);
    for (const ThreadIndex t : example.schedule) {
      if (!interpreter.enabled(state, t)) return false;
      interpreter.take(state, t);
    }
    switch (bad.kind) {
      case PropertyKind::check: {
        std::vector<const Check*> failed;
        if (interpreter.enabled(state, bad.thread)) interpreter.take(state, bad.thread, &failed);
        return std::find(failed.begin(), failed.end(), bad.check) != failed.end();
      }
      case PropertyKind::deadlock:
        return interpreter.deadlocked(state);
      case PropertyKind::race:
        return interpreter.racy(state);
      case PropertyKind::proposition:
        return interpreter.value(state, system_.propositions[bad.proposition].holds) != 0;
    }
    return false;
  }

  const System& system_;
  const CheckOptions& options_;
  Unrolling unrolling_;
  CheckResult result_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now(), next_telling_ = began_;
  std::string cut_, unsupported_;  // what was left out, if reached
};

}  // namespace

CheckResult check(const System& system, const CheckOptions& options) { return Checker(system, options).run(); }

}  // namespace inspect::symbolic
