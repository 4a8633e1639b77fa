#include "symbolic/encode/check.hpp"

#include <algorithm>
#include <memory>

#include "base/check.hpp"
#include "symbolic/encode/events.hpp"
#include "symbolic/encode/unrolling.hpp"
#include "symbolic/system/interpreter.hpp"

namespace inspect::symbolic {

const char* word_of(EncodingKind kind) {
  switch (kind) {
    case EncodingKind::automatic:
      return "auto";
    case EncodingKind::step:
      return "step";
    case EncodingKind::event:
      return "event";
  }
  return "?";
}

std::optional<EncodingKind> encoding_of(std::string_view word) {
  for (const EncodingKind kind : {EncodingKind::automatic, EncodingKind::step, EncodingKind::event})
    if (word == word_of(kind)) return kind;
  return std::nullopt;
}

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

constexpr std::size_t kFirstEvents = 8;             // of a thread with a loop; then twice as many
constexpr std::uint64_t kMostClauses = 20'000'000;  // of the event encoding, where there is a choice

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
        setup_{options.wants_effort ? Solver::Reports::effort : Solver::Reports::nothing, options.deadline,
               options.dump_cnf.empty() ? Solver::Keeps::nothing : Solver::Keeps::questions} {}

  CheckResult run() {
    if (!takes_events() || !by_events()) by_steps();
    measure();
    result_.was_cut = !cut_.empty();
    if (options_.wants_effort) result_.effort = encoding_->solver().effort();
    if (!options_.dump_cnf.empty() && !encoding_->solver().write_dimacs(options_.dump_cnf))
      result_.reason += (result_.reason.empty() ? "" : "; ") + ("the clauses could not be written to " + options_.dump_cnf);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool takes_events() const {
    if (options_.at_once || options_.encoding == EncodingKind::step) return false;
    const auto ends = [](const Thread& t) { return longest_path(t).has_value(); };
    return options_.encoding == EncodingKind::event || std::ranges::all_of(system_.threads, ends);
  }

  template <class Kind>
  Kind& use(std::unique_ptr<Kind> encoding) {
    Kind& used = *encoding;
    encoding_ = std::move(encoding);
    if (options_.on_progress) encoding_->solver().set_watcher([this] { tell(); });
    return used;
  }

  // False: there would be too many clauses.
  bool by_events() {
    result_.encoding = EncodingKind::event;
    std::size_t longest = 0;
    bool has_cycle = false;
    for (const Thread& t : system_.threads) {
      const auto length = longest_path(t);
      has_cycle |= !length;
      longest = std::max(longest, length.value_or(0));
    }
    for (std::size_t most = has_cycle ? kFirstEvents : longest;; most *= 2) {
      const bool is_last = has_cycle && most >= options_.bound;
      if (is_last) most = options_.bound;
      Events& events = use(std::make_unique<Events>(
          system_, EventLimits{most, options_.encoding == EncodingKind::event ? ~0ull : kMostClauses}, setup_));
      if (events.is_too_large()) return false;
      result_.depth = events.count();
      tell();
      cut_.clear();
      unsupported_.clear();
      if (!look_at_state()) return true;
      const std::optional<bool> more = is_possible(events.goes_on());
      if (!more) return time_is_up(), true;
      if (!*more) return conclude(), true;
      if (!is_last) continue;
      stop_at_bound("executions with more than " + std::to_string(options_.bound) + " transitions of one thread");
      return true;
    }
  }

  void by_steps() {
    result_.encoding = EncodingKind::step;
    unrolling_ = &use(
        std::make_unique<Unrolling>(system_, options_.order, options_.at_once ? Stutters::at_end : Stutters::none, setup_));
    if (options_.at_once)
      all_at_once();
    else
      step_by_step();
  }

  void stop_at_bound(const std::string& executions) {
    result_.reason = executions + " were not looked at";
    if (!cut_.empty()) result_.reason += "; " + cut_;
    if (!unsupported_.empty()) unsupported();
  }

  std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    all = failing_checks(*encoding_);
    // What is left out is always looked for: else nothing would be verified.
    if (!options_.checks) std::erase_if(all, is_bug);
    if (options_.deadlocks) all.push_back(deadlock(*encoding_));
    if (options_.races)
      for (const Candidate& c : races(*encoding_)) all.push_back(c);
    if (options_.proposition) all.push_back(proposition(*encoding_, *options_.proposition));
    std::erase_if(all, [&](const Candidate& c) { return encoding_->gates().is_false(c.holds); });
    return all;
  }

