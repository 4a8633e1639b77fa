#include "report/interleaving.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "report/action.hpp"
#include "report/waits.hpp"

namespace inspect::report {
namespace {

// Columns in order of first appearance; a thread that never ran has none.
class Columns {
 public:
  explicit Columns(std::vector<std::string>& threads) : threads_(threads) {}
  std::size_t of(const std::string& thread) {
    const auto at = std::find(threads_.begin(), threads_.end(), thread);
    if (at == threads_.end()) threads_.push_back(thread);
    return static_cast<std::size_t>(std::find(threads_.begin(), threads_.end(), thread) - threads_.begin());
  }

 private:
  std::vector<std::string>& threads_;
};

// Objects that more than one thread touches by plain accesses: the others only lengthen the text.
std::set<std::uint64_t> shared_objects(const std::vector<PlainAccess>& accesses) {
  std::map<std::uint64_t, ThreadId> first;
  std::set<std::uint64_t> shared;
  for (const auto& access : accesses)
    if (const auto [at, fresh] = first.emplace(access.operation.object, access.thread); !fresh && at->second != access.thread)
      shared.insert(access.operation.object);
  return shared;
}

void mark_bug(Interleaving& out) {
  // The last line of the bug's thread at its place; races have the other side too.
  const auto mark = [&](const std::string& location, const std::string* thread) {
    const std::string place = location.substr(0, location.find(':', location.find(':') + 1));
    for (auto line = out.lines.rbegin(); line != out.lines.rend(); ++line)
      if (line->place == place && (!thread || out.threads[line->column] == *thread)) {
        line->at_bug = true;
        return;
      }
  };
  if (out.bug.place != "?") mark(out.bug.place, &out.bug.thread);
  if (out.bug.other_place != "-" && out.bug.other_place != "?") mark(out.bug.other_place, nullptr);
}

}  // namespace

std::optional<std::size_t> decisive_switch(std::span<const Event> events) {
  std::optional<std::size_t> last, last_preemption;
  for (std::size_t i = 1; i < events.size(); ++i) {
    const ThreadId before = events[i - 1].choice.thread;
    if (events[i].choice.thread == before) continue;
    last = i;
    if (events[i - 1].enabled.contains(before)) last_preemption = i;
  }
  return last_preemption ? last_preemption : last;
}

Interleaving interleaving_of(const BugRun& run, const RecordedBug& bug, const Names& names) {
  Interleaving out;
  out.bug = bug;
  Columns columns(out.threads);
  const auto decisive = decisive_switch(run.events);
  const auto shared = shared_objects(run.accesses);
  auto access = run.accesses.begin();
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    const Site site = names.site(event.operation.site);
    out.lines.push_back(
        {columns.of(names.thread(event.choice.thread)), i + 1, action_text(event, names), site.place(), decisive == i});
    for (; access != run.accesses.end() && access->event <= i; ++access) {
      if (!shared.contains(access->operation.object)) continue;
      out.lines.push_back({columns.of(names.thread(access->thread)), 0,
                           memory_text(access->operation, access->read, access->written, names),
                           names.site(access->operation.site).place()});
    }
  }
  if (bug.kind == "deadlock" || bug.kind == "livelock") out.waits = waits_of(run.events, names);
  out.stacks = run.stacks;
  mark_bug(out);
  return out;
}

Interleaving interleaving_of(const ScheduleFile& file) {
  Interleaving out;
  out.bug = file.bug;
  Columns columns(out.threads);
  for (std::size_t i = 0; i < file.steps.size(); ++i) {
    const ScheduleStep& step = file.steps[i];
    out.lines.push_back({columns.of(step.thread), i + 1, action_text(step), step.place});
  }
  mark_bug(out);
  return out;
}

std::vector<ScheduleStep> steps_of(std::span<const Event> events, const Names& names) {
  std::vector<ScheduleStep> steps;
  steps.reserve(events.size());
  for (const Event& event : events) {
    const auto kind = static_cast<inspect_kind>(event.operation.kind);
    steps.push_back({names.thread(event.choice.thread), kind, object_text(event.operation, names),
                     names.site(event.operation.site).place(),
                     choice_text(kind, event.choice.alternative, [&](ThreadId t) { return names.thread(t); })});
  }
  return steps;
}

}  // namespace inspect::report
