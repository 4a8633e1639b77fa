// What a person is told of the run that shows a bug: its message, stacks, what was freed, where it goes wrong.
//
// Guarantees: functions of the run and its names alone. Deliberately unknown here: files of schedules, and the form of a
// report.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "native/labels.hpp"
#include "native/session.hpp"
#include "report/interleaving.hpp"

namespace inspect::native {

class BugStory {
 public:
  BugStory(const process::VerboseRun& run, ProcessNames& names, Labels& labels)
      : run_(run), execution_(run.execution), names_(names), labels_(labels) {}

  [[nodiscard]] report::BugRun tell() const;
  // "read of 4 bytes of pool.stop without order to …": which object the bug is about, where it has a name.
  [[nodiscard]] std::string message(const report::Names& names) const;
  // Where an object that a memory error is about was freed, in the user's code; empty: not known.
  [[nodiscard]] std::string freed_at() const;
  // For people: also which object of the heap, and its name in words.
  [[nodiscard]] std::string told_message() const;

 private:
  // A variable of a function that has returned, at the last step of which is known that it had not.
  struct Returned {
    std::size_t step;
    std::string function, variable;
    ThreadId thread;
    report::Frames frames;
  };

  [[nodiscard]] bool is(inspect_bug kind) const { return execution_.detail == static_cast<std::uint32_t>(kind); }
  [[nodiscard]] bool is_stuck() const { return is(INSPECT_BUG_DEADLOCK) || is(INSPECT_BUG_LIVELOCK); }
  [[nodiscard]] std::size_t end() const { return execution_.events.empty() ? 0 : execution_.events.size() - 1; }
  [[nodiscard]] std::uint32_t bytes() const;
  [[nodiscard]] bool frees() const;  // the end of a block is what is wrong
  [[nodiscard]] std::string block_at(const Operation& operation, std::size_t event) const;
  [[nodiscard]] std::string freed_block() const;
  [[nodiscard]] std::string abandoned_thread() const;
  [[nodiscard]] std::string stuck_message(const report::Names& names) const;
  [[nodiscard]] report::CallStack stack(const std::string& title, ThreadId thread, std::uint32_t site) const;
  [[nodiscard]] report::Frames own_frames() const;
  [[nodiscard]] std::vector<report::CallStack> stacks() const;
  [[nodiscard]] std::vector<report::CallStack> waiting_stacks() const;
  [[nodiscard]] const process::HeapObject* heap_object() const;
  [[nodiscard]] const process::EndOfObject* end_of_object() const;
  [[nodiscard]] std::optional<Returned> returned() const;
  [[nodiscard]] std::optional<report::FurtherLine> cycle_mark() const;
  [[nodiscard]] bool is_last_event() const;
  void mark_other_side(report::BugRun& out) const;
  void add_further(report::BugRun& out) const;
  void add_end(report::BugRun& out) const;

  const process::VerboseRun& run_;
  const Execution& execution_;
  ProcessNames& names_;
  Labels& labels_;
};

}  // namespace inspect::native
