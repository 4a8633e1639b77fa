#include "cli/stacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace inspect::cli {
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
  return place.function.starts_with("inspect::runtime::") || place.function.starts_with("inspect_");
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

// Frames that called the innermost function of `site`, from the recorded stack nearest to `step` that contains that function.
std::vector<std::string> callers(const process::VerboseRun& run, ThreadId thread, std::size_t step, const std::string& function,
                                 const process::Names& names) {
  const auto& events = run.execution.events;
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < std::min(events.size(), run.stacks.size()); ++i)
    if (events[i].choice.thread == thread) steps.push_back(i);
  const auto distance = [&](std::size_t i) { return std::pair(i > step ? i - step : step - i, i); };
  std::sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  // Two candidates are enough: the operation before the access and the one after it.
  for (std::size_t n = 0; n < std::min<std::size_t>(2, steps.size()); ++n) {
    std::vector<std::string> frames;
    bool found = false;
    for (const std::uint64_t address : run.stacks[steps[n]])
      for (const auto& place : names.code_address(address)) {
        if (found && !is_ours(place)) frames.push_back(frame_text(place));
        found = found || place.function == function;
      }
    if (found) return frames;
  }
  return {};
}

report::CallStack stack_of(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names) {
  report::CallStack stack;
  stack.title = "stack of thread " + names.thread(thread);
  const auto inner = names.process().inlined(site);
  for (const auto& place : inner) stack.frames.push_back(frame_text(place));
  if (inner.empty()) return stack;
  const auto outer = callers(run, thread, step_of(run, thread, site), inner.back().function, names.process());
  stack.frames.insert(stack.frames.end(), outer.begin(), outer.end());
  return stack;
}

}  // namespace

std::vector<report::CallStack> race_stacks(const process::VerboseRun& run, ProcessNames& names) {
  const Execution& execution = run.execution;
  if (execution.end != EndKind::bug || execution.detail != INSPECT_BUG_DATA_RACE) return {};
  return {stack_of(run, execution.bug_thread, execution.bug_site, names),
          stack_of(run, execution.other_thread, execution.other_site, names)};
}

}  // namespace inspect::cli
