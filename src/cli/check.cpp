// inspect check: compile if needed, explore, judge, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/interrupt.hpp"
#include "cli/allowance.hpp"
#include "cli/bug.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/coverage.hpp"
#include "cli/progress.hpp"
#include "cli/summary.hpp"
#include "cli/team.hpp"
#include "compile/build.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

// "bug.schedule" for the first bug, "bug.2.schedule" and on for further ones.
std::string schedule_path(const std::string& first, std::size_t number) {
  if (number == 1) return first;
  constexpr std::string_view suffix = ".schedule";
  const std::string stem = first.ends_with(suffix) ? first.substr(0, first.size() - suffix.size()) : first;
  return fmt::format("{}.{}{}", stem, number, suffix);
}

class CheckCommand {
 public:
  explicit CheckCommand(const CommandLine& line)
      : line_(line),
        json_(line.text("json").value_or("")),
        schedule_(line.text("schedule").value_or("inspect-bug.schedule")),
        quiet_(line.flag("quiet")),
        console_(json_ == "-"),
        verdict_(verdict_frame(line)) {}

  int run() {
    if (auto error = check_files()) return refuse(*error);
    if (auto error = check_races()) return refuse(*error);
    auto known = KnownBugs::read(line_.text("suppressions").value_or(""), line_.text("baseline").value_or(""));
    if (!known) return refuse(Error{known.error()});
    known_ = std::move(*known);
    auto team = Team::create(line_);
    if (!team) return refuse(Error{team.error()});
    const bool states = needs_states(line_), code = needs_code(line_);
    if (states && *team)
      return refuse(
          Error{"sdpor and symmetry explore by one worker: they go with neither -j, --mpi, --checkpoint nor --resume"});
    if (code && *team)
      return refuse(Error{"pdp explores by one worker: it goes with neither -j, --mpi, --checkpoint nor --resume"});
    auto flags = line_.words("cflags");
    if (states && !line_.targets.empty() && compile::source_language(line_.targets[0])) flags.emplace_back("--inspect-states");
    if (code && !line_.targets.empty() && compile::source_language(line_.targets[0])) flags.emplace_back("--inspect-code");
    auto target = compile::make_target(line_.targets, flags, quiet_);
    if (interrupted()) return finish({.left_out = {why_interrupted()}});
    if (!target) return refuse(Error{target.error()});
    if (states && !target->states)
      return refuse(Error{fmt::format("{} does not tell its states; build it with CC=\"{} --inspect-states\"", target->name,
                                      compile::beside_executable("inspect-cc"))});
    if (code && !target->code)
      return refuse(Error{fmt::format("{} does not tell what its functions do; build it with CC=\"{} --inspect-code\"",
                                      target->name, compile::beside_executable("inspect-cc"))});
    name_ = target->name;
    search::Options options = search_options();
    allowance_.emplace(options.time_limit, verdict_.limits.memory_limit.value_or(default_memory_limit()),
                       static_cast<unsigned>(line_.count("j").value_or(1)));
    options.must_end = [this] { return allowance_->between(); };
    if (known_.any() && !options.keep_going) {
      stops_at_first_ = verdict_.races == "stop";
      options.keep_going = true;
      options.enough = [this](const search::Outcome& outcome) { return has_new_bug(outcome); };
    }
    if (*team) {
      const auto open = [&] { return open_worker(*target, (*team)->crowded()); };
      if (auto started = (*team)->start(line_, *target, open, options); !started) return refuse(Error{started.error()});
      if ((*team)->ended()) return *(*team)->ended();
    }
    auto session = open_session(std::move(*target), line_.arguments, configuration_of(line_), *team && (*team)->crowded(),
                                *team ? Opening::team : Opening::check, stop_hook());
    if (!session && session.failure().of_system) return refuse(session.failure());
    if (!session && allowance_->ended()) return finish({.left_out = {session.error()}});
    if (!session) return finish({.unsupported = {session.error()}});
    session_ = std::move(*session);
    auto explored = explore(team->get(), options);
    if (!explored) return refuse(Error{explored.error()});
    explored->notes.races_ignored = verdict_.races == "ignore";
    Findings findings = findings_of(explored->outcome, explored->notes, *session_->names);
    findings.bug = report_bugs(explored->outcome, explored->notes, findings);
    if (refuted_ && !findings.bug) return refuse(*refuted_);
    add_measurements(verdict_, explored->outcome, explored->notes);
    verdict_.peak_memory_bytes = explored->peak_memory_bytes;
    verdict_.workers = explored->workers;
    add_assumptions_of_known_bugs(explored->notes);
    return finish(findings);
  }

