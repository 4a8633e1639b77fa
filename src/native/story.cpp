#include "native/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "process/symbols.hpp"
#include "report/action.hpp"
#include "report/waits.hpp"

namespace inspect::native {
namespace {

bool overlap(std::uint64_t a, std::uint32_t a_bytes, std::uint64_t b, std::uint32_t b_bytes) {
  return a < b + std::max(b_bytes, 1u) && b < a + std::max(a_bytes, 1u);
}

}  // namespace

report::BugRun BugStory::tell() const {
  report::BugRun out{.events = execution_.events, .stacks = stacks()};
  for (const auto& access : run_.accesses) out.accesses.push_back({access.step, access.thread, access.operation, access.value});
  if (execution_.address) out.objects.push_back(execution_.address);
  // The other side of a race may begin at another byte.
  for (const auto& access : out.accesses)
    if (access.operation.site == execution_.other_site && access.thread == execution_.other_thread)
      out.objects.push_back(access.operation.object);
  mark_other_side(out);
  add_further(out);
  return out;
}

std::string BugStory::message(const report::Names& names) const {
  if (is(INSPECT_BUG_DEADLOCK)) return stuck_message(names);
  std::string text = execution_.message;
  const std::string object = execution_.address ? names.label(execution_.address, bytes(), end()) : "";
  if (is(INSPECT_BUG_DATA_RACE) && !object.empty())
    if (const auto at = text.find(" without order"); at != std::string::npos) text.insert(at, " of " + object);
  return text;
}

std::string BugStory::freed_at() const {
  const auto* end = end_of_object();
  if (end)
    for (const auto& place : labels_.stacks().places(end->stack))
      if (!is_library(place) && place.line)
        return fmt::format("{}:{}:{}", names_.process().shown_path(place.file), place.line, place.column);
  return {};
}

std::string BugStory::told_message() const {
  std::string text = message(names_);
  if (is(INSPECT_BUG_ASSERTION)) return text + abandoned_thread();
  if (!is(INSPECT_BUG_MEMORY_ERROR) || !execution_.address) return text;
  const std::string object = frees() ? freed_block() : names_.label(execution_.address, bytes(), end());
  return object.empty() ? text : text + ": " + object;
}

// Of the access that ended the run, as its message says.
std::uint32_t BugStory::bytes() const {
  const auto at = execution_.message.find(" of ");
  const int count = at == std::string::npos ? 0 : std::atoi(execution_.message.c_str() + at + 4);
  return count > 0 ? static_cast<std::uint32_t>(count) : 1;
}

// Of a termination: the commonest reason, which only the frames tell.
std::string BugStory::abandoned_thread() const {
  if (!execution_.message.starts_with("std::terminate")) return {};
  for (const report::Frame& frame : own_frames())
    if (frame.library &&
        (frame.function.starts_with("std::thread::~thread(") || frame.function.starts_with("std::thread::operator=(")))
      return ": a std::thread was left that had been neither joined nor detached";
  return {};
}

bool BugStory::frees() const { return is(INSPECT_BUG_MEMORY_ERROR) && execution_.message.starts_with("free of "); }

// The whole block, not the first member of what is in it.
std::string BugStory::block_at(const Operation& operation, std::size_t event) const {
  const std::string whole = labels_.heap_name(operation.object);
  return whole.empty() ? names_.label(operation.object, operation.size, event) : whole;
}

std::string BugStory::freed_block() const {
  Operation operation{};
  operation.object = execution_.address;
  operation.size = bytes();
  return block_at(operation, end());
}

std::string BugStory::stuck_message(const report::Names& names) const {
  std::string out;
  for (const auto& wait : report::waits_in_brief(execution_.events, names)) out += (out.empty() ? "" : ", ") + wait;
  return out.empty() ? execution_.message : "every thread waits: " + out;
}

report::CallStack BugStory::stack(const std::string& title, ThreadId thread, std::uint32_t site) const {
  return {title + " thread " + names_.thread(thread), labels_.frames(labels_.stacks().places(thread, site))};
}

report::Frames BugStory::own_frames() const {
  report::Frames own = labels_.frames(labels_.stacks().places(execution_.thread, execution_.site));
  report::Frames recorded = labels_.frames(labels_.stacks().places(run_.bug_stack));
  return own.size() < 2 && report::user_place(recorded) != "?" ? recorded : own;
}

std::vector<report::CallStack> BugStory::stacks() const {
  if (is_stuck()) return waiting_stacks();
  std::vector<report::CallStack> out;
  if (report::Frames own = own_frames(); !own.empty())
    out.push_back({"stack of thread " + names_.thread(execution_.thread), std::move(own)});
  if (process::is_unordered(execution_)) out.push_back(stack("stack of", execution_.other_thread, execution_.other_site));
  if (const auto* end = end_of_object())
    out.push_back({"freed by thread " + names_.thread(end->thread), labels_.frames(labels_.stacks().places(end->stack))});
  if (auto over = returned())
    out.push_back({over->variable + " was a variable of thread " + names_.thread(over->thread), std::move(over->frames)});
  if (const auto* object = is(INSPECT_BUG_MEMORY_ERROR) ? heap_object() : nullptr)
    out.push_back({object->is_of_boot() ? "allocated before main" : "allocated by thread " + names_.thread(object->thread),
                   labels_.frames(labels_.stacks().places(object->stack))});
  return out;
}

std::vector<report::CallStack> BugStory::waiting_stacks() const {
  std::vector<report::CallStack> out;
  for (const auto& wait : report::waiting_threads(execution_.events, names_)) {
    const auto recorded = run_.waiting.find(wait.thread);
    const Places places = recorded == run_.waiting.end() ? labels_.stacks().places(wait.thread, wait.operation.site, end())
                                                         : labels_.stacks().places(wait.operation, recorded->second);
    out.push_back({fmt::format("thread {} waits for {}", names_.thread(wait.thread), wait.awaited), labels_.frames(places)});
  }
  return out;
}

const process::HeapObject* BugStory::heap_object() const {
  return execution_.address ? labels_.heap_object(execution_.address) : nullptr;
}

// That the object which a memory error is about was freed.
const process::EndOfObject* BugStory::end_of_object() const {
  if (!is(INSPECT_BUG_MEMORY_ERROR) || !execution_.address) return nullptr;
  for (const auto& end : run_.ends)
    if (execution_.address - end.operation.object < std::max(end.operation.size, 1u)) return &end;
  return nullptr;
}

std::optional<BugStory::Returned> BugStory::returned() const {
  if (!is(INSPECT_BUG_MEMORY_ERROR) || execution_.message.find("whose function has returned") == std::string::npos)
    return std::nullopt;
  const auto frame = labels_.last_frame_with(execution_.address, bytes());
  if (!frame) return std::nullopt;
  report::Frames frames = labels_.frames(frame->places);
  if (frames.empty() || frames.front().function.empty()) return std::nullopt;
  std::string function = frames.front().function, variable = names_.label(execution_.address, bytes(), end());
  return Returned{frame->step, std::move(function), std::move(variable), frame->thread, std::move(frames)};
}

// Before the first step that repeats for ever.
std::optional<report::FurtherLine> BugStory::cycle_mark() const {
  const std::size_t steps = execution_.events.size(), cycle = run_.cycle.value_or(0);
  if (!cycle || cycle >= steps) return std::nullopt;
  const std::size_t before = steps - cycle - 1;
  return report::FurtherLine{.event = before,
                             .behind = run_.accesses.size(),
                             .thread = execution_.events[before].choice.thread,
                             .action = report::kCycleMark};
}

// Of a race, by step: the last access of the other thread at that place to the same bytes.
void BugStory::mark_other_side(report::BugRun& out) const {
  if (!process::is_unordered(execution_)) return;
  const auto is_other = [&](ThreadId thread, const Operation& o) {
    return thread == execution_.other_thread && o.site == execution_.other_site &&
           (overlap(o.object, o.size, execution_.address, bytes()) || o.object2 == execution_.address);
  };
  const auto access =
      std::find_if(out.accesses.rbegin(), out.accesses.rend(), [&](const auto& a) { return is_other(a.thread, a.operation); });
  if (access != out.accesses.rend()) access->at_bug = true;
  for (std::size_t i = execution_.events.size(); i-- > 0;) {
    const Event& event = execution_.events[i];
    if (!is_other(event.choice.thread, event.operation)) continue;
    if (access == out.accesses.rend() || access->event < i) out.marked.push_back(i);
    return;
  }
}

void BugStory::add_further(report::BugRun& out) const {
  if (const auto* end = end_of_object())
    out.further.push_back({.event = end->step,
                           .behind = end->accesses_before,
                           .thread = end->thread,
                           .action = "frees " + block_at(end->operation, end->step),
                           .frames = labels_.frames(labels_.stacks().places(end->stack)),
                           .at_bug = true});
  if (const auto over = returned()) {
    const auto later = std::ranges::find_if(run_.accesses, [&](const auto& access) { return access.step > over->step; });
    out.further.push_back({.event = over->step,
                           .behind = static_cast<std::size_t>(later - run_.accesses.begin()),
                           .thread = over->thread,
                           .action = fmt::format("returns from {}, which ends {}", over->function, over->variable),
                           .at_bug = true});
  }
  add_end(out);
  if (auto mark = cycle_mark()) out.further.push_back(*std::move(mark));
  // In the order of the run; there are few.
  const auto before = [](const report::FurtherLine& a, const report::FurtherLine& b) {
    return std::pair(a.event, a.behind) < std::pair(b.event, b.behind);
  };
  for (auto line = out.further.begin(); line != out.further.end(); ++line)
    std::rotate(std::upper_bound(out.further.begin(), line, *line, before), line, line + 1);
}

// Is what ended the run a step of its own?
bool BugStory::is_last_event() const {
  const Event& last = execution_.events.back();
  if (is(INSPECT_BUG_EXIT_STATUS)) return inspect_family_of(last.operation.kind) == INSPECT_FAMILY_Process;
  return last.choice.thread == execution_.thread && execution_.site && last.operation.site == execution_.site;
}

// Where it goes wrong: the access that completes a race or is a memory error ends the execution before it is logged, and so
// does a failing assertion. Of threads that are stuck, what each waits for.
void BugStory::add_end(report::BugRun& out) const {
  if (execution_.events.empty() || is(INSPECT_BUG_TEMPORAL)) return;
  const auto add = [&](ThreadId thread, std::string action, report::Frames frames) {
    out.further.push_back({.event = end(),
                           .behind = run_.accesses.size(),
                           .thread = thread,
                           .action = std::move(action),
                           .frames = std::move(frames),
                           .at_bug = true});
  };
  if (is_stuck()) {
    const auto stacks = waiting_stacks();
    const auto waiting = report::waiting_threads(execution_.events, names_);
    for (std::size_t i = 0; i < waiting.size(); ++i)
      add(waiting[i].thread, "waits for " + waiting[i].awaited, stacks[i].frames);
    return;
  }
  if (is_last_event()) return out.marked.push_back(end());
  const bool is_access = is(INSPECT_BUG_DATA_RACE) || is(INSPECT_BUG_MEMORY_ERROR);
  if (!is_access) {
    report::Frames frames = own_frames();
    if (report::user_place(frames) != "?") add(execution_.thread, told_message(), std::move(frames));
    return;
  }
  Operation operation{};
  operation.kind = INSPECT_OP_PlainRead;
  operation.object = execution_.address;
  operation.site = execution_.site;
  operation.size = bytes();
  std::string verb = execution_.message.substr(0, execution_.message.find(" of "));
  std::string object = execution_.address ? report::object_label(operation, names_, end()) : "";
  if (frees() || (is(INSPECT_BUG_MEMORY_ERROR) && process::is_unordered(execution_))) {
    verb = "frees";
    object = freed_block();
  }
  add(execution_.thread, object.empty() ? execution_.message : (verb.size() < 16 ? verb : "uses") + ' ' + object,
      labels_.frames(labels_.stacks().places(execution_.thread, execution_.site)));
}

}  // namespace inspect::native
