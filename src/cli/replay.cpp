// inspect replay: the recorded program under the recorded schedule, compared step by step.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/allowance.hpp"
#include "cli/bug.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/rerun.hpp"
#include "cli/summary.hpp"
#include "compile/build.hpp"
#include "compile/compiler_flags.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

Error in_file(const std::string& path, const std::string& message) { return {path + ": " + message}; }

// The first of the files that is not below the folder; empty: all are.
std::string missing_below(const std::vector<std::string>& files, const fs::path& base) {
  std::error_code ignored;
  for (const auto& file : files)
    if (!fs::exists(base / file, ignored)) return file;
  return {};
}

// The folder below which all recorded files are: the working directory, else that of the schedule file.
Result<std::string> base_of(const std::vector<std::string>& files, const std::string& path) {
  const std::string missing = missing_below(files, {});
  if (missing.empty()) return std::string();
  const fs::path beside = fs::path(path).parent_path();
  if (missing_below(files, beside).empty()) return beside.string();
  return in_file(path,
                 fmt::format("recorded from {}, which is neither in this folder nor beside the file: replay it in the folder "
                             "where it was recorded, or give the executable with --program",
                             missing));
}

Result<compile::Target> recorded_target(const CommandLine& line, const ScheduleFile& file, const std::string& path) {
  auto target = [&]() -> Result<compile::Target> {
    if (const auto program = line.text("program")) return compile::make_target({*program}, {}, true);
    const auto base = base_of(file.sources.empty() ? std::vector{file.program} : file.sources, path);
    if (!base) return base.failure();
    if (file.sources.empty()) return compile::make_target({fs::path(*base) / file.program}, {}, true);
    const auto word = line.flag("allow-compile") ? std::string() : compile::first_unlisted(file.cflags);
    if (!word.empty())
      return in_file(path,
                     fmt::format("its cflags hold '{}', which is not on the list of harmless flags and may run other code in "
                                 "the compiler: give --allow-compile if you trust the file, or build the program yourself "
                                 "and give it with --program",
                                 word));
    return compile::make_target(file.sources, file.cflags, true, *base);
  }();
  if (target && target->build_id != file.build_id)
    return in_file(path, fmt::format("recorded with build id {}, but {} has {}: the program has changed, check it again",
                                     file.build_id, target->name, target->build_id));
  return target;
}

Result<inspect_configuration> recorded_configuration(const ScheduleFile& file, const std::string& path) {
  const auto no_environment = [](const std::string&) -> const char* { return nullptr; };
  const auto line = parse_command_line(Check, file.options, no_environment);
  if (!line) return in_file(path, "its options line: " + line.error());
  if (!line->targets.empty() || !line->arguments.empty() || line->help)
    return in_file(path, "its options line holds more than options");
  return configuration_of(*line);
}

// The first step that went otherwise than recorded, in words; empty if none did. A run that goes on after all recorded steps
// has followed them.
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
std::string other_end(const ScheduleFile& file, const ShownBug* bug, const Execution& execution) {
  if (!bug)
    return fmt::format("the run ended without the recorded bug ({}){}", file.bug.kind,
                       execution.message.empty() ? "" : ": " + execution.message);
  if (bug->schedule.bug != file.bug)
    return fmt::format("another bug than the recorded one ({}: {} at {}): {}: {} at {}", file.bug.kind, file.bug.message,
                       file.bug.place, bug->schedule.bug.kind, bug->schedule.bug.message, bug->schedule.bug.place);
  if (execution.events.size() > file.steps.size())
    return fmt::format("the bug came only after {} more steps", execution.events.size() - file.steps.size());
  return {};
}

// Why standard input is not what the program read when the schedule was recorded.
std::optional<std::string> other_input(const ScheduleFile& file, const Session& session) {
  const std::string now = identity_of_input(session.program->executor().input());
  if (now == file.input) return std::nullopt;
  const auto size = [](const std::string& identity) { return identity.empty() ? "0" : identity.substr(0, identity.find('-')); };
  return fmt::format("recorded with another standard input ({} bytes, now {}): redirect the same", size(file.input), size(now));
}

class ReplayCommand {
 public:
  explicit ReplayCommand(const CommandLine& line)
      : line_(line), json_(line.text("json").value_or("")), console_(json_ == "-") {}

  int run() {
    if (line_.targets.size() != 1) return refuse({"inspect replay takes one schedule file"});
    if (!line_.flag("gdb") && !line_.arguments.empty()) return refuse({"arguments after -- are gdb's: --gdb is missing"});
    if (line_.flag("gdb") && !process::find_gdb()) return refuse({"--gdb: gdb is not installed; as root: apt-get install gdb"});
    if (!json_.empty() && json_ != "-")
      if (auto error = probe_writable(json_)) return refuse(*error);
    const std::string& path = line_.targets[0];
    const auto text = read_file(path);
    if (!text) return refuse({text.error()});
    const auto file = parse_schedule(*text);
    if (!file) return refuse(in_file(path, file.error()));
    if (const auto choices = choices_of(file->steps); !choices) return refuse(in_file(path, choices.error()));
    const auto configuration = recorded_configuration(*file, path);
    if (!configuration) return refuse({configuration.error()});
    auto target = recorded_target(line_, *file, path);
    if (!target) return refuse({target.error()});
    return run_recorded(*file, *configuration, std::move(*target));
  }