  void measure() {
    if (unrolling_) result_.depth = unrolling_->depth();
    result_.variables = encoding_->solver().variables();
    result_.clauses = encoding_->solver().clauses();
    result_.conflicts = encoding_->solver().conflicts();
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
      const bool at_bound = unrolling_->depth() >= options_.bound;
      if (at_bound || unrolling_->depth() % 4 == 0) {
        const std::optional<bool> more = is_possible(encoding_->gates().any(encoding_->pending().enabled));
        if (!more) return time_is_up();
        if (!*more) return conclude();
      }
      if (at_bound) break;
      unrolling_->add_step();
      tell();
    }
    stop_at_bound("executions of more than " + std::to_string(options_.bound) + " transitions");
  }

  void all_at_once() {
    while (unrolling_->depth() < options_.bound) unrolling_->add_step();
    if (!look_at_state()) return;
    stop_at_bound("executions of more than " + std::to_string(options_.bound) + " transitions");
  }

  // Nothing if time is up.
  std::optional<bool> is_possible(Literal what) {
    if (encoding_->gates().is_false(what)) return false;
    const Answer answer = encoding_->solve(std::vector{what});
    if (answer == Answer::unknown) return std::nullopt;
    return answer == Answer::satisfiable;
  }

  // False if that ends the search.
  bool look_at_state() {
    std::vector<Literal> bugs;
    const std::vector<Candidate> all = candidates();
    for (const Candidate& c : all)
      if (is_bug(c)) bugs.push_back(c.holds);
    const Literal bad = encoding_->gates().any(std::move(bugs));
    if (!encoding_->gates().is_false(bad)) {
      const Answer answer = encoding_->solve(std::vector{bad});
      if (answer == Answer::unknown) return time_is_up(), false;
      if (answer == Answer::satisfiable) return report(all), false;
      encoding_->gates().require({-bad});
    }
    return look_for_limits(all);
  }

  // What is left out on some execution: a loop cut, something unsupported. Once found it is not asked for again.
  bool look_for_limits(const std::vector<Candidate>& all) {
    for (const Candidate& c : all) {
      if (is_bug(c)) continue;
      std::string& found = c.check->kind == FailureKind::unwinding ? cut_ : unsupported_;
      if (!found.empty()) continue;
      const Answer answer = encoding_->solve(std::vector{c.holds});
      if (answer == Answer::unknown) return time_is_up(), false;
      if (answer == Answer::satisfiable) found = place_of(*c.check);
    }
    return true;
  }

  void time_is_up() {
    result_.verdict = CheckVerdict::inconclusive;
    result_.reason = "time limit reached " + (unrolling_ ? "at depth " + std::to_string(unrolling_->depth())
                                                         : "with " + std::to_string(result_.depth) + " events");
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
                                  [&](const Candidate& c) { return is_bug(c) && encoding_->solver().value(c.holds); });
    CHECK(bad != all.end());
    Counterexample example = described(*bad);
    const auto take_model = [&] {
      example.inputs = encoding_->inputs_in_model();
      example.schedule = encoding_->schedule_in_model();
    };
    take_model();
    if (encoding_->shorten(bad->holds) == Answer::satisfiable) take_model();
    CHECK(happens(example, *bad), "the interpreter does not reach the state that the solver found");
    settle_uninitialised(example, *bad);
    result_.verdict = CheckVerdict::bug;
    result_.counterexample = std::move(example);
  }

  // What nobody has initialised is zero in the counterexample wherever that does as well: so it is when the program runs.
  void settle_uninitialised(Counterexample& example, const Candidate& bad) {
    std::vector<std::pair<std::size_t, const std::string*>> open;  // the input, and its name
    std::size_t input = 0;
    for (const Cell& cell : system_.cells) {
      if (!cell.is_input) continue;
      if (!cell.uninitialised.empty() && example.inputs[input] != 0) open.emplace_back(input, &cell.uninitialised);
      ++input;
    }
    const auto clear = [&](auto& self, std::size_t begin, std::size_t end) -> void {
      if (begin == end) return;
      const std::vector<std::uint64_t> kept = example.inputs;
      for (std::size_t n = begin; n < end; ++n) example.inputs[open[n].first] = 0;
      if (happens(example, bad)) return;
      example.inputs = kept;
      if (end - begin == 1) {
        if (std::ranges::find(example.uninitialised, *open[begin].second) == example.uninitialised.end())
          example.uninitialised.push_back(*open[begin].second);
        return;
      }
      const std::size_t middle = begin + (end - begin) / 2;
      self(self, begin, middle);
      self(self, middle, end);
    };
    clear(clear, 0, open.size());
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
  const SolverSetup setup_;
  std::unique_ptr<Encoding> encoding_;
  Unrolling* unrolling_ = nullptr;  // by steps, it
  CheckResult result_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now(), next_telling_ = began_;
  std::string cut_, unsupported_;  // what was left out, if reached
};

}  // namespace

CheckResult check(const System& system, const CheckOptions& options) { return Checker(system, options).run(); }

}  // namespace inspect::symbolic
