#include "native/stacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace inspect::native {
namespace {

// What std::string is called in full would hide the rest.
std::string readable(std::string function) {
  static constexpr std::string_view kFull = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at; (at = function.find(kFull)) != std::string::npos;) function.replace(at, kFull.size(), "std::string");
  return function;
}

std::string frame_text(const process::Place& place) {
  const std::string function = readable(process::demangled(place.function));
  if (place.file.empty()) return function;
  return fmt::format("{} at {}:{}", function.empty() ? "?" : function, place.file, place.line);
}

// Our own frames say nothing about the program.
bool is_ours(const process::Place& place) {
  return place.file.find("inspect-runtime/") != std::string::npos || place.function.starts_with("_ZN7inspect7runtime") ||
         place.function.starts_with("inspect_");
}

// Step of the last access of `thread` at `site`; the last step of the thread if the access itself was not recorded.
std::size_t step_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site) {
  std::size_t step = 0;
  const auto& events = run.execution.events;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].choice.thread == thread) step = i;
  for (const auto& access : run.accesses)
    if (access.thread == thread && access.operation.site == site) step = access.step;
  return step;
}

using Places = std::vector<process::Place>;

// The frames of a stack that called `function`; nothing if it is not there.
std::optional<Places> callers_in(const std::vector<std::uint64_t>& stack, const std::string& function,
                                 const process::Names& names) {
  Places frames;
  bool found = false;
  for (const std::uint64_t address : stack)
    for (const auto& place : names.code_address(address)) {
      if (found && !is_ours(place)) frames.push_back(place);
      found = found || place.function == function;
    }
  return found ? std::optional(std::move(frames)) : std::nullopt;
}

// Frames that called the innermost function of `site`, from the recorded stack nearest to `step` that contains that function.
Places callers(const process::VerboseRun& run, ThreadId thread, std::size_t step, const std::string& function,
               const process::Names& names) {
  const auto& events = run.execution.events;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < std::min(events.size(), run.stacks.size()); ++i)
    if (events[i].choice.thread == thread) steps.push_back(i);
  const auto distance = [&](std::size_t i) { return std::pair(i > step ? i - step : step - i, i); };
  std::sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  // Two candidates are enough: the operation before the access and the one after it.
  for (std::size_t n = 0; n < std::min<std::size_t>(2, steps.size()); ++n)
    if (auto frames = callers_in(run.stacks[steps[n]], function, names)) return *std::move(frames);
  return {};
}

// The place of `site`, what it was inlined into, and the callers.
Places places_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, const process::Names& names) {
  Places places = names.inlined(site);
  if (places.empty()) return places;
  const std::string function = places.back().function;
  std::optional<Places> outer;
  if (site == run.execution.bug_site && thread == run.execution.bug_thread) outer = callers_in(run.bug_stack, function, names);
  if (!outer && site == run.execution.other_site && thread == run.execution.other_thread)
    outer = callers_in(run.other_stack, function, names);
  if (!outer) outer = callers(run, thread, step_of(run, thread, site), function, names);
  places.insert(places.end(), outer->begin(), outer->end());
  return places;
}

report::CallStack stack_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names) {
  report::CallStack stack;
  stack.title = "stack of thread " + names.thread(thread);
  for (const auto& place : places_of(run, thread, site, names.process())) stack.frames.push_back(frame_text(place));
  return stack;
}

}  // namespace

std::vector<report::CallStack> race_stacks(const process::VerboseRun& run, ProcessNames& names) {
  const Execution& execution = run.execution;
  if (execution.end != EndKind::bug || execution.detail != INSPECT_BUG_DATA_RACE) return {};
  return {stack_of(run, execution.bug_thread, execution.bug_site, names),
          stack_of(run, execution.other_thread, execution.other_site, names)};
}

namespace {

std::vector<engine::BugFrame> frames_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site,
                                        ProcessNames& names) {
  std::vector<engine::BugFrame> frames;
  for (const auto& place : places_of(run, thread, site, names.process()))
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
  const Execution& execution = run.execution;
  engine::BugIdentity bug;
  bug.kind = static_cast<inspect_bug>(execution.detail);
  bug.message = execution.message;
  if (bug.kind == INSPECT_BUG_DEADLOCK) {
    for (const auto& [thread, at] : last_sites(execution)) bug.stacks.push_back(frames_of(run, thread, at, names));
    return bug;
  }
  bug.stacks.push_back(frames_of(run, execution.bug_thread, site, names));
  if (bug.kind != INSPECT_BUG_DATA_RACE) return bug;
  bug.stacks.push_back(frames_of(run, execution.other_thread, execution.other_site, names));
  bug.object = names.object(execution.bug_address);
  return bug;
}

report::Site user_site(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names) {
  const report::Site own = names.site(site);
  if (!own.in_library() && !is_ours(names.process().place(site))) return own;
  for (const auto& place : places_of(run, thread, site, names.process())) {
    if (is_ours(place)) continue;
    const report::Site caller{place.file, place.function, place.expression, place.line, place.column};
    if (!place.file.empty() && !caller.in_library()) return caller;
  }
  return own;
}

}  // namespace inspect::native