 private:
  static int refuse(const Error& error) {
    Console::error(error.message);
    return static_cast<int>(ExitStatus::usage);
  }

  // What would fail at the end is refused at the beginning.
  [[nodiscard]] std::optional<Error> check_files() const {
    if (!json_.empty() && json_ != "-") {
      if (fs::path(json_).lexically_normal() == fs::path(schedule_).lexically_normal())
        return Error{fmt::format("--json and --schedule name the same file, {}", json_)};
      if (auto error = probe_writable(json_)) return error;
    }
    if (!json_.empty() && line_.text("baseline") == json_)
      return Error{
          fmt::format("--json would replace the baseline, {}: every new bug would be a known one the next time", json_)};
    return probe_writable(schedule_);
  }

  // Which searches can go on behind a data race.
  [[nodiscard]] std::optional<Error> check_races() const {
    if (!races_go_on(line_)) return std::nullopt;
    if (needs_code(line_))
      return Error{
          "pdp looks for data races alone: it goes with neither --races=report, --races=ignore, --suppressions nor --baseline"};
    if (needs_states(line_) && verdict_.visible == "sync")
      return Error{"sdpor and symmetry go on behind data races (--races, --suppressions, --baseline) only with --visible=all"};
    return std::nullopt;
  }

  [[nodiscard]] search::Options search_options() const {
    search::Options options;
    options.algorithm = verdict_.algorithm;
    options.max_executions = verdict_.limits.max_executions.value_or(0);
    options.time_limit = verdict_.limits.time_limit.value_or(0);
    options.symmetry = line_.flag("symmetry");
    options.max_states = line_.count("max-states").value_or(kDefaultMaxStates);
    options.preemptions = verdict_.limits.preemptions;
    options.keep_going = line_.flag("keep-going");
    options.seed = verdict_.seed;
    options.pct_depth = static_cast<unsigned>(line_.count("pct-depth").value_or(options.pct_depth));
    return options;
  }

  // Limits hold in the middle of an execution too, and while the program starts.
  process::StopHook stop_hook() {
    return [this](const process::Executor& executor) { return allowance_->within(executor); };
  }

  // Another worker's: what inspect compiled stays the first's.
  [[nodiscard]] Result<Session> open_worker(const compile::Target& target, bool crowded) {
    allowance_->follow();
    compile::Target same{.executable = target.executable,
                         .name = target.name,
                         .recorded = target.recorded,
                         .build_id = target.build_id,
                         .base = target.base,
                         .sources = target.sources,
                         .cflags = target.cflags,
                         .folder = nullptr};
    auto session = open_session(std::move(same), line_.arguments, configuration_of(line_), crowded, Opening::team, stop_hook());
    if (session) allowance_->watch(&session->program->executor());
    return session;
  }

  Result<TeamOutcome> explore(Team* team, const search::Options& options) {
    const std::string progress = line_.text("progress").value_or("auto");
    Progress observer(progress == "on" || (progress == "auto" && !quiet_));
    allowance_->watch(&session_->program->executor());
    if (team) {
      return team->explore(*session_, options, &observer);
    }
    TeamOutcome out;
    out.outcome = search::explore(*session_->program, options, &observer);
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
    for (const auto& found : outcome.bugs) report_bug(reproduce(*session_, found), outcome.executions, findings);
    verdict_.notes = known_.notes();
    return !verdict_.bugs.empty();
  }

