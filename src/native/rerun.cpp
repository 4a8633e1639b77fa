#include "native/rerun.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "model/verdict.hpp"
#include "native/bug.hpp"
#include "process/locations.hpp"
#include "report/action.hpp"
#include "report/interleaving.hpp"

namespace inspect::native {
namespace {

bool is_plain(inspect_kind kind) { return kind == INSPECT_OP_PlainRead || kind == INSPECT_OP_PlainWrite; }

// Makes the locations that the file names scheduling points.
void share_recorded(Session& session, const ScheduleFile& file) {
  const ThreadNumbers numbers = *thread_numbers_of(file.steps, session.thread_names());
  for (const SchedulePoint& point : file.points)
    if (const auto address = process::address_of(point, session.channel(), numbers))
      session.program->executor().share(*address, point.bytes);
}

// From step `different` on, makes the locations scheduling points that plain accesses among the file's steps touched: they were
// scheduling points when the file was written.
void share_missing(Session& session, const process::VerboseRun& run, const ScheduleFile& file, std::size_t different) {
  using Step = std::tuple<unsigned, std::string, std::string>;
  std::set<Step> missing;
  for (std::size_t i = different; i < file.steps.size(); ++i)
    if (is_plain(file.steps[i].kind)) missing.emplace(file.steps[i].kind, file.steps[i].object, file.steps[i].place);
  if (missing.empty()) return;
  for (const auto& access : run.accesses) {
    const Operation& o = access.operation;
    if (missing.contains(Step{o.kind, report::object_text(o, *session.names), session.names->site(o.site).place()}))
      session.program->executor().share(o.object, o.size);
  }
}

// Did the run end in another race than the recorded one?
bool is_other_race(Session& session, const ScheduleFile& file, const process::VerboseRun& run) {
  if (!session.configuration.races_go_on || run.execution.end != EndKind::bug) return false;
  if (run.execution.detail != INSPECT_BUG_DATA_RACE || file.bug.kind != bug_kind_name(INSPECT_BUG_DATA_RACE)) return false;
  return show_bug(session, run).schedule.bug != file.bug;
}

}  // namespace

std::optional<std::size_t> first_difference(const std::vector<ScheduleStep>& recorded, const std::vector<ScheduleStep>& now) {
  const std::size_t both = std::min(recorded.size(), now.size());
  const auto same = [](const ScheduleStep& then, ScheduleStep step) {
    if (then.place.empty()) step.place.clear();
    return then == step;
  };
  for (std::size_t i = 0; i < both; ++i)
    if (!same(recorded[i], now[i])) return i;
  return recorded.size() == now.size() ? std::nullopt : std::optional(both);
}

process::VerboseRun rerun(Session& session, const ScheduleFile& file, process::Shown& shown) {
  const auto choices = *choices_of(file.steps, session.thread_names());
  shown.stops_at_race = file.bug.kind == bug_kind_name(INSPECT_BUG_DATA_RACE);
  shown.cycle = file.cycle;
  share_recorded(session, file);
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
    if (!different || *different >= file.steps.size()) return run;
    share_missing(session, run, file, *different);
    // Nothing new was learnt, so the loop ends.
    if (session.channel().shared_locations_grew == points) return run;
  }
}

}  // namespace inspect::native
