#include "cli/bug.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/stacks.hpp"
#include "cli/summary.hpp"
#include "report/source.hpp"
#include "report/text.hpp"

namespace inspect::cli {
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

std::optional<std::string> location_of(const report::Names& names, std::uint32_t site) {
  const report::Site place = names.site(site);
  return place.file.empty() ? std::nullopt : std::optional(place.location());
}

std::vector<report::PlainAccess> plain_accesses(const process::VerboseRun& run) {
  std::vector<report::PlainAccess> accesses;
  for (const auto& access : run.accesses)
    accesses.push_back({access.step, access.thread, access.operation, access.value, access.value});
  return accesses;
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
  report.message = execution.message;
  report.thread = names.thread(execution.bug_thread);
  report.location = location_of(names, site_of(execution));
  if (report.kind == INSPECT_BUG_DATA_RACE || execution.other_site)
    report.other_location = location_of(names, execution.other_site);
  const RecordedBug recorded{std::string(bug_kind_name(report.kind)), report.thread, report.location.value_or("?"),
                             report.other_location.value_or("-"), report.message};
  shown.schedule.program = session.target.recorded;
  shown.schedule.build_id = session.target.build_id;
  shown.schedule.sources = session.target.sources;
  shown.schedule.cflags = session.target.cflags;
  shown.schedule.args = session.arguments;
  shown.schedule.options = recorded_options(session.configuration);
  shown.schedule.bug = recorded;
  shown.schedule.steps = report::steps_of(execution.events, names);
  shown.interleaving =
      report::interleaving_of({execution.events, plain_accesses(run), race_stacks(run, names)}, recorded, names);
  shown.output = run.output;
  return shown;
}

Result<ShownBug> reproduce(Session& session, const search::FoundBug& bug) {
  const process::VerboseRun run = session.program->run_verbose(bug.schedule);
  if (run.execution.end != EndKind::bug || run.execution.detail != bug.kind)
    return Error{fmt::format("uncontrolled nondeterminism: a bug ({}: {}) did not happen again under its own schedule{}",
                             bug_kind_name(static_cast<inspect_bug>(bug.kind)), bug.message,
                             run.execution.message.empty() ? "" : " (" + run.execution.message + ")")};
  ShownBug shown = show_bug(session, run);
  shown.report.executions_before = bug.executions_before;
  return shown;
}

std::string bug_text(const ShownBug& bug, const std::string& schedule_path) {
  report::SourceLines source;
  std::string out = report::interleaving_text(bug.interleaving, source);
  if (!bug.output.empty()) out += "output of the program in this execution:\n" + indented(bug.output);
  if (!schedule_path.empty()) out += "replay with: inspect replay " + quote_word(schedule_path) + '\n';
  return out;
}

}  // namespace inspect::cli
