// Call stacks and places of a run that shows a bug: what was under way where, innermost first.
//
// Guarantees: none but the program's and its libraries' frames; outer frames of an access without a stack of its own come from
// the nearest recorded one of its thread that has the function. Deliberately unknown here: what things are called for people
// (labels.hpp), and the form of a report.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/known_bugs.hpp"
#include "process/names.hpp"
#include "process/native_program.hpp"
#include "report/names.hpp"

namespace inspect::native {

class ProcessNames;
using Places = std::vector<process::Place>;

// Our own frames say nothing about the program.
bool is_ours(const process::Place& place);
// Of the system's headers, or of the templates that stand in for the C++ library's.
bool is_library(const process::Place& place);

class RunStacks {
 public:
  RunStacks(const process::VerboseRun& run, const process::Names& names);

  // The place of `site`, what it was inlined into, and the callers; of the last access of the thread there unless `event` says
  // which.
  [[nodiscard]] Places places(ThreadId thread, std::uint32_t site, std::optional<std::size_t> event = std::nullopt) const;
  // The place of the operation and the callers, from the stack that was recorded there; in front, what function of the C++
  // library was called, if it was one that has no code of its own here.
  [[nodiscard]] Places places(const Operation& operation, const process::Stack& stack) const;
  // All frames of a recorded stack but ours.
  [[nodiscard]] Places places(const process::Stack& stack) const;
  // Of the thread at or before that event, then after it: steps whose stacks were recorded.
  [[nodiscard]] std::vector<std::size_t> near(ThreadId thread, std::size_t event) const;
  // Where all of the thread's frames were recorded, the last first.
  [[nodiscard]] const std::vector<std::size_t>& steps_of(ThreadId thread) const;

 private:
  [[nodiscard]] std::size_t step_of(ThreadId thread, std::uint32_t site) const;
  [[nodiscard]] std::optional<Places> callers_in(const process::Stack& stack, const std::string& function) const;
  [[nodiscard]] Places outer_frames(const process::Stack& stack) const;
  [[nodiscard]] bool is_within_library(const process::Stack& stack) const;
  [[nodiscard]] Places callers(ThreadId thread, std::size_t step, const std::string& function) const;

  const process::VerboseRun& run_;
  const process::Names& names_;
  std::map<ThreadId, std::vector<std::size_t>> steps_;
};

// What is compared with bugs known before: of a race both sides, of a deadlock each waiting thread, else the bug's thread, from
// `site`.
engine::BugIdentity identity_of(const process::VerboseRun& run, std::uint32_t site, ProcessNames& names);

// The place of `site`; if that is within a library, where the user's code called it, as far as the recorded stacks tell.
report::Site user_site(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names);

}  // namespace inspect::native
