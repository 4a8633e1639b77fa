#include "native/bug.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "compile/compiler_flags.hpp"
#include "native/configuration.hpp"
#include "native/labels.hpp"
#include "native/stacks.hpp"
#include "native/summary.hpp"
#include "process/locations.hpp"
#include "report/action.hpp"
#include "report/page.hpp"
#include "report/source.hpp"
#include "report/text.hpp"
#include "report/waits.hpp"

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
  return report::SourceLines({"", target.base, std::filesystem::path(target.executable).parent_path().string()});
}

// What a person is told of the run that shows the bug: stacks, what was freed, the access that ended it.
class BugStory {
 public:
  BugStory(const process::VerboseRun& run, ProcessNames& names, Labels& labels)
      : run_(run), execution_(run.execution), names_(names), labels_(labels) {}

  [[nodiscard]] report::BugRun tell() const {
    report::BugRun out{execution_.events, {}, {}, stacks(), {}};
    for (const auto& access : run_.accesses)
      out.accesses.push_back({access.step, access.thread, access.operation, access.value});
    if (execution_.address) out.objects.push_back(execution_.address);
    // The other side of a race may begin at another byte.
    for (const auto& access : out.accesses)
      if (access.operation.site == execution_.other_site && access.thread == execution_.other_thread)
        out.objects.push_back(access.operation.object);
    if (const auto* end = end_of_object())
      out.further.push_back(
          {end->step, end->thread, ends_text(*end), labels_.frames(labels_.stacks().places(end->stack)), true});
    if (auto last = last_access()) out.further.push_back(*std::move(last));
    if (auto mark = cycle_mark()) out.further.push_back(*std::move(mark));
    return out;
  }

  // The message with the object's name, if it has one: "read of 4 bytes of pool.stop without order to …".
  [[nodiscard]] std::string message(const report::Names& names) const {
    if (is(INSPECT_BUG_DEADLOCK)) return stuck_message(names);
    std::string text = execution_.message;
    const std::string object = execution_.address ? names.label(execution_.address, bytes(), end()) : "";
    if (is(INSPECT_BUG_DATA_RACE) && !object.empty())
      if (const auto at = text.find(" without order"); at != std::string::npos) text.insert(at, " of " + object);
    return text;
  }
  // Where an object that a memory error is about was freed, in the user's code; empty: not known.
  [[nodiscard]] std::string freed_at() const {
    const auto* end = end_of_object();
    if (end)
      for (const auto& place : labels_.stacks().places(end->stack))
        if (!is_library(place) && place.line)
          return fmt::format("{}:{}:{}", names_.process().shown_path(place.file), place.line, place.column);
    return {};
  }
  // For people: of a memory error also the object.
  [[nodiscard]] std::string told_message() const {
    std::string text = message(names_);
    if (!is(INSPECT_BUG_MEMORY_ERROR) || !execution_.address) return text;
    const std::string object = names_.label(execution_.address, bytes(), end());
    return object.empty() ? text : text + ": " + object;
  }

 private:
  [[nodiscard]] bool is(inspect_bug kind) const { return execution_.detail == static_cast<std::uint32_t>(kind); }
  [[nodiscard]] std::size_t end() const { return execution_.events.empty() ? 0 : execution_.events.size() - 1; }

  // Size of the access that ended the run, read from its message; 1 if that does not tell.
  [[nodiscard]] std::uint32_t bytes() const {
    const auto at = execution_.message.find(" of ");
    const int count = at == std::string::npos ? 0 : std::atoi(execution_.message.c_str() + at + 4);
    return count > 0 ? static_cast<std::uint32_t>(count) : 1;
  }

  [[nodiscard]] std::string stuck_message(const report::Names& names) const {
    std::string out;
    for (const auto& wait : report::waits_in_brief(execution_.events, names)) out += (out.empty() ? "" : ", ") + wait;
    return out.empty() ? execution_.message : "every thread waits: " + out;
  }

  [[nodiscard]] report::CallStack stack(const std::string& title, ThreadId thread, std::uint32_t site) const {
    return {title + " thread " + names_.thread(thread), labels_.frames(labels_.stacks().places(thread, site))};
  }

  [[nodiscard]] std::vector<report::CallStack> stacks() const {
    if (is(INSPECT_BUG_DEADLOCK) || is(INSPECT_BUG_LIVELOCK)) return waiting_stacks();
    std::vector<report::CallStack> out;
    report::CallStack own = stack("stack of", execution_.thread, execution_.site);
    report::Frames recorded = labels_.frames(labels_.stacks().places(run_.bug_stack));
    if (own.frames.size() < 2 && report::user_place(recorded) != "?") own.frames = std::move(recorded);
    if (!own.frames.empty()) out.push_back(std::move(own));
    if (is(INSPECT_BUG_DATA_RACE)) out.push_back(stack("stack of", execution_.other_thread, execution_.other_site));
    if (const auto* end = end_of_object())
      out.push_back({"freed by thread " + names_.thread(end->thread), labels_.frames(labels_.stacks().places(end->stack))});
    if (const auto* object = is(INSPECT_BUG_MEMORY_ERROR) ? heap_object() : nullptr)
      out.push_back(
          {"allocated by thread " + names_.thread(object->thread), labels_.frames(labels_.stacks().places(object->stack))});
    return out;
  }

