#include "cli/rerun.hpp"

#include <algorithm>

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

}  // namespace

std::optional<std::size_t> first_difference(const std::vector<ScheduleStep>& recorded, const std::vector<ScheduleStep>& now) {
  const std::size_t both = std::min(recorded.size(), now.size());
  for (std::size_t i = 0; i < both; ++i)
    if (recorded[i] != now[i]) return i;
  return recorded.size() == now.size() ? std::nullopt : std::optional(both);
}

process::VerboseRun rerun(Session& session, const ScheduleFile& file) {
  const auto choices = *choices_of(file.steps, session.thread_names());
  for (;;) {
    process::VerboseRun run = session.program->run_verbose(choices);
    if (!session.configuration.visible_all) return run;
    session.names->process().set_heap(run.heap);
    const auto different = first_difference(file.steps, report::steps_of(run.execution.events, *session.names));
    if (!different || *different >= file.steps.size() || !is_plain(file.steps[*different].kind)) return run;
    const auto* access = missing_access(run, file, *different, choices[*different].thread, *session.names);
    // What is shared already cannot help again: so this ends.
    if (!access || !session.program->executor().share(access->operation.object, access->operation.size)) return run;
  }
}

}  // namespace inspect::cli
