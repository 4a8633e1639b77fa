#include "native/stacks.hpp"

#include <algorithm>
#include <utility>

#include "native/session.hpp"

namespace inspect::native {

bool is_ours(const process::Place& place) {
  return place.file.find("inspect-runtime/") != std::string::npos || place.function.starts_with("_ZN7inspect7runtime") ||
         place.function.starts_with("inspect_");
}

bool is_library(const process::Place& place) {
  return place.file.starts_with("/usr/include/") || place.file.starts_with("/usr/lib/") ||
         place.file.find("inspect-standard/") != std::string::npos;
}

RunStacks::RunStacks(const process::VerboseRun& run, const process::Names& names) : run_(run), names_(names) {
  for (std::size_t i = 0; i < run.execution.events.size(); ++i) steps_[run.execution.events[i].choice.thread].push_back(i);
}

const std::vector<std::size_t>& RunStacks::steps_of(ThreadId thread) const {
  static const std::vector<std::size_t> kNone;
  const auto found = steps_.find(thread);
  return found == steps_.end() ? kNone : found->second;
}

// Step of the last access of `thread` at `site`; the last step of the thread if the access itself was not recorded.
std::size_t RunStacks::step_of(ThreadId thread, std::uint32_t site) const {
  std::size_t step = steps_of(thread).empty() ? 0 : steps_of(thread).back();
  for (const auto& access : run_.accesses)
    if (access.thread == thread && access.operation.site == site) step = access.step;
  return step;
}

Places RunStacks::places(const process::Stack& stack) const {
  Places frames;
  for (const auto& frame : stack)
    for (const auto& place : names_.code_address(frame.address))
      if (!is_ours(place)) frames.push_back(place);
  return frames;
}

// The frames of a stack that called `function`; nothing if it is not there.
std::optional<Places> RunStacks::callers_in(const process::Stack& stack, const std::string& function) const {
  Places frames;
  bool found = false;
  for (const auto& frame : stack)
    for (const auto& place : names_.code_address(frame.address)) {
      if (found && !is_ours(place)) frames.push_back(place);
      found = found || place.function == function;
    }
  return found ? std::optional(std::move(frames)) : std::nullopt;
}

// Was the program in a library that is not instrumented, whose frames are not recorded?
bool RunStacks::is_within_library(const process::Stack& stack) const {
  for (const auto& frame : stack) {
    const Places places = names_.code_address(frame.address);
    if (places.empty()) return true;
    if (!is_ours(places.back())) return false;
  }
  return false;
}

// All frames but the runtime's and the program's innermost function. If that was in an uninstrumented library, whose caller is
// not recorded, all of the program's frames.
Places RunStacks::outer_frames(const process::Stack& stack) const {
  Places frames;
  bool innermost = !is_within_library(stack);
  for (const auto& frame : stack) {
    const Places places = names_.code_address(frame.address);
    if (places.empty() || is_ours(places.back())) continue;
    if (!std::exchange(innermost, false)) frames.insert(frames.end(), places.begin(), places.end());
  }
  return frames;
}

Places RunStacks::places(const Operation& operation, const process::Stack& stack) const {
  Places places = names_.inlined(operation.site);
  if (places.empty()) return places;
  auto outer = callers_in(stack, places.back().function);
  if (!outer) outer = outer_frames(stack);
  places.insert(places.end(), outer->begin(), outer->end());
  const std::string called = names_.called(operation.site);
  if (called.starts_with("_ZNSt") || called.starts_with("_ZNKSt") || called.starts_with("_ZSt"))
    places.insert(places.begin(), process::Place{"", called, "", 0, 0});
  return places;
}

// Two candidates are enough: the operation before the access and the one after it.
std::vector<std::size_t> RunStacks::near(ThreadId thread, std::size_t event) const {
  const auto& steps = steps_of(thread);
  const auto after = std::upper_bound(steps.begin(), steps.end(), event);
  std::vector<std::size_t> found;
  const auto add = [&](std::size_t step) {
    if (step < run_.stacks.size()) found.push_back(step);
  };
  if (after != steps.begin()) add(*std::prev(after));
  if (after != steps.end()) add(*after);
  return found;
}

// Frames that called the innermost function of `site`, from the recorded stack nearest to `step` that contains that function.
Places RunStacks::callers(ThreadId thread, std::size_t step, const std::string& function) const {
  for (const std::size_t at : near(thread, step))
    if (auto frames = callers_in(run_.stacks[at], function)) return *std::move(frames);
  return {};
}

Places RunStacks::places(ThreadId thread, std::uint32_t site, std::optional<std::size_t> event) const {
  Places places = names_.inlined(site);
  if (places.empty()) return places;
  const Execution& execution = run_.execution;
  if (event && *event < run_.stacks.size() && !run_.stacks[*event].empty()) {
    const Event& step = execution.events[*event];
    if (step.choice.thread == thread && step.operation.site == site) return this->places(step.operation, run_.stacks[*event]);
  }
  const std::string function = places.back().function;
  std::optional<Places> outer;
  if (!event && site == execution.site && thread == execution.thread) outer = callers_in(run_.bug_stack, function);
  if (!event && !outer && site == execution.other_site && thread == execution.other_thread)
    outer = callers_in(run_.other_stack, function);
  const bool at_end = !event || *event + 1 >= execution.events.size();
  const auto waiting = run_.waiting.find(thread);
  const bool waits = at_end && waiting != run_.waiting.end();
  if (waits && !outer) outer = callers_in(waiting->second, function);
  if (!outer) outer = callers(thread, event ? *event : step_of(thread, site), function);
  // Behind a library's code without frame pointers, the function itself is not among the frames.
  const auto& steps = steps_of(thread);
  if (waits && outer->empty() && !steps.empty() && execution.events[steps.back()].next.operation.site == site)
    outer = outer_frames(waiting->second);
  places.insert(places.end(), outer->begin(), outer->end());
  return places;
}

namespace {

std::vector<engine::BugFrame> frames_of(const RunStacks& stacks, ThreadId thread, std::uint32_t site) {
  std::vector<engine::BugFrame> frames;
  for (const auto& place : stacks.places(thread, site))
    if (!is_ours(place)) frames.push_back({process::demangled(place.function), place.file, place.expression});
  return frames;
}

// What each thread was about to do at the end, by number.
std::map<ThreadId, std::uint32_t> last_sites(const Execution& execution) {
  std::map<ThreadId, std::uint32_t> sites;
  const auto take = [&](ThreadId thread, const Operation& next) {
    if (next.kind == INSPECT_OP_None)
      sites.erase(thread);
    else
      sites[thread] = next.site;
  };
  for (const Event& event : execution.events) {
    take(event.choice.thread, event.next.operation);
    for (const auto& change : event.changes) take(change.thread, change.pending.operation);
  }
  return sites;
}

}  // namespace

engine::BugIdentity identity_of(const process::VerboseRun& run, std::uint32_t site, ProcessNames& names) {
  const RunStacks stacks(run, names.process());
  const Execution& execution = run.execution;
  engine::BugIdentity bug;
  bug.kind = static_cast<inspect_bug>(execution.detail);
  bug.message = execution.message;
  // The text of an exception may differ from run to run.
  if (const auto what = bug.message.find(": "); bug.kind == INSPECT_BUG_UNCAUGHT_EXCEPTION && what != std::string::npos)
    bug.message.erase(what);
  if (bug.kind == INSPECT_BUG_DEADLOCK) {
    for (const auto& [thread, at] : last_sites(execution)) bug.stacks.push_back(frames_of(stacks, thread, at));
    return bug;
  }
  bug.stacks.push_back(frames_of(stacks, execution.thread, site));
  if (bug.kind != INSPECT_BUG_DATA_RACE) return bug;
  bug.stacks.push_back(frames_of(stacks, execution.other_thread, execution.other_site));
  bug.object = names.object(execution.address);
  return bug;
}

report::Site user_site(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names) {
  const report::Site own = names.site(site);
  const process::Place at = names.process().place(site);
  if (!is_library(at) && !is_ours(at)) return own;
  for (const auto& place : RunStacks(run, names.process()).places(thread, site))
    if (!is_ours(place) && !is_library(place) && !place.file.empty())
      return {place.file, place.function, place.expression, place.line, place.column};
  return own.in_library() ? own : report::Site{};  // else it is a file of the tool's
}

}  // namespace inspect::native
