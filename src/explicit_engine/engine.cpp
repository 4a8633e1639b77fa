// The explicit engine: each state of the program once, its bugs shown again by the native engine.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compile/build.hpp"
#include "engine/engine.hpp"
#include "explicit_engine/search.hpp"
#include "explicit_engine/temporal.hpp"
#include "native/allowance.hpp"
#include "native/bug.hpp"
#include "native/configuration.hpp"
#include "native/progress.hpp"
#include "native/summary.hpp"

namespace inspect::explicit_engine {
namespace {

constexpr std::uint64_t kDefaultMaxStates = 50'000'000;

std::string progress_text(const Explored& e) {
  const search::Outcome& o = e.outcome;
  const double rate = o.seconds > 0 ? static_cast<double>(o.transitions) / o.seconds : 0;
  return fmt::format("{} states, {} transitions, {:.0f}/s, depth {}, {} MB, {:.0f} s", o.states.value_or(0), o.transitions,
                     rate, o.max_depth, (e.visited_bytes + e.graph.bytes()) >> 20, o.seconds);
}

const char* text_of(inspect_no_identity why) {
  switch (why) {
    case INSPECT_NO_IDENTITY_LOOP:
      return "a thread waits in a loop that a plain variable or the clock ends";
    case INSPECT_NO_IDENTITY_FILES:
      return "files are open, or signals are used";
    case INSPECT_NO_IDENTITY_OPERATION:
      return "a thread is in the middle of a call that is not described";
    case INSPECT_NO_IDENTITY_LENGTH:
      return "a description is longer than a megabyte, or its memory is changed in too many places";
    case INSPECT_NO_IDENTITY_FRAMES:
      return "a function that is active does not say all that is alive in it";
    case INSPECT_HAS_IDENTITY:
    case INSPECT_NO_IDENTITY_END:
    case INSPECT_NO_IDENTITY_COUNT:
      break;
  }
  return nullptr;
}

// Of --thread-symmetry.
std::uint32_t sorting(const std::string& how) {
  if (how == "pc") return INSPECT_REQUEST_SORTED_BY_PLACE;
  if (how == "local") return INSPECT_REQUEST_SORTED_BY_STATE;
  return how == "exact" ? INSPECT_REQUEST_SORTED_EXACTLY : 0;
}

class ExplicitEngine final : public engine::Engine {
 public:
  ExplicitEngine(const engine::Options& options, engine::Listener& listener)
      : options_(options), native_options_(options), listener_(listener) {
    native_options_.visible = options.visible.value_or("all");
    verdict_ = frame();
  }