 private:
  static int refuse(const Error& error) {
    Console::error(error.message);
    return static_cast<int>(ExitStatus::usage);
  }

  int run_recorded(const ScheduleFile& file, const inspect_configuration& configuration, compile::Target target) {
    verdict_.visible = configuration.visible_all ? "all" : "sync";
    verdict_.algorithm = "replay";
    verdict_.limits.max_steps = configuration.max_steps;
    if (configuration.input_range_count)
      verdict_.limits.nondet = format_inputs({configuration.inputs, configuration.input_range_count});
    verdict_.abort_ends = configuration.abort_ends;
    verdict_.executions = 1;
    Allowance allowance(line_.seconds("time-limit").value_or(0), line_.bytes("memory-limit").value_or(default_memory_limit()),
                        1);
    auto session = open_session(std::move(target), file.args, configuration, false, Opening::replay,
                                [&](const process::Executor& executor) { return allowance.within(executor); });
    if (!session && session.failure().of_system) return refuse(session.failure());
    if (!session && allowance.ended()) return finish("the recorded program", session.error(), VerdictKind::inconclusive);
    if (!session) return finish("the recorded program", session.error());
    const auto run = rerun(*session, file, shown_);
    if (run.execution.end == EndKind::stopped)
      return finish(session->target.name, run.execution.message, VerdictKind::inconclusive);
    session->program->executor().stop_when(nullptr);
    std::optional<ShownBug> bug;
    const std::string why = judge(file, *session, run, bug);
    verdict_.transitions = verdict_.max_depth = run.execution.events.size();
    verdict_.assumptions = assumptions_of(notes_of(*session));
    if (const auto input = other_input(file, *session); !why.empty() && input)  // else it does not matter to the program
      return refuse(in_file(line_.targets[0], *input));
    if (!why.empty()) return finish(session->target.name, why);
    bug->report.schedule = line_.targets[0];
    if (!line_.flag("quiet")) console_.print(bug_text(*bug, session->target, ""));
    verdict_.bugs.push_back(std::move(bug->report));
    shown_.watched = process::earlier_access(run.execution);
    return line_.flag("gdb") ? run_debugged(file, *session) : finish(session->target.name, "");
  }

  // Why the run is not the recorded one; empty if it is, and then `bug` is there.
  static std::string judge(const ScheduleFile& file, Session& session, const process::VerboseRun& run,
                           std::optional<ShownBug>& bug) {
    if (run.execution.end == EndKind::bug)
      bug = show_bug(session, run);
    else
      session.names->process().set_heap(run.heap);
    const std::string why = divergence(file, run.execution, *session.names);
    return why.empty() ? other_end(file, bug ? &*bug : nullptr, run.execution) : "the run diverges from the schedule at " + why;
  }

  // Once more for the user to look at. What that run did is checked like any replay, unless gdb ended before.
  int run_debugged(const ScheduleFile& file, Session& session) {
    const auto choices = *choices_of(file.steps, session.thread_names());
    const process::DebuggerOptions options{compile::beside_executable("inspect"), line_.arguments, json_ == "-"};
    const auto run = session.program->debug(choices, options, shown_);
    if (!run) return refuse({run.error()});
    if (!*run) {
      console_.print("gdb ended before the program came to the bug\n");
      return finish(session.target.name, "");
    }
    std::optional<ShownBug> bug;
    const std::string why = judge(file, session, **run, bug);
    if (!why.empty()) verdict_.bugs.clear();
    return finish(session.target.name, why.empty() ? "" : "under gdb, " + why);
  }

  // `why`: the reason that the recorded bug was not seen.
  int finish(const std::string& name, const std::string& why, VerdictKind otherwise = VerdictKind::unsupported) {
    verdict_.kind = why.empty() ? VerdictKind::bug : otherwise;
    verdict_.reason = why;
    console_.print(
        why.empty()
            ? "BUG: " + report::bug_line(verdict_.bugs.front()) + '\n'
            : fmt::format("{}: {}: {}\n", otherwise == VerdictKind::unsupported ? "UNSUPPORTED" : "INCONCLUSIVE", name, why));
    if (!json_.empty()) console_.write_result(json_, report::verdict_json(verdict_));
    return console_.exit_status(exit_status_of(verdict_.kind));
  }

  const CommandLine& line_;
  std::string json_;
  Console console_;
  Verdict verdict_;
  process::Shown shown_;
};

}  // namespace

int run_replay(const CommandLine& line) { return ReplayCommand(line).run(); }

}  // namespace inspect::cli
