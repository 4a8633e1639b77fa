#include "native/bug.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/compiler_flags.hpp"
#include "native/configuration.hpp"
#include "native/stacks.hpp"
#include "native/summary.hpp"
#include "process/locations.hpp"
#include "report/action.hpp"
#include "report/source.hpp"
#include "report/text.hpp"
#include "report/waits.hpp"

namespace inspect::native {
namespace {

// The place of a bug without one of its own: where its thread stands.
std::uint32_t site_of(const Execution& execution) {
  if (execution.bug_site) return execution.bug_site;
  std::uint32_t last = 0;
  for (const Event& event : execution.events) {
    if (event.choice.thread == execution.bug_thread)
      last = event.next.operation.site ? event.next.operation.site : event.operation.site;
    for (const auto& change : event.changes)
      if (change.thread == execution.bug_thread && change.pending.operation.site) last = change.pending.operation.site;
  }
  return last;
}

std::optional<std::string> location_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site,
                                       ProcessNames& names) {
  const report::Site place = user_site(run, thread, site, names);
  return place.file.empty() ? std::nullopt : std::optional(place.location());
}

report::BugRun bug_run(const process::VerboseRun& run, ProcessNames& names) {
  const Execution& execution = run.execution;
  report::BugRun out{execution.events, {}, {}, race_stacks(run, names)};
  for (const auto& access : run.accesses) out.accesses.push_back({access.step, access.thread, access.operation, access.value});
  if (execution.bug_address) out.objects.push_back(execution.bug_address);
  // The other side of a race may begin at another byte.
  for (const auto& access : out.accesses)
    if (access.operation.site == execution.other_site && access.thread == execution.other_thread)
      out.objects.push_back(access.operation.object);
  return out;
}

// The access that completes a race ends the execution before it is logged.
void add_last_access(report::Interleaving& interleaving, const Execution& execution, const report::Names& names) {
  if (execution.detail != INSPECT_BUG_DATA_RACE || interleaving.lines.empty()) return;
  const std::string thread = names.thread(execution.bug_thread), place = names.site(execution.bug_site).place();
  const auto& last = interleaving.lines.back();
  if (interleaving.threads[last.column] == thread && last.place == place) return;
  const auto column = std::find(interleaving.threads.begin(), interleaving.threads.end(), thread);
  if (column == interleaving.threads.end()) return;
  Operation operation{};
  operation.object = execution.bug_address;
  operation.site = execution.bug_site;
  const std::string verb = execution.message.starts_with("write")  ? "write "
                           : execution.message.starts_with("read") ? "read "
                                                                   : "";
  interleaving.lines.push_back({static_cast<std::size_t>(column - interleaving.threads.begin()), 0,
                                verb + report::object_label(operation, names), place, false, true});
}

// Whom a stuck program waits for, by the names of threads and objects.
std::string stuck_message(const Execution& execution, const report::Names& names) {
  std::string out;
  for (const auto& wait : report::waits_in_brief(execution.events, names)) out += (out.empty() ? "" : ", ") + wait;
  return out.empty() ? execution.message : "every thread waits: " + out;
}

// "read of 4 bytes of counter without order to …": which object the race is about, where it has a name.
std::string race_message(const Execution& execution, const report::Names& names) {
  std::string text = execution.message;
  const std::string object = names.object(execution.bug_address);
  if (const auto at = text.find(" bytes without"); at != std::string::npos && !object.empty())
    text.insert(at + 6, " of " + object);
  return text;
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += "| " + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace

ShownBug show_bug(Session& session, const process::VerboseRun& run) {
  ProcessNames& names = *session.names;
  names.process().set_heap(run.heap);
  const Execution& execution = run.execution;
  ShownBug shown;
  BugReport& report = shown.report;
  report.kind = static_cast<inspect_bug>(execution.detail);
  report.message = report.kind == INSPECT_BUG_DEADLOCK    ? stuck_message(execution, names)
                   : report.kind == INSPECT_BUG_DATA_RACE ? race_message(execution, names)
                                                          : execution.message;
  report.thread = names.thread(execution.bug_thread);
  report.location = location_of(run, execution.bug_thread, site_of(execution), names);
  if (report.kind == INSPECT_BUG_DATA_RACE || execution.other_site)
    report.other_location = location_of(run, execution.other_thread, execution.other_site, names);
  shown.identity = identity_of(run, site_of(execution), names);
  report.fingerprint = shown.identity.fingerprint();
  const RecordedBug recorded{std::string(bug_kind_name(report.kind)), report.thread, report.location.value_or("?"),
                             report.other_location.value_or("-"), report.message};
  shown.schedule.program = session.target.recorded;
  shown.schedule.build_id = session.target.build_id;
  shown.schedule.sources = session.target.sources;
  shown.schedule.cflags = session.target.cflags;
  shown.schedule.args = session.arguments;
  shown.schedule.input = identity_of_input(session.program->executor().input());
  shown.schedule.options = recorded_options(session.configuration);
  shown.schedule.bug = recorded;
  for (const auto& [address, bytes] : run.points)
    if (auto point = process::point_at(address, bytes, session.channel(), names.process()))
      shown.schedule.points.push_back(*std::move(point));
  shown.schedule.steps = report::steps_of(execution.events, names);
  shown.interleaving = report::interleaving_of(bug_run(run, names), recorded, names);
  add_last_access(shown.interleaving, execution, names);
  shown.output = run.output;
  return shown;
}

namespace {

Error not_again(const process::VerboseRun& run, const search::FoundBug& bug) {
  if (run.execution.end == EndKind::stopped)
    return Error{fmt::format("a bug was found ({}{}{}), and could not be shown again: {}",
                             bug_kind_name(static_cast<inspect_bug>(bug.kind)), bug.message.empty() ? "" : ": ", bug.message,
                             run.execution.message)};
  return Error{fmt::format("uncontrolled nondeterminism: a bug ({}{}{}) did not happen again under its own schedule{}",
                           bug_kind_name(static_cast<inspect_bug>(bug.kind)), bug.message.empty() ? "" : ": ", bug.message,
                           run.execution.message.empty() ? "" : " (" + run.execution.message + ")")};
}

ShownBug shown_again(Session& session, const process::VerboseRun& run, const search::FoundBug& bug) {
  ShownBug shown = show_bug(session, run);
  shown.report.executions_before = bug.executions_before;
  return shown;
}

}  // namespace

Result<ShownBug> reproduce(Session& session, const search::FoundBug& bug) {
  const process::VerboseRun run = session.program->run_verbose(bug.schedule);
  if (run.execution.end != EndKind::bug || run.execution.detail != bug.kind) return not_again(run, bug);
  return shown_again(session, run, bug);
}

// Others may be met between the last step before it and it.
Result<ShownBug> reproduce(Session& session, const process::NotedRace& race) {
  for (process::Shown shown{.points = race.points, .stops_at_race = true};; ++shown.passed_races) {
    const process::VerboseRun run = session.program->run_verbose(race.bug.schedule, shown);
    if (run.execution.end != EndKind::bug || run.execution.detail != INSPECT_BUG_DATA_RACE) return not_again(run, race.bug);
    const auto places = std::minmax(race.bug.site, race.bug.other_site);
    if (std::minmax(run.execution.bug_site, run.execution.other_site) == places) return shown_again(session, run, race.bug);
  }
}

std::string bug_text(const ShownBug& bug, const compile::Target& target, const std::string& schedule_path) {
  // Names of files are as the compiler was told them: often relative to where the program was built.
  report::SourceLines source({"", target.base, std::filesystem::path(target.executable).parent_path().string()});
  std::string out = report::interleaving_text(bug.interleaving, source);
  if (!bug.output.empty()) out += "output of the program in this execution:\n" + indented(bug.output);
  const char* const input = bug.schedule.input.empty() ? "" : " < (the same input)";
  const char* const trust = compile::first_unlisted(target.cflags).empty() ? "" : "--allow-compile ";
  if (!schedule_path.empty())
    out += fmt::format("replay with: inspect replay {}{}{}\n", trust, quote_word(schedule_path), input);
  return out;
}

}  // namespace inspect::native
