#include "report/interleaving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/action.hpp"
#include "report/place.hpp"
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

// Objects that more than one thread touches by plain accesses, or that matter: the others only lengthen the text. So do
// accesses in the insides of a library, to whatever does not matter.
std::set<std::uint64_t> shown_objects(const BugRun& run) {
  std::map<std::uint64_t, ThreadId> first;
  std::set<std::uint64_t> shown(run.objects.begin(), run.objects.end());
  for (const auto& access : run.accesses) {
    const auto [at, fresh] = first.emplace(access.operation.object, access.thread);
    if (!fresh && at->second != access.thread) shown.insert(access.operation.object);
  }
  return shown;
}

// Is the access already there as a step (plain accesses are steps with --visible=all)?
bool is_step(const PlainAccess& access, std::span<const Event> events) {
  if (access.event >= events.size()) return false;
  const Operation& step = events[access.event].operation;
  return step.kind == access.operation.kind && step.object == access.operation.object && step.site == access.operation.site;
}

// A hook sees a plain write before it happens. What it wrote is what the next access to the same bytes finds there.
class WrittenValues {
 public:
  explicit WrittenValues(const BugRun& run) {
    // Backwards, so that the next access is known.
    auto access = run.accesses.rbegin();
    for (std::size_t i = run.events.size(); i-- > 0;) {
      for (; access != run.accesses.rend() && access->event >= i; ++access)
        if (!is_step(*access, run.events)) of_access_[&*access] = pass(access->operation, access->before);
      const Event& event = run.events[i];
      of_event_[i] = pass(event.operation, event.read);
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> of(const PlainAccess& access) const { return of_access_.at(&access); }
  [[nodiscard]] std::optional<std::uint64_t> of_event(std::size_t i) const { return of_event_.at(i); }

 private:
  // Value that the next access to the bytes of `operation` finds; then `before` is what a preceding one has left there.
  std::optional<std::uint64_t> pass(const Operation& operation, std::uint64_t before) {
    const bool plain = operation.kind == INSPECT_OP_PlainRead || operation.kind == INSPECT_OP_PlainWrite;
    const bool reads = plain || operation.kind == INSPECT_OP_AtomicLoad || operation.kind == INSPECT_OP_AtomicRmw ||
                       operation.kind == INSPECT_OP_AtomicCas;
    const auto key = std::pair(operation.object, operation.size);
    const auto next = next_.find(key);
    const std::optional<std::uint64_t> found = next == next_.end() ? std::nullopt : std::optional(next->second);
    if (reads)
      next_[key] = before;
    else if (operation.kind == INSPECT_OP_AtomicStore)
      next_.erase(key);
    return found;
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> next_;
  std::map<const PlainAccess*, std::optional<std::uint64_t>> of_access_;
  std::map<std::size_t, std::optional<std::uint64_t>> of_event_;
};

std::string event_text(const BugRun& run, std::size_t i, const WrittenValues& values, const Names& names,
                       const Frames& frames) {
  const Event& event = run.events[i];
  if (event.operation.kind != INSPECT_OP_PlainWrite) return action_text(event, names, i, frames);
  return memory_text(event.operation, event.read, values.of_event(i), names, i, frames);
}

std::string line_of(const std::string& location) {
  const Place at = parse_place(location);
  return at.line ? fmt::format("{}:{}", at.file, at.line) : location;
}

std::vector<PlaceNote> accesses_of(const RecordedBug& bug) {
  const auto line = [](const std::string& location) { return location == "?" ? location : line_of(location); };
  return {{"one access, thread " + bug.thread + ": " + bug.message, line(bug.place)},
          {"the other access, another thread", line(bug.other_place)}};
}

}  // namespace

std::vector<Turn> turns_of(std::span<const Event> events) {
  std::vector<Turn> turns;
  for (std::size_t i = events.size(); i-- > 1;) {
    const ThreadId left = events[i - 1].choice.thread, taken = events[i].choice.thread;
    if (taken == left) continue;
    const ThreadSet& enabled = events[i - 1].enabled;
    if (enabled.contains(left)) turns.push_back({i, left});
    for (ThreadId other = 0; other < kMaxThreads; ++other)
      if (other != left && other != taken && enabled.contains(other)) turns.push_back({i, other});
  }
  return turns;
}

namespace {

// The lines of a run, as they come.
class Lines {
 public:
  Lines(const BugRun& run, const Names& names, Interleaving& out)
      : run_(run), names_(names), out_(out), columns_(out.threads), shown_(shown_objects(run)), values_(run) {}

  void write() {
    for (std::size_t i = 0; i < run_.events.size(); ++i) {
      const Event& event = run_.events[i];
      Frames frames = names_.frames(event.choice.thread, event.operation.site, i);
      std::string action = event_text(run_, i, values_, names_, frames);
      const bool decisive = run_.turn && run_.turn->event == i;
      if (decisive) out_.critical = critical_words(*run_.turn, user_place(frames));
      add(event.choice.thread, i + 1, std::move(action), std::move(frames), decisive);
      step_line_ = out_.lines.size() - 1;
      out_.lines.back().at_bug = std::ranges::find(run_.marked, i) != run_.marked.end();
      order(event, i);
      behind(i);
    }
  }

 private:
  // What locks change hands, and behind which step of another thread this one is ordered: the last one on the same object,
  // unless both only read.
  void order(const Event& event, std::size_t i) {
    const Operation& o = event.operation;
    InterleavingLine& line = out_.lines.back();
    const bool failed = o.flags & INSPECT_FLAG_FAILED;
    if (o.kind == INSPECT_OP_CondWait && o.object2) line.gives = names_.label(o.object2, 1, i);
    if (!failed && inspect_acquires(o.kind)) line.takes = names_.label(o.object, 1, i);
    if (!failed && inspect_releases(o.kind)) line.gives = names_.label(o.object, 1, i);
    for (const std::uint64_t object : {o.object, o.object2}) {
      if (!object) continue;
      const bool writes = inspect_effect_of(o.kind) != INSPECT_EFFECT_Read && !failed;
      const auto [last, fresh] = last_.try_emplace(object, Last{event.choice.thread, i + 1, writes});
      if (!fresh && last->second.thread != event.choice.thread && (writes || last->second.writes))
        line.after = std::max(line.after, last->second.step);
      last->second = {event.choice.thread, i + 1, writes};
    }
  }

  // The user's place at which the thread stood that could have gone on, and the one at which it goes on.
  [[nodiscard]] std::string critical_words(const Turn& turn, const std::string& taken_over_at) const {
    const std::size_t i = turn.event;
    const ThreadId left = turn.other, taken = run_.events[i].choice.thread;
    std::string before = "?", behind = "?";
    for (auto line = out_.lines.rbegin(); line != out_.lines.rend() && before == "?"; ++line)
      if (out_.threads[line->column] == names_.thread(left)) before = line->place;
    for (std::size_t k = i; k < run_.events.size() && behind == "?"; ++k)
      if (run_.events[k].choice.thread == left) behind = user_place(names_.frames(left, run_.events[k].operation.site, k));
    std::string out = "goes wrong if thread " + names_.thread(taken) + " runs";
    if (before != "?" && behind != "?" && before != behind)
      out += " between " + before + " and " + behind + " of thread " + names_.thread(left);
    else if (before != "?")
      out += " after " + before + " of thread " + names_.thread(left) + (behind == before ? ", before that line is done" : "");
    else if (behind != "?")
      out += " before " + behind + " of thread " + names_.thread(left);
    else
      out += " before thread " + names_.thread(left) + " goes on";
    return taken_over_at == "?" ? out : out + " (at " + taken_over_at + ")";
  }

  // What the transition did besides its step, in the order in which it did it.
  void behind(std::size_t i) {
    const auto number = [&] { return static_cast<std::size_t>(access_ - run_.accesses.begin()); };
    for (;;) {
      const bool more = access_ != run_.accesses.end() && access_->event <= i;
      if (further_ != run_.further.end() && further_->event <= i && (!more || further_->behind <= number())) {
        add(further_->thread, 0, further_->action, further_->frames);
        out_.lines.back().at_bug = further_->at_bug;
        ++further_;
      } else if (more) {
        access(*access_++, i);
      } else {
        return;
      }
    }
  }

  void access(const PlainAccess& access, std::size_t i) {
    const Operation& operation = access.operation;
    if (is_step(access, run_.events)) {
      if (access.at_bug) out_.lines[step_line_].at_bug = true;
      return;
    }
    if (!shown_.contains(operation.object)) return;
    Frames frames = names_.frames(access.thread, operation.site, i);
    const bool matters =
        access.at_bug || std::find(run_.objects.begin(), run_.objects.end(), operation.object) != run_.objects.end();
    const bool hidden =
        frames.empty() || frames.front().library || names_.label(operation.object, operation.size, i).starts_with("std::");
    if (!matters && hidden) return;
    std::string action = memory_text(operation, access.before, values_.of(access), names_, i, frames);
    add(access.thread, 0, std::move(action), std::move(frames));
    out_.lines.back().at_bug = access.at_bug;
  }

  void add(ThreadId thread, std::size_t step, std::string action, Frames frames, bool decisive = false) {
    std::string place = user_place(frames);
    out_.lines.push_back({.column = columns_.of(names_.thread(thread)),
                          .step = step,
                          .action = std::move(action),
                          .place = std::move(place),
                          .decisive = decisive,
                          .frames = std::move(frames)});
  }

  const BugRun& run_;
  const Names& names_;
  Interleaving& out_;
  Columns columns_;
  std::set<std::uint64_t> shown_;
  WrittenValues values_;
  struct Last {
    ThreadId thread;
    std::size_t step;
    bool writes;
  };
  std::map<std::uint64_t, Last> last_;  // by object
  std::size_t step_line_ = 0;           // of the present step
  std::vector<PlainAccess>::const_iterator access_ = run_.accesses.begin();
  std::vector<FurtherLine>::const_iterator further_ = run_.further.begin();
};

}  // namespace

Interleaving interleaving_of(const BugRun& run, const RecordedBug& bug, const Names& names) {
  Interleaving out;
  out.bug = bug;
  Lines(run, names, out).write();
  if (bug.kind == "deadlock" || bug.kind == "livelock") {
    out.waits = waits_of(run.events, names);
    out.waiting = wait_edges(run.events, names);
  }
  out.stacks = run.stacks;
  return out;
}

Interleaving interleaving_of(const ScheduleFile& file) {
  Interleaving out;
  out.bug = file.bug;
  Columns columns(out.threads);
  struct Last {
    std::string thread;
    std::size_t step;
    bool writes;
  };
  std::map<std::string, Last> before;  // by object
  for (std::size_t i = 0; i < file.steps.size(); ++i) {
    const ScheduleStep& step = file.steps[i];
    if (file.cycle.value_or(0) && i + *file.cycle == file.steps.size())
      out.lines.push_back({.column = columns.of(step.thread), .action = kCycleMark, .place = "?"});
    const bool is_ours =
        step.place.find("inspect-standard/") != std::string::npos || step.place.find("inspect-runtime/") != std::string::npos;
    out.lines.push_back(
        {.column = columns.of(step.thread), .step = i + 1, .action = action_text(step), .place = is_ours ? "?" : step.place});
    if (step.object == "-" || step.object == "?") continue;
    // As for a run, but whether an operation failed is not recorded.
    const bool writes = inspect_effect_of(step.kind) != INSPECT_EFFECT_Read;
    const auto [last, fresh] = before.try_emplace(step.object, Last{step.thread, i + 1, writes});
    if (!fresh && last->second.thread != step.thread && (writes || last->second.writes))
      out.lines.back().after = last->second.step;
    last->second = {step.thread, i + 1, writes};
  }
  if (file.bug.other_place != "-") out.accesses = accesses_of(file.bug);
  return out;
}

std::vector<ScheduleStep> steps_of(std::span<const Event> events, const Names& names) {
  std::vector<ScheduleStep> steps;
  steps.reserve(events.size());
  for (const Event& event : events) {
    const auto kind = static_cast<inspect_kind>(event.operation.kind);
    steps.push_back({names.thread(event.choice.thread), kind, step_object(event, names),
                     names.site(event.operation.site).place(),
                     choice_text(kind, event.choice.alternative, [&](ThreadId t) { return names.thread(t); })});
  }
  return steps;
}

}  // namespace inspect::report
