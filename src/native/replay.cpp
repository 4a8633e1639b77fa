#include "native/replay.hpp"

#include <fmt/format.h>

#include "model/inputs.hpp"
#include "native/allowance.hpp"
#include "native/bug.hpp"
#include "native/decisive.hpp"
#include "native/rerun.hpp"
#include "native/summary.hpp"
#include "report/action.hpp"

namespace inspect::native {
namespace {

// Describes the first step that is not as recorded; empty if there is none. A run that goes on after all recorded steps has
// followed them.
std::string divergence(const ScheduleFile& file, const Execution& execution, const report::Names& names) {
  const auto steps = report::steps_of(execution.events, names);
  const auto different = first_difference(file.steps, steps);
  const std::size_t i = different.value_or(steps.size());
  const bool diverged = execution.end == EndKind::diverged;
  if ((!different || i >= file.steps.size()) && !diverged) return {};
  const std::string recorded = i < file.steps.size() ? format_step(file.steps[i]) : "the end";
  const std::string why = execution.message.empty() ? "" : " (" + execution.message + ")";
  return fmt::format("step {}: recorded {}, now {}", i + 1, recorded,
                     i < steps.size() ? format_step(steps[i]) : "the end" + why);
}

// Why a run that followed the whole schedule is not the recorded bug; empty if it is.
std::string other_end(const ScheduleFile& file, const ShownBug* bug, const Execution& execution, bool all_turns) {
  if (!bug)
    return fmt::format("the run ended without the recorded bug ({}){}", file.bug.kind,
                       execution.message.empty() ? "" : ": " + execution.message);
  const RecordedBug& now = bug->schedule.bug;
  // The last turn of a cycle may end at another place of the code.
  const bool same = file.cycle ? now.kind == file.bug.kind && now.message == file.bug.message : now == file.bug;
  if (!same)
    return fmt::format("another bug than the recorded one ({}: {} at {}): {}: {} at {}", file.bug.kind, file.bug.message,
                       file.bug.place, bug->schedule.bug.kind, bug->schedule.bug.message, bug->schedule.bug.place);
  // A livelock may be shown by other turns.
  if (execution.events.size() > file.steps.size() && !(all_turns && bug->report.kind == INSPECT_BUG_LIVELOCK))
    return fmt::format("the bug came only after {} more steps", execution.events.size() - file.steps.size());
  return {};
}

// Did the run violate a temporal formula? Then the bug's message comes from the schedule, which names the formula.
bool is_temporal(const process::VerboseRun& run) {
  return run.execution.end == EndKind::bug && run.execution.detail == INSPECT_BUG_TEMPORAL;
}

// Why standard input is not what the program read when the schedule was recorded.
std::optional<std::string> other_input(const ScheduleFile& file, const Session& session) {
  const std::string now = identity_of_input(session.program->executor().input());
  if (now == file.input) return std::nullopt;
  const auto size = [](const std::string& identity) { return identity.empty() ? "0" : identity.substr(0, identity.find('-')); };
  return fmt::format("recorded with another standard input ({} byte{}, now {}): redirect the same", size(file.input),
                     size(file.input) == "1" ? "" : "s", size(now));
}

class Replay {
 public:
  Replay(const ScheduleFile& file, const ReplayOptions& options) : file_(file), options_(options) {
    shown_.all_turns = options.all_turns;
  }

