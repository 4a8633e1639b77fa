#include "native/bug.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/compiler_flags.hpp"
#include "native/configuration.hpp"
#include "native/decisive.hpp"
#include "native/labels.hpp"
#include "native/stacks.hpp"
#include "native/story.hpp"
#include "native/summary.hpp"
#include "process/locations.hpp"
#include "report/page.hpp"
#include "report/source.hpp"
#include "report/text.hpp"

namespace inspect::native {
namespace {

// The site of the bug; if it has none, where its thread stands.
std::uint32_t site_of(const Execution& execution) {
  if (execution.site) return execution.site;
  std::uint32_t last = 0;
  for (const Event& event : execution.events) {
    if (event.choice.thread == execution.thread)
      last = event.next.operation.site ? event.next.operation.site : event.operation.site;
    for (const auto& change : event.changes)
      if (change.thread == execution.thread && change.pending.operation.site) last = change.pending.operation.site;
  }
  return last;
}

std::optional<std::string> location_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site,
                                       ProcessNames& names) {
  report::Site place = user_site(run, thread, site, names);
  return place.file.empty() ? std::nullopt : std::optional(place.location());
}

// Reads source files, whose names are often relative to where the program was built.
report::SourceLines sources_of(const compile::Target& target) {
  report::SourceLines source({"", target.base, std::filesystem::path(target.executable).parent_path().string()});
  source.set_made(target.executable, "the program was built");
  return source;
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

ShownBug show_bug(Session& session, const process::VerboseRun& run, const std::optional<report::Turn>& turn) {
  ProcessNames& names = *session.names;
  names.process().set_heap(run.heap);
  const Execution& execution = run.execution;
  ShownBug shown;
  BugReport& report = shown.report;
  Labels& labels = names.show(run);
  const BugStory story(run, names, labels);
  report.kind = static_cast<inspect_bug>(execution.detail);
  report.message = story.told_message();
  report.thread = names.thread(execution.thread);
  report.location = location_of(run, execution.thread, site_of(execution), names);
  if (report.kind == INSPECT_BUG_DATA_RACE || execution.other_site)
    report.other_location = location_of(run, execution.other_thread, execution.other_site, names);
  shown.identity = identity_of(run, site_of(execution), names);
  report.fingerprint = shown.identity.fingerprint();
  const RecordedBug recorded{std::string(bug_kind_name(report.kind)), report.thread, report.location.value_or("?"),
                             report.other_location.value_or("-"), story.message(SymbolicNames(names))};
  shown.schedule.program = session.target.recorded;
  shown.schedule.build_id = session.target.build_id;
  shown.schedule.sources = session.target.sources;
  shown.schedule.cflags = session.target.cflags;
  shown.schedule.args = session.arguments;
  shown.schedule.input = identity_of_input(session.program->executor().input());
  shown.schedule.options = recorded_options(session.configuration);
  shown.schedule.bug = recorded;
  shown.schedule.cycle = run.cycle;
  for (const auto& [address, bytes] : run.points)
    if (auto point = process::point_at(address, bytes, session.channel(), names.process()))
      shown.schedule.points.push_back(*std::move(point));
  shown.schedule.steps = report::steps_of(execution.events, names);
  // For people the message has their names, and files are as they would write them.
  const auto as_shown = [&](std::optional<std::string>& place) {
    if (place) place = names.process().shown_path(*place);
  };
  as_shown(report.location);
  as_shown(report.other_location);
  if (const std::string freed = story.freed_at(); !freed.empty()) report.other_location = freed;
  const RecordedBug told{recorded.kind, recorded.thread, report.location.value_or("?"), report.other_location.value_or("-"),
                         report.message};
  report::BugRun whole = story.tell();
  whole.turn = turn;
  shown.interleaving = report::interleaving_of(whole, told, names);
  shown.output = run.output;
  return shown;
}

namespace {

Error not_again(const process::VerboseRun& run, const search::FoundBug& bug) {
  if (run.execution.end == EndKind::stopped)
    return Error{fmt::format("a bug was found ({}{}{}), and could not be shown again: {}",
                             bug_kind_name(static_cast<inspect_bug>(bug.detail)), bug.message.empty() ? "" : ": ", bug.message,
                             run.execution.message)};
  return Error{fmt::format("uncontrolled nondeterminism: a bug ({}{}{}) did not happen again under its own schedule{}",
                           bug_kind_name(static_cast<inspect_bug>(bug.detail)), bug.message.empty() ? "" : ": ", bug.message,
                           run.execution.message.empty() ? "" : " (" + run.execution.message + ")")};
}

ShownBug shown_again(Session& session, const process::VerboseRun& run, const search::FoundBug& bug,
                     const std::optional<report::Turn>& turn) {
  ShownBug shown = show_bug(session, run, turn);
  shown.report.executions_before = bug.executions_before;
  return shown;
}

}  // namespace

Result<ShownBug> reproduce(Session& session, const search::FoundBug& bug, const process::Shown& shown) {
  process::VerboseRun run = session.program->run_verbose(bug.schedule, shown);
  if (run.execution.end != EndKind::bug || run.execution.detail != bug.detail) return not_again(run, bug);
  if (shown.cycle) run.execution.message = bug.message;  // the message names the formula
  return shown_again(session, run, bug, decisive_turn(session, run.execution, shown));
}

// Other races may be met between the last step and this one: they are passed over, one more in each run.
Result<ShownBug> reproduce(Session& session, const process::NotedRace& race) {
  for (process::Shown shown{.points = race.points, .stops_at_race = true};; ++shown.passed_races) {
    const process::VerboseRun run = session.program->run_verbose(race.bug.schedule, shown);
    if (run.execution.end != EndKind::bug || run.execution.detail != INSPECT_BUG_DATA_RACE) return not_again(run, race.bug);
    const auto places = std::minmax(race.bug.site, race.bug.other_site);
    if (std::minmax(run.execution.site, run.execution.other_site) == places)
      return shown_again(session, run, race.bug, std::nullopt);
  }
}

std::string bug_text(const ShownBug& bug, const compile::Target& target, const std::string& schedule_path,
                     const report::TextStyle& style) {
  report::SourceLines source = sources_of(target);
  std::string out = report::interleaving_text(bug.interleaving, source, style);
  for (const auto& note : source.changed()) out += "note: " + note + '\n';
  if (!bug.output.empty()) out += "output of the program in this execution:\n" + indented(bug.output);
  const char* const input = bug.schedule.input.empty() ? "" : " < (the same input)";
  const char* const trust = compile::first_unlisted(target.cflags).empty() ? "" : "--allow-compile ";
  if (!schedule_path.empty())
    out += fmt::format("replay with: inspect replay {}{}{}\n", trust, quote_word(schedule_path), input);
  return out;
}

std::string bug_page(const ShownBug& bug, const compile::Target& target) {
  report::SourceLines source = sources_of(target);
  return report::interleaving_html(bug.interleaving, source, target.name + ": " + bug.interleaving.bug.kind);
}

}  // namespace inspect::native