  std::optional<Error> prepare() override {
    if (const std::string what = refused(); !what.empty()) return Error{"--engine=explicit does not go with " + what};
    if (!options_.ltl) return std::nullopt;
    auto property = TemporalProperty::of(*options_.ltl, options_.weak_fairness);
    if (!property) return property.failure();
    property_ = std::move(*property);
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> compiler_flags() const override { return {"--inspect-states"}; }

  [[nodiscard]] Verdict frame() const override {
    Verdict verdict = native::verdict_frame(native_options_);
    verdict.engine = "explicit";
    verdict.algorithm = "depth-first";
    verdict.formula = options_.ltl;
    verdict.weak_fairness = options_.weak_fairness;
    return verdict;
  }

  Result<engine::Checked> check(compile::Target target) override {
    if (!target.states)
      return Error{
          fmt::format(R"({} does not tell its states; build it with CC="{} --inspect-states", or CXX="{} --inspect-states")",
                      target.name, compile::beside_executable("inspect-cc"), compile::beside_executable("inspect-c++"))};
    allowance_.emplace(verdict_.limits.time_limit.value_or(0), options_.memory_limit.value_or(native::default_memory_limit()),
                       1);
    inspect_configuration configuration = native::configuration_of(native_options_);
    if (property_) {
      const auto conditions = property_->find_conditions(target);
      if (!conditions) return conditions.failure();
      std::ranges::copy(*conditions, configuration.conditions);
      configuration.condition_count = static_cast<std::uint32_t>(conditions->size());
    }
    auto session = native::open_session(std::move(target), options_.arguments, configuration, false, native::Opening::states,
                                        [this](const process::Executor& executor) { return allowance_->within(executor); });
    if (!session && session.failure().of_system) return session.failure();
    if (!session && allowance_->ended()) return conclude({.left_out = {session.error()}});
    if (!session) return conclude({.unsupported = {session.error()}});
    session_ = std::move(*session);
    const Explored explored = run();
    const native::RuntimeNotes notes = native::notes_of(*session_);
    search::Outcome outcome = explored.outcome;
    outcome.redundant = 0;  // a path may end in a known state though no execution has an end
    Findings findings = native::findings_of(outcome, notes, *session_->names);
    outcome.redundant = explored.outcome.redundant;
    findings.bug = report_bugs(explored, findings);
    if (property_)
      if (auto error = judge_property(explored, findings)) return *error;
    describe(explored);
    native::add_measurements(verdict_, outcome, notes);
    verdict_.peak_memory_bytes = session_->program->executor().peak_memory_bytes();
    return conclude(findings);
  }

 private:
  // The value of an option that other values of it may have here; empty if there is none.
  [[nodiscard]] std::string refused() const {
    const std::pair<bool, const char*> table[] = {
        {options_.algorithm != "auto", "--algorithm"},
        {options_.races != "stop", "--races"},
        {options_.workers > 1, "-j"},
    };
    const auto* const row = std::ranges::find_if(table, [](const auto& r) { return r.first; });
    return row == std::end(table) ? "" : row->second;
  }

  [[nodiscard]] bool reduces() const { return options_.thread_symmetry != "off" || options_.independence != "none"; }

  Explored run() {
    native::ProgressLine line(options_.progress);
    SearchOptions search;
    search.max_states = options_.max_states.value_or(kDefaultMaxStates);
    search.time_limit = verdict_.limits.time_limit.value_or(0);
    search.keep_going = options_.keep_going;
    search.labels = property_.has_value();
    // With a formula states are told apart by addresses too: a cycle must lead back to the very state in which it began.
    if (!property_) {
      if (options_.heap == "canonical") search.state_flags |= INSPECT_REQUEST_CANONICAL;
      search.without_trades = sorting(options_.thread_symmetry);
      search.state_flags |= search.without_trades;
    }
    if (options_.independence != "none") search.state_flags |= INSPECT_REQUEST_INDEPENDENCE;
    search.without_addresses = search.state_flags;
    search.descriptions = options_.visited == "exact";
    if (search.descriptions) search.state_flags |= INSPECT_REQUEST_EXACT;
    search.allocations_commute = options_.independence == "symmetric";
    search.race_pairs = verdict_.visible == "all";
    search.must_end = [this] { return allowance_->between(); };
    search.on_progress = [&](const Explored& explored) {
      if (line.due()) line.show(progress_text(explored));
    };
    allowance_->watch(&session_->program->executor());
    return explore(*session_->program, search);
  }

  bool report_bugs(const Explored& explored, Findings& findings) {
    allowance_->begin_showing();
    for (std::size_t i = 0; i < explored.outcome.bugs.size(); ++i) {
      search::FoundBug found = explored.outcome.bugs[i];
      auto shown = native::reproduce(*session_, found, {.all_turns = true});
      if (!shown) {
        found.schedule = explored.as_found[i];
        shown = native::reproduce(*session_, found, {.all_turns = true});
      }
      if (!shown) {
        (allowance_->ended() ? findings.left_out : findings.unsupported).push_back(shown.error());
        continue;
      }
      shown->schedule.options.emplace_back("--engine=explicit");
      shown->report.executions_before = found.executions_before;
      report_bug(*std::move(shown));
    }
    return !verdict_.bugs.empty();
  }

  void report_bug(native::ShownBug shown) {
    shown.report.schedule = listener_.record(shown.schedule);
    listener_.show(shown.report, native::bug_text(shown, session_->target, shown.report.schedule.value_or(""),
                                                  {.width = options_.width, .all_frames = options_.all_frames}));
    if (options_.wants_pages) listener_.show_page(shown.report, native::bug_page(shown, session_->target));
    verdict_.bugs.push_back(std::move(shown.report));
  }

  // Error: a name of the formula turned out to be none of the program's.
  std::optional<Error> judge_property(const Explored& explored, Findings& findings) {
    // Where the search ended at a bug, transitions are missing.
    if (findings.bug && !options_.keep_going) return std::nullopt;
    const inspect_channel& channel = session_->channel();
    const auto judged = property_->judge(explored, {channel.initial_valuation, channel.conditions_set, channel.time_used != 0});
    if (!judged) return judged.failure();
    const PropertyFinding& found = *judged;
    findings.left_out.insert(findings.left_out.end(), found.left_out.begin(), found.left_out.end());
    verdict_.notes.insert(verdict_.notes.end(), found.notes.begin(), found.notes.end());
    if (!found.violation) return std::nullopt;
    search::FoundBug bug;
    bug.detail = INSPECT_BUG_TEMPORAL;
    bug.message = found.message;
    bug.schedule = found.violation->schedule;
    bug.executions_before = explored.outcome.executions;
    auto shown = native::reproduce(*session_, bug, {.all_turns = true, .cycle = found.violation->cycle});
    if (!shown) {
      (allowance_->ended() ? findings.left_out : findings.unsupported).push_back(shown.error());
      return std::nullopt;
    }
    shown->schedule.options.emplace_back("--engine=explicit");
    report_bug(*std::move(shown));
    findings.bug = true;
    return std::nullopt;
  }

  void describe(const Explored& explored) {
    const std::uint32_t flags = explored.state_flags;
    verdict_.exploration = Exploration{
        .visited_bytes = explored.visited_bytes,
        .visited = options_.visited,
        .heap = flags & INSPECT_REQUEST_CANONICAL ? "canonical" : "next-free",
        .thread_symmetry = flags & sorting(options_.thread_symmetry) ? options_.thread_symmetry : "off",
        .independence = flags & INSPECT_REQUEST_INDEPENDENCE ? options_.independence : "none",
        .moved_threads = explored.moved_threads,
        .reduced_states = explored.reduced_states,
        .left_out = explored.left_out,
    };
    if (explored.endless)
      verdict_.notes.push_back(fmt::format("{} of states {} never left: the program need not end",
                                           explored.endless == 1 ? "a group" : fmt::format("{} groups", explored.endless),
                                           explored.endless == 1 ? "is" : "are"));
    if (explored.addresses_used)
      verdict_.notes.push_back("the program uses an address as a number: heap objects are known by their addresses" +
                               std::string(reduces() ? ", no threads trade places, and no transition is left out" : ""));
    if (explored.threads_told_apart)
      verdict_.notes.emplace_back("threads are created by others than main, or asked for by others: none of them trade places");
    std::string why;
    for (unsigned i = 0; i < INSPECT_NO_IDENTITY_COUNT; ++i)
      if (const char* const text = explored.why_no_identity[i] ? text_of(static_cast<inspect_no_identity>(i)) : nullptr)
        why += (why.empty() ? "" : "; ") + std::string(text);
    if (!why.empty())
      verdict_.notes.push_back(fmt::format("{} states could not be told from others, so none of them was left out: {}",
                                           explored.without_identity, why));
  }

  Result<engine::Checked> conclude(const Findings& findings) {
    const Judgement judgement = judge(findings);
    verdict_.kind = judgement.kind;
    verdict_.reason = judgement.reason;
    return engine::Checked{.verdict = std::move(verdict_), .worker = std::nullopt};
  }

  const engine::Options& options_;
  engine::Options native_options_;
  engine::Listener& listener_;
  Verdict verdict_;
  std::optional<TemporalProperty> property_;
  std::optional<native::Session> session_;
  std::optional<native::Allowance> allowance_;
};

}  // namespace
}  // namespace inspect::explicit_engine

std::unique_ptr<inspect::engine::Engine> inspect::engine::make_explicit(const Options& options, Listener& listener) {
  return std::make_unique<explicit_engine::ExplicitEngine>(options, listener);
}
