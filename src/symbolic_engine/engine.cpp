// The symbolic engine: all inputs at once. inspect-symbolic decides, and a bug of its is one only when the native engine has
// met it too.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/interrupt.hpp"
#include "engine/engine.hpp"
#include "native/allowance.hpp"
#include "native/bug.hpp"
#include "native/configuration.hpp"
#include "native/progress.hpp"
#include "symbolic_engine/guide.hpp"
#include "symbolic_engine/inputs.hpp"
#include "symbolic_engine/solver_process.hpp"

namespace inspect::symbolic_engine {
namespace {

constexpr const char* kDefaultPor = "lex";

using Clock = std::chrono::steady_clock;

constexpr double kShowing = 20;  // seconds, for a bug to be met natively, whatever the time limit says

std::string progress_text(const SymbolicFigures& f) {
  return fmt::format("bound {}, depth {}, {} clauses, {} conflicts, {:.0f} s", f.bound, f.depth, f.clauses, f.conflicts,
                     f.seconds);
}

class SymbolicEngine final : public engine::Engine {
 public:
  SymbolicEngine(const engine::Options& options, engine::Listener& listener)
      : options_(options), listener_(listener), verdict_(frame()) {}

  std::optional<Error> prepare() override {
    if (const std::string what = refused(); !what.empty()) return Error{"--engine=symbolic does not go with " + what};
    auto solver = find_solver();
    if (!solver) return solver.failure();
    solver_ = std::move(*solver);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> compiler_flags() const override { return {"--inspect-bitcode"}; }

  [[nodiscard]] Verdict frame() const override {
    Verdict verdict;
    verdict.engine = "symbolic";
    verdict.algorithm = "bounded";
    verdict.visible = "all";
    verdict.races = options_.races;
    verdict.races_checked = options_.races != "ignore";
    verdict.limits.time_limit = options_.time_limit;
    verdict.limits.memory_limit = options_.memory_limit;
    verdict.limits.max_steps = options_.max_steps;
    verdict.threads = 0;
    verdict.symbolic =
        SymbolicRun{.bound = options_.bound.value_or(0), .encoding = encoding(), .solver = "cadical", .por = options_.por};
    return verdict;
  }

  Result<engine::Checked> check(compile::Target target) override {
    auto reply = question_to(target, std::nullopt);
    if (!reply) return reply.failure();
    verdict_.peak_memory_bytes = reply->peak_memory_bytes;
    if (!reply->answer) return left_out(reply->why_none);
    const SymbolicAnswer& answer = *reply->answer;
    if (!answer.transitions.empty()) listener_.print(answer.transitions);
    take_figures(answer);
    if (answer.verdict == "bug" && answer.bug)
      return answer.uninitialised.empty() ? show(answer, target) : show_with_zeros(answer, target);
    if (answer.verdict == "verified") return conclude({});
    if (answer.verdict == "unsupported") return conclude({.unsupported = {unsupported_text(answer.reason)}});
    return left_out(reason_text(answer));
  }

 private:
  // The value of an option that other values of it may have here; empty if there is none.
  [[nodiscard]] std::string refused() const {
    const std::pair<bool, const char*> table[] = {
        {options_.algorithm != "auto", "--algorithm"},
        {options_.races == "report", "--races=report"},
        {!options_.inputs.empty(), "--nondet: it takes every value"},
        {options_.workers > 1, "-j"},
        {!options_.arguments.empty(), "arguments of the program"},
    };
    const auto* const row = std::ranges::find_if(table, [](const auto& r) { return r.first; });
    return row == std::end(table) ? "" : row->second;
  }

  // `zeros_at`: what nobody initialises is zero; with that bound.
  Result<Reply> question_to(const compile::Target& target, std::optional<std::uint64_t> zeros_at) {
    Question question{.solver = solver_, .executable = target.executable, .options = {"--encoding=" + encoding()}};
    if (options_.por) question.options.push_back("--por=" + *options_.por);
    std::optional<std::uint64_t> bound = zeros_at;
    if (!bound && options_.bound) bound = *options_.bound;
    question.options.push_back(bound ? fmt::format("--unwind={}", *bound) : "--grow");
    if (zeros_at) question.options.emplace_back("--zero-uninitialised");
    if (options_.max_steps) question.options.push_back(fmt::format("--bound={}", *options_.max_steps));
    if (options_.races == "ignore") question.options.emplace_back("--no-races");
    if (options_.dump_transitions) question.options.emplace_back("--dump-transitions");
    if (!options_.dump_cnf.empty()) question.options.push_back("--dump-cnf=" + options_.dump_cnf);
    question.time_limit = options_.time_limit;
    question.memory_limit = options_.memory_limit.value_or(native::default_memory_limit());
    native::ProgressLine line(options_.progress);
    question.on_progress = [&](const SymbolicFigures& figures) {
      if (line.due()) line.show(progress_text(figures));
    };
    return ask(question);
  }

  // A scheduler constraint is one of steps.
  [[nodiscard]] std::string encoding() const { return options_.por ? "step" : options_.encoding; }

  void take_figures(const SymbolicAnswer& answer) {
    const SymbolicFigures& f = answer.figures;
    SymbolicRun& run = *verdict_.symbolic;
    run.bound = f.bound;
    if (!answer.encoding.empty()) run.encoding = answer.encoding;
    if (run.encoding == "step" && !run.por) run.por = kDefaultPor;
    run.variables = f.variables;
    run.clauses = f.clauses;
    run.conflicts = f.conflicts;
    run.inputs.clear();
    for (const SymbolicInput& i : answer.inputs) run.inputs.push_back({i.thread, i.name, i.source, text_of(i)});
    verdict_.transitions = verdict_.max_depth = f.depth;
    verdict_.threads = static_cast<unsigned>(f.threads);
    verdict_.assumptions = answer.assumptions;
  }

  static std::string unsupported_text(const std::string& reason) {
    return reason + " (the symbolic engine does not know it: --engine=native does, for one input)";
  }

  [[nodiscard]] std::string reason_text(const SymbolicAnswer& answer) const {
    if (answer.reason.find(" goes on after ") == std::string::npos && answer.reason.find(" calls itself ") == std::string::npos)
      return answer.reason;
    return fmt::format("{}: give --bound={} or more", answer.reason, 2 * answer.figures.bound);
  }

  // A bug that needs a value other than zero where nobody has initialised one: natively it is zero. Perhaps it goes wrong then,
  // too.
  Result<engine::Checked> show_with_zeros(const SymbolicAnswer& answer, const compile::Target& target) {
    auto reply = question_to(target, answer.figures.bound);
    if (!reply) return reply.failure();
    if (reply->answer && reply->answer->verdict == "bug" && reply->answer->bug) {
      take_figures(*reply->answer);
      return show(*reply->answer, target);
    }
    std::string names;
    for (const std::string& name : answer.uninitialised) names += (names.empty() ? "" : ", ") + name;
    return left_out(fmt::format("{}{}, if another value than zero stands in {}, which is read and was never initialised",
                                found_text(answer), inputs_in_brief(), names));
  }

  static std::string found_text(const SymbolicAnswer& answer) {
    return fmt::format("{}: {}{}{}", answer.bug->kind, answer.bug->message, answer.bug->source.empty() ? "" : " at ",
                       answer.bug->source);
  }

  // The bug, met by the native engine with the inputs that lead to it.
  Result<engine::Checked> show(const SymbolicAnswer& answer, const compile::Target& target) {
    const std::string found = found_text(answer);
    const auto inputs = InputList::of(answer.inputs);
    if (!inputs)
      return left_out(fmt::format("found {}, but its inputs cannot be given to the program: {}", found, inputs.error()));
    std::string why;
    auto shown = show_in(target, answer, *inputs, why);
    if (!shown) return shown.failure();
    if (*shown) return conclude({.bug = true});
    // What C leaves undefined the compiler may have made nothing of.
    if (!target.sources.empty() && !interrupted()) {
      std::vector<std::string> flags = target.cflags;
      flags.emplace_back("-O0");
      const auto plain = compile::make_target(target.sources, flags, true, target.base);
      std::string not_here;
      if (plain) shown = show_in(*plain, answer, *inputs, not_here);
      if (!shown) return shown.failure();
      if (*shown) return conclude({.bug = true});
    }
    return left_out(fmt::format(
        "the engines differ: the symbolic one found {}{}, and the native one, led along that schedule, did not "
        "meet it ({}){}",
        found, inputs_in_brief(), why,
        target.sources.empty() ? "; if it is undefined behaviour that the compiler has made nothing of, build with -O0"
                               : ", nor without optimisation"));
  }

  // Whether the native engine met the bug in that executable, and showed it; else why not.
  Result<bool> show_in(const compile::Target& target, const SymbolicAnswer& answer, const InputList& inputs, std::string& why) {
    for (const bool follows : {true, false}) {
      if (interrupted()) break;
      auto session = open(copy_of(target), inputs, follows);
      if (!session && session.failure().of_system) return session.failure();
      if (!session) {
        why = "the program cannot be run: " + session.error();
        return false;
      }
      auto bug = follows ? followed(*session, answer, inputs, why) : searched(*session);
      if (!bug) continue;
      auto shown = native::reproduce(*session, *bug);
      if (!shown) {
        why = shown.error();
        continue;
      }
      shown->report.executions_before = 0;
      shown->report.schedule = listener_.record(shown->schedule);
      listener_.show(shown->report, native::bug_text(*shown, session->target, shown->report.schedule.value_or(""),
                                                     {.width = options_.width, .all_frames = options_.all_frames}) +
                                        inputs_text());
      if (options_.wants_pages) listener_.show_page(shown->report, native::bug_page(*shown, session->target));
      verdict_.bugs.push_back(std::move(shown->report));
      return true;
    }
    return false;
  }

  [[nodiscard]] std::string inputs_text() const {
    std::string text;
    for (const InputValue& i : verdict_.symbolic->inputs)
      text +=
          fmt::format("input: {}{} = {}  (thread {})\n", i.name.empty() ? "" : i.name + " at ", i.location, i.value, i.thread);
    return text;
  }

  [[nodiscard]] std::string inputs_in_brief() const {
    std::string text;
    for (const InputValue& i : verdict_.symbolic->inputs)
      text += fmt::format("{}{} = {}", text.empty() ? " with " : ", ", i.name.empty() ? i.location : i.name, i.value);
    return text;
  }

  // The folder stays with the first.
  static compile::Target copy_of(const compile::Target& target) {
    return {.executable = target.executable,
            .name = target.name,
            .recorded = target.recorded,
            .build_id = target.build_id,
            .base = target.base,
            .sources = target.sources,
            .cflags = target.cflags,
            .folder = nullptr};
  }

  Result<native::Session> open(compile::Target target, const InputList& inputs, bool follows) {
    native_options_ = options_;
    native_options_.inputs = inputs.ranges();
    native_options_.max_steps = std::nullopt;
    native_options_.visible = follows || options_.races == "ignore" ? "all" : "sync";
    allowance_.emplace(kShowing, options_.memory_limit.value_or(native::default_memory_limit()), 1);
    return native::open_session(std::move(target), {}, native::configuration_of(native_options_), false, native::Opening::check,
                                [this](const process::Executor& executor) { return allowance_->within(executor); });
  }

  static std::optional<search::FoundBug> followed(native::Session& session, const SymbolicAnswer& answer,
                                                  const InputList& inputs, std::string& why) {
    Guided guided = follow(session, answer, inputs);
    why = guided.why_none;
    return std::move(guided.bug);
  }

  // With those inputs, every schedule.
  std::optional<search::FoundBug> searched(native::Session& session) {
    search::Options search = native::search_options(native_options_);
    search.time_limit = kShowing;
    search.must_end = [this] { return allowance_->between(); };
    allowance_->watch(&session.program->executor());
    search::Outcome outcome = search::explore(*session.program, search);
    allowance_->begin_showing();
    return outcome.bugs.empty() ? std::nullopt : std::optional(std::move(outcome.bugs.front()));
  }

  Result<engine::Checked> left_out(const std::string& why) { return conclude({.left_out = {why}}); }

  Result<engine::Checked> conclude(const Findings& findings) {
    const Judgement judgement = judge(findings);
    verdict_.kind = judgement.kind;
    verdict_.reason = judgement.reason;
    verdict_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    return engine::Checked{.verdict = std::move(verdict_)};
  }

  const engine::Options& options_;
  engine::Listener& listener_;
  Verdict verdict_;
  std::string solver_;
  engine::Options native_options_;
  std::optional<native::Allowance> allowance_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace
}  // namespace inspect::symbolic_engine

std::unique_ptr<inspect::engine::Engine> inspect::engine::make_symbolic(const Options& options, Listener& listener) {
  return std::make_unique<symbolic_engine::SymbolicEngine>(options, listener);
}