  Result<Replayed> run(compile::Target target) {
    const inspect_configuration& configuration = options_.configuration;
    verdict_.visible = configuration.visible_all ? "all" : "sync";
    verdict_.algorithm = "replay";
    verdict_.limits.max_steps = configuration.max_steps;
    if (configuration.input_range_count)
      verdict_.limits.nondet = format_inputs({configuration.inputs, configuration.input_range_count});
    verdict_.abort_ends = configuration.abort_ends;
    verdict_.executions = 1;
    verdict_.threads = 0;  // not counted
    Allowance allowance(options_.time_limit.value_or(0), options_.memory_limit.value_or(default_memory_limit()), 1);
    auto session = open_session(std::move(target), file_.args, configuration, false, Opening::replay,
                                [&](const process::Executor& executor) { return allowance.within(executor); });
    if (!session && session.failure().of_system) return session.failure();
    if (!session && allowance.ended()) return ended("the recorded program", session.error(), VerdictKind::inconclusive);
    if (!session) return ended("the recorded program", session.error());
    auto run = rerun(*session, file_, shown_);
    if (is_temporal(run)) run.execution.message = file_.bug.message;
    if (run.execution.end == EndKind::stopped)
      return ended(session->target.name, run.execution.message, VerdictKind::inconclusive);
    session->program->executor().stop_when(nullptr);
    std::optional<ShownBug> bug;
    const std::string why = judge(*session, run, bug, true);
    verdict_.transitions = verdict_.max_depth = run.execution.events.size();
    verdict_.assumptions = assumptions_of(notes_of(*session));
    // If the bug was shown, the input does not matter.
    if (const auto input = other_input(file_, *session); !why.empty() && input)
      return Error{fmt::format("{}: {}", options_.path, *input)};
    if (!why.empty()) return ended(session->target.name, why);
    bug->report.schedule = options_.path;
    if (!options_.quiet) options_.say(bug_text(*bug, session->target, "", options_.style));
    if (options_.draw) options_.draw(*bug, session->target);
    verdict_.bugs.push_back(std::move(bug->report));
    shown_.watched = process::earlier_access(run.execution);
    return options_.debugger ? run_debugged(*session, bug->interleaving) : ended(session->target.name, "");
  }

 private:
  // Why the run is not the recorded one; empty if it is, and then `bug` is there.
  std::string judge(Session& session, const process::VerboseRun& run, std::optional<ShownBug>& bug, bool wants_turn = false) {
    if (run.execution.end == EndKind::bug)
      bug = show_bug(session, run, wants_turn ? decisive_turn(session, run.execution, shown_) : std::nullopt);
    else
      session.names->process().set_heap(run.heap);
    const std::string why = divergence(file_, run.execution, *session.names);
    return why.empty() ? other_end(file_, bug ? &*bug : nullptr, run.execution, shown_.all_turns)
                       : "the run diverges from the schedule at " + why;
  }

  // Runs it once more under gdb. That run is checked like any replay, unless gdb ended before the bug.
  Result<Replayed> run_debugged(Session& session, const report::Interleaving& interleaving) {
    const auto choices = *choices_of(file_.steps, session.thread_names());
    process::DebuggerOptions debugger = *options_.debugger;
    for (const auto& line : interleaving.lines)
      debugger.lines.push_back({.step = line.step,
                                .thread = interleaving.threads[line.column],
                                .action = line.action,
                                .place = line.place == "?" ? "" : line.place,
                                .decisive = line.decisive});
    auto run = session.program->debug(choices, debugger, shown_);
    if (!run) return run.failure();
    if (*run && is_temporal(**run)) (*run)->execution.message = file_.bug.message;
    if (!*run) {
      options_.say("gdb ended before the program came to the bug\n");
      return ended(session.target.name, "");
    }
    std::optional<ShownBug> bug;
    const std::string why = judge(session, **run, bug);
    if (!why.empty()) verdict_.bugs.clear();
    return ended(session.target.name, why.empty() ? "" : "under gdb, " + why);
  }

  // `why`: the reason that the recorded bug was not seen.
  Replayed ended(const std::string& name, const std::string& why, VerdictKind otherwise = VerdictKind::unsupported) {
    verdict_.kind = why.empty() ? VerdictKind::bug : otherwise;
    verdict_.reason = why;
    return {std::move(verdict_), name};
  }

  const ScheduleFile& file_;
  const ReplayOptions& options_;
  Verdict verdict_;
  process::Shown shown_;
};

}  // namespace

Result<Replayed> replay(const ScheduleFile& file, compile::Target target, const ReplayOptions& options) {
  return Replay(file, options).run(std::move(target));
}

}  // namespace inspect::native