  [[nodiscard]] std::vector<report::CallStack> waiting_stacks() const {
    std::vector<report::CallStack> out;
    for (const auto& wait : report::waiting_threads(execution_.events, names_)) {
      const auto recorded = run_.waiting.find(wait.thread);
      const Places places = recorded == run_.waiting.end() ? labels_.stacks().places(wait.thread, wait.operation.site, end())
                                                           : labels_.stacks().places(wait.operation, recorded->second);
      out.push_back({fmt::format("thread {} waits for {}", names_.thread(wait.thread), wait.awaited), labels_.frames(places)});
    }
    return out;
  }

  [[nodiscard]] const process::HeapObject* heap_object() const {
    return execution_.address ? labels_.heap_object(execution_.address) : nullptr;
  }

  // The free of the object that a memory error is about; null if there is none.
  [[nodiscard]] const process::EndOfObject* end_of_object() const {
    if (!is(INSPECT_BUG_MEMORY_ERROR) || !execution_.address) return nullptr;
    for (const auto& end : run_.ends)
      if (execution_.address - end.operation.object < std::max(end.operation.size, 1u)) return &end;
    return nullptr;
  }
  [[nodiscard]] std::string ends_text(const process::EndOfObject& end) const {
    return "frees " + names_.label(end.operation.object, end.operation.size, end.step);
  }

  // Before the first step that repeats for ever.
  [[nodiscard]] std::optional<report::FurtherLine> cycle_mark() const {
    const std::size_t steps = execution_.events.size(), cycle = run_.cycle.value_or(0);
    if (!cycle || cycle >= steps) return std::nullopt;
    const std::size_t before = steps - cycle - 1;
    return report::FurtherLine{before, execution_.events[before].choice.thread, report::kCycleMark, {}, false};
  }

  // The access that completes a race or is a memory error ends the execution before it is logged.
  [[nodiscard]] std::optional<report::FurtherLine> last_access() const {
    if ((!is(INSPECT_BUG_DATA_RACE) && !is(INSPECT_BUG_MEMORY_ERROR)) || execution_.events.empty()) return std::nullopt;
    report::Frames frames = labels_.frames(labels_.stacks().places(execution_.thread, execution_.site));
    const Event& last = execution_.events.back();
    if (last.choice.thread == execution_.thread && last.operation.site == execution_.site) return std::nullopt;
    Operation operation{};
    operation.kind = INSPECT_OP_PlainRead;
    operation.object = execution_.address;
    operation.site = execution_.site;
    operation.size = bytes();
    const std::string verb = execution_.message.substr(0, execution_.message.find(" of "));
    const std::string object = execution_.address ? report::object_label(operation, names_, end()) : "";
    return report::FurtherLine{end(), execution_.thread,
                               object.empty() ? execution_.message : (verb.size() < 16 ? verb : "uses") + ' ' + object,
                               std::move(frames), true};
  }

  const process::VerboseRun& run_;
  const Execution& execution_;
  ProcessNames& names_;
  Labels& labels_;
};

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
  Labels& labels = names.show(run, sources_of(session.target));
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
  shown.interleaving = report::interleaving_of(story.tell(), told, names);
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

ShownBug shown_again(Session& session, const process::VerboseRun& run, const search::FoundBug& bug) {
  ShownBug shown = show_bug(session, run);
  shown.report.executions_before = bug.executions_before;
  return shown;
}

}  // namespace

Result<ShownBug> reproduce(Session& session, const search::FoundBug& bug, const process::Shown& shown) {
  process::VerboseRun run = session.program->run_verbose(bug.schedule, shown);
  if (run.execution.end != EndKind::bug || run.execution.detail != bug.detail) return not_again(run, bug);
  if (shown.cycle) run.execution.message = bug.message;  // the message names the formula
  return shown_again(session, run, bug);
}

// Other races may be met between the last step and this one: they are passed over, one more in each run.
Result<ShownBug> reproduce(Session& session, const process::NotedRace& race) {
  for (process::Shown shown{.points = race.points, .stops_at_race = true};; ++shown.passed_races) {
    const process::VerboseRun run = session.program->run_verbose(race.bug.schedule, shown);
    if (run.execution.end != EndKind::bug || run.execution.detail != INSPECT_BUG_DATA_RACE) return not_again(run, race.bug);
    const auto places = std::minmax(race.bug.site, race.bug.other_site);
    if (std::minmax(run.execution.site, run.execution.other_site) == places) return shown_again(session, run, race.bug);
  }
}

std::string bug_text(const ShownBug& bug, const compile::Target& target, const std::string& schedule_path,
                     const report::TextStyle& style) {
  report::SourceLines source = sources_of(target);
  std::string out = report::interleaving_text(bug.interleaving, source, style);
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
