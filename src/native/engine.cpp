// The native engine: the program itself under a search, its bugs shown again, its verdict.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "compile/build.hpp"
#include "engine/engine.hpp"
#include "engine/known_bugs.hpp"
#include "native/allowance.hpp"
#include "native/bug.hpp"
#include "native/configuration.hpp"
#include "native/minimise.hpp"
#include "native/progress.hpp"
#include "native/summary.hpp"
#include "native/team.hpp"
#include "report/text.hpp"

namespace inspect::native {
namespace {

class NativeEngine final : public engine::Engine {
 public:
  NativeEngine(const engine::Options& options, engine::Listener& listener)
      : options_(options), listener_(listener), verdict_(verdict_frame(options)) {}

  std::optional<Error> prepare() override {
    if (auto error = check_races()) return error;
    auto known = engine::KnownBugs::read(options_.suppressions, options_.baseline);
    if (!known) return known.failure();
    known_ = std::move(*known);
    auto team = Team::create(options_, listener_);
    if (!team) return team.failure();
    team_ = std::move(*team);
    if (const std::string alone = needs_one_worker(options_); team_ && !alone.empty())
      return Error{alone + " explores by one worker: it goes with neither -j, --mpi, --checkpoint nor --resume"};
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> compiler_flags() const override {
    std::vector<std::string> flags;
    if (!needs_states(options_).empty()) flags.emplace_back("--inspect-states");
    if (!needs_code(options_).empty()) flags.emplace_back("--inspect-code");
    return flags;
  }

  [[nodiscard]] Verdict frame() const override { return verdict_frame(options_); }

  Result<engine::Checked> check(compile::Target target) override {
    if (auto error = check_target(target)) return *error;
    search::Options search = search_options(options_);
    allowance_.emplace(search.time_limit, verdict_.limits.memory_limit.value_or(default_memory_limit()), options_.workers);
    search.must_end = [this] { return allowance_->between(); };
    if (known_.any() && !search.keep_going) {
      stops_at_first_ = verdict_.races == "stop";
      search.keep_going = true;
      search.enough = [this](const search::Outcome& outcome) { return has_new_bug(outcome); };
    }
    if (team_) {
      const auto open = [&] { return open_worker(target); };
      if (auto started = team_->start(target, open, search); !started) return started.failure();
      if (team_->ended()) return engine::Checked{.worker = team_->ended()};
    }
    auto session = open_session(std::move(target), options_.arguments, configuration_of(options_), crowded(),
                                team_ ? Opening::team : Opening::check, stop_hook());
    if (!session && session.failure().of_system) return session.failure();
    if (!session && allowance_->ended()) return conclude({.left_out = {session.error()}});
    if (!session) return conclude({.unsupported = {session.error()}});
    session_ = std::move(*session);
    auto explored = explore(search);
    if (!explored) return explored.failure();
    explored->notes.races_ignored = verdict_.races == "ignore";
    Findings findings = findings_of(explored->outcome, explored->notes, *session_->names);
    findings.bug = report_bugs(explored->outcome, explored->notes, findings);
    if (refuted_ && !findings.bug) return *refuted_;
    if (auto unfit = unfit_inputs(findings); unfit && !findings.bug) return *unfit;
    add_measurements(verdict_, explored->outcome, explored->notes);
    verdict_.peak_memory_bytes = explored->peak_memory_bytes;
    verdict_.workers = explored->workers;
    add_assumptions_of_known_bugs(explored->notes);
    return conclude(findings);
  }

 private:
  // Refuses searches that cannot go on after a data race.
  [[nodiscard]] std::optional<Error> check_races() const {
    if (!races_go_on(options_)) return std::nullopt;
    if (const std::string what = needs_code(options_); !what.empty())
      return Error{
          fmt::format("{} looks for data races alone: it goes with neither --races=report, --races=ignore, --suppressions nor "
                      "--baseline",
                      what)};
    if (const std::string what = needs_states(options_); !what.empty() && verdict_.visible == "sync")
      return Error{
          fmt::format("{} goes on behind data races (--races, --suppressions, --baseline) only with --visible=all", what)};
    return std::nullopt;
  }

  static std::string how_to_build(const char* flag) {
    return fmt::format(R"(build it with CC="{} {}", or CXX="{} {}")", compile::beside_executable("inspect-cc"), flag,
                       compile::beside_executable("inspect-c++"), flag);
  }

  [[nodiscard]] std::optional<Error> check_target(const compile::Target& target) const {
    if (!needs_states(options_).empty() && !target.states)
      return Error{fmt::format("{} does not tell its states; {}", target.name, how_to_build("--inspect-states"))};
    if (!needs_code(options_).empty() && !target.code)
      return Error{fmt::format("{} does not tell what its functions do; {}", target.name, how_to_build("--inspect-code"))};
    return std::nullopt;
  }

  [[nodiscard]] bool crowded() const { return team_ && team_->crowded(); }

  // Limits hold in the middle of an execution too, and while the program starts.
  process::StopHook stop_hook() {
    return [this](const process::Executor& executor) { return allowance_->within(executor); };
  }

  // For another worker. The folder of what inspect compiled belongs to the first.
  [[nodiscard]] Result<Session> open_worker(const compile::Target& target) {
    allowance_->follow();
    compile::Target same{.executable = target.executable,
                         .name = target.name,
                         .recorded = target.recorded,
                         .build_id = target.build_id,
                         .base = target.base,
                         .sources = target.sources,
                         .cflags = target.cflags,
                         .folder = nullptr};
    auto session =
        open_session(std::move(same), options_.arguments, configuration_of(options_), crowded(), Opening::team, stop_hook());
    if (session) allowance_->watch(&session->program->executor());
    return session;
  }

  Result<TeamOutcome> explore(const search::Options& search) {
    Progress observer(options_.progress);
    allowance_->watch(&session_->program->executor());
    if (team_) return team_->explore(*session_, search, &observer);
    TeamOutcome out;
    out.outcome = search::explore(*session_->program, search, &observer);
    out.notes = notes_of(*session_);
    out.peak_memory_bytes = session_->program->executor().peak_memory_bytes();
    return out;
  }

  // Reproduces, records and prints each bug that counts, data races that did not end their executions first. Returns whether
  // any is left; one that does not happen again is a finding of its own.
  bool report_bugs(const search::Outcome& outcome, const RuntimeNotes& notes, Findings& findings) {
    allowance_->begin_showing();
    if (!notes.races_ignored)
      for (const auto& race : notes.races) report_bug(reproduce(*session_, race), outcome.executions, findings);
    for (const auto& found : outcome.bugs) report_bug(shortest(found), outcome.executions, findings);
    verdict_.notes = known_.notes();
    if (options_.minimise > 0 && !can_minimise(session_->configuration) && !verdict_.bugs.empty())
      verdict_.notes.emplace_back(
          "--minimise had no effect: schedules are made shorter only with --visible=sync, and where data races end an "
          "execution");
    return !verdict_.bugs.empty();
  }

  // The bug with its schedule made short; as it was found if the short one does not show the same bug.
  Result<ShownBug> shortest(const search::FoundBug& found) {
    auto shown = reproduce(*session_, found);
    if (!shown || options_.minimise <= 0) return shown;
    search::FoundBug shorter = found;
    shorter.schedule = minimised(*session_, found, options_.minimise);
    if (shorter.schedule == found.schedule) return shown;
    auto again = reproduce(*session_, shorter);
    const bool same = again && again->identity.fingerprint() == shown->identity.fingerprint();
    return same ? std::move(again) : std::move(shown);
  }

  void report_bug(Result<ShownBug> bug, std::uint64_t executions, Findings& findings) {
    if (!bug) return report_lost_bug(bug.error(), findings);
    bug->report.executions_before = std::min(bug->report.executions_before, executions);
    if (const auto why = known_.find(bug->identity)) return add_known(std::move(*bug), *why, findings);
    if (stops_at_first_ && !verdict_.bugs.empty()) return;
    bug->report.schedule = listener_.record(bug->schedule);
    listener_.show(bug->report, bug_text(*bug, session_->target, bug->report.schedule.value_or(""),
                                         {.width = options_.width, .all_frames = options_.all_frames}));
    if (options_.wants_pages) listener_.show_page(bug->report, bug_page(*bug, session_->target));
    verdict_.bugs.push_back(std::move(bug->report));
  }

  // A bug that did not happen again. If it came from a checkpoint, that is wrong.
  void report_lost_bug(const std::string& why, Findings& findings) {
    if (allowance_->ended()) return findings.left_out.push_back(why);
    findings.unsupported.push_back(why);
    if (!options_.resume.empty())
      refuted_ = Error{fmt::format("{}: the program does not do what it says: {}", options_.resume, why)};
  }

  void add_assumptions_of_known_bugs(const RuntimeNotes& notes) {
    if (verdict_.known_bugs.empty()) return;
    verdict_.assumptions.push_back(fmt::format("bugs known before do not count: {} met", verdict_.known_bugs.size()));
    if (!notes.races.empty()) verdict_.assumptions.emplace_back("known data races are taken for ordinary accesses");
  }

  void add_known(ShownBug bug, const std::string& why, Findings& findings) {
    known_.count(bug.identity);
    bug.report.known = why;
    // Known data races do not end an execution: configuration_of().
    if (goes_on_behind(bug.report.kind) && bug.report.kind != INSPECT_BUG_DATA_RACE)
      findings.left_out.push_back(
          fmt::format("what follows a known bug in its execution was not covered: {}", report::bug_line(bug.report)));
    verdict_.known_bugs.push_back(std::move(bug.report));
  }

  // Asked while the search goes on: is there a bug that is not known?
  bool has_new_bug(const search::Outcome& outcome) {
    const auto look = [&](const search::FoundBug& what, const auto& bug) {
      const auto sites = std::minmax(what.site, what.other_site);
      if (new_bug_ || !looked_at_.emplace(what.detail, sites.first, sites.second, what.message).second) return;
      const auto shown = reproduce(*session_, bug);
      new_bug_ = !shown || !known_.find(shown->identity);
    };
    if (verdict_.races == "stop")
      for (const auto& race : session_->program->races()) look(race.bug, race);
    for (const auto& bug : outcome.bugs) look(bug, bug);
    return new_bug_;
  }

  // No value of --nondet fits an input's type: a mistake in the option, not in the program.
  [[nodiscard]] std::optional<Error> unfit_inputs(const Findings& findings) const {
    for (const auto& why : findings.unsupported)
      if (why.find("none of the values of --nondet fits its type") != std::string::npos)
        return Error{fmt::format("--nondet: {}: list at least one that does", why)};
    return std::nullopt;
  }

  Result<engine::Checked> conclude(const Findings& findings) {
    const Judgement judgement = judge(findings);
    verdict_.kind = judgement.kind;
    verdict_.reason = judgement.reason;
    return engine::Checked{.verdict = std::move(verdict_)};
  }

  const engine::Options& options_;
  engine::Listener& listener_;
  engine::KnownBugs known_;
  bool stops_at_first_ = false;  // at the first new bug, although known ones do not end the search
  bool new_bug_ = false;
  std::optional<Error> refuted_;  // a bug that did not happen again, of a search that went on from a checkpoint
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>> looked_at_;  // kind, places, message
  Verdict verdict_;
  std::optional<Session> session_;
  std::optional<Allowance> allowance_;
  std::unique_ptr<Team> team_;
};

}  // namespace
}  // namespace inspect::native

std::unique_ptr<inspect::engine::Engine> inspect::engine::make_native(const Options& options, Listener& listener) {
  return std::make_unique<native::NativeEngine>(options, listener);
}