  void report_bug(Result<ShownBug> bug, std::uint64_t executions, Findings& findings) {
    if (!bug) return report_lost_bug(bug.error(), findings);
    bug->report.executions_before = std::min(bug->report.executions_before, executions);
    if (const auto why = known_.find(bug->identity)) return add_known(std::move(*bug), *why, findings);
    if (stops_at_first_ && !verdict_.bugs.empty()) return;
    const std::string path = schedule_path(schedule_, verdict_.bugs.size() + 1);
    const auto failed = write_file(path, format_schedule(bug->schedule));
    if (failed) {
      lost_schedule_ = true;
      Console::error(failed->message);
    } else {
      bug->report.schedule = path;
    }
    if (!quiet_)
      console_.print(report::bug_line(bug->report) + "\n\n" + bug_text(*bug, session_->target, failed ? "" : path) + '\n');
    verdict_.bugs.push_back(std::move(bug->report));
  }

  // A checkpoint may tell of a bug that never was.
  void report_lost_bug(const std::string& why, Findings& findings) {
    if (allowance_->ended()) return findings.left_out.push_back(why);
    findings.unsupported.push_back(why);
    if (const auto resumed = line_.text("resume"))
      refuted_ = Error{fmt::format("{}: the program does not do what it says: {}", *resumed, why)};
  }

  void add_assumptions_of_known_bugs(const RuntimeNotes& notes) {
    if (verdict_.known_bugs.empty()) return;
    verdict_.assumptions.push_back(fmt::format("bugs known before do not count: {} met", verdict_.known_bugs.size()));
    if (!notes.races.empty()) verdict_.assumptions.emplace_back("known data races are taken for ordinary accesses");
  }

  void add_known(ShownBug bug, const std::string& why, Findings& findings) {
    known_.count(bug.identity);
    bug.report.known = why;
    // The program would have gone on.
    if (bug.report.kind == INSPECT_BUG_MEMORY_ERROR || bug.report.kind == INSPECT_BUG_API_MISUSE)
      findings.left_out.push_back(
          fmt::format("what follows a known bug in its execution was not covered: {}", report::bug_line(bug.report)));
    verdict_.known_bugs.push_back(std::move(bug.report));
  }

  // While a search goes on: is there a bug that ends it?
  bool has_new_bug(const search::Outcome& outcome) {
    const auto look = [&](const search::FoundBug& what, const auto& bug) {
      const auto sites = std::minmax(what.site, what.other_site);
      if (new_bug_ || !looked_at_.emplace(what.kind, sites.first, sites.second, what.message).second) return;
      const auto shown = reproduce(*session_, bug);
      new_bug_ = !shown || !known_.find(shown->identity);
    };
    if (verdict_.races == "stop")
      for (const auto& race : session_->program->races()) look(race.bug, race);
    for (const auto& bug : outcome.bugs) look(bug, bug);
    return new_bug_;
  }

  int finish(const Findings& findings) {
    const Judgement judgement = judge(findings);
    verdict_.kind = judgement.kind;
    verdict_.reason = judgement.reason;
    const std::string name = name_.empty() ? fmt::format("{}", fmt::join(line_.targets, " ")) : name_;
    console_.print(report::verdict_text(verdict_, name, quiet_));
    if (!json_.empty()) console_.write_result(json_, report::verdict_json(verdict_));
    return console_.exit_status(lost_schedule_ ? ExitStatus::usage : exit_status_of(verdict_.kind));
  }

  const CommandLine& line_;
  std::string json_, schedule_, name_;
  bool quiet_, lost_schedule_ = false;
  KnownBugs known_;
  bool stops_at_first_ = false;  // though known bugs do not end the search
  bool new_bug_ = false;
  std::optional<Error> refuted_;  // a bug that did not happen again, of a search that went on from a checkpoint
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string>> looked_at_;  // kind, places, message
  Console console_;
  Verdict verdict_;
  std::optional<Session> session_;
  std::optional<Allowance> allowance_;
};

}  // namespace

int run_check(const CommandLine& line) { return line.flag("coverage-list") ? list_coverage() : CheckCommand(line).run(); }

}  // namespace inspect::cli
