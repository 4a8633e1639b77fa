#include "cli/rerun.hpp"

#include <algorithm>

#include "cli/bug.hpp"
#include "model/verdict.hpp"
#include "report/action.hpp"
#include "report/interleaving.hpp"

namespace inspect::cli {
namespace {

bool is_plain(inspect_kind kind) { return kind == INSPECT_OP_PlainRead || kind == INSPECT_OP_PlainWrite; }

// The plain access that should have been step `missing`: the first such of its thread after that thread's last step.
const process::Access* missing_access(const process::VerboseRun& run, const ScheduleFile& file, std::size_t missing,
                                      ThreadId thread, const report::Names& names) {
  const auto& events = run.execution.events;
  std::size_t last = 0;
  for (std::size_t i = 0; i < std::min(missing, events.size()); ++i)
    if (events[i].choice.thread == thread) last = i;
  const ScheduleStep& step = file.steps[missing];
  for (const auto& access : run.accesses)
    if (access.thread == thread && access.step >= last && access.operation.kind == step.kind &&
        report::object_text(access.operation, names) == step.object && names.site(access.operation.site).place() == step.place)
      return &access;
  return nullptr;
}

// A race that is met between the last step and the recorded one.
bool is_other_race(Session& session, const ScheduleFile& file, const process::VerboseRun& run) {
  if (!session.configuration.races_go_on || run.execution.end != EndKind::bug) return false;
  if (run.execution.detail != INSPECT_BUG_DATA_RACE || file.bug.kind != bug_kind_name(INSPECT_BUG_DATA_RACE)) return false;
  const RecordedBug met = show_bug(session, run).schedule.bug;
  return met.place != file.bug.place || met.other_place != file.bug.other_place;
}

}  // namespace

std::optional<std::size_t> first_difference(const std::vector<ScheduleStep>& recorded, const std::vector<ScheduleStep>& now) {
  const std::size_t both = std::min(recorded.size(), now.size());
  for (std::size_t i = 0; i < both; ++i)
    if (recorded[i] != now[i]) return i;
  return recorded.size() == now.size() ? std::nullopt : std::optional(both);
}

process::VerboseRun rerun(Session& session, const ScheduleFile& file, process::Shown& shown) {
  const auto choices = *choices_of(file.steps, session.thread_names());
  shown.stops_at_race = file.bug.kind == bug_kind_name(INSPECT_BUG_DATA_RACE);
  for (;;) {
    const std::uint32_t points = session.channel().shared_locations_grew;
    process::VerboseRun run = session.program->run_verbose(choices, shown);
    if (run.execution.end == EndKind::stopped) return run;
    session.names->process().set_heap(run.heap);
    const auto different = first_difference(file.steps, report::steps_of(run.execution.events, *session.names));
    if (!different && is_other_race(session, file, run)) {
      ++shown.passed_races;
      continue;
    }
    if (!different || *different >= file.steps.size() || !is_plain(file.steps[*different].kind)) return run;
    const auto* access = missing_access(run, file, *different, choices[*different].thread, *session.names);
    // What was a point in that run cannot help again: so this ends.
    if (!access) return run;
    session.program->executor().share(access->operation.object, access->operation.size);
    if (session.channel().shared_locations_grew == points) return run;
  }
}

}  // namespace inspect::cli
