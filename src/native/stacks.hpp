// Call stacks and places of a run that shows a bug, innermost frame first.
//
// Guarantees: only frames of the program and its libraries. An access without a stack of its own gets its outer frames from the
// nearest recorded stack of its thread that contains its function. Deliberately unknown here: names for people (labels.hpp),
// and the form of a report.
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

// Is it a frame of inspect's runtime?
bool is_ours(const process::Place& place);
// Is it in the system's headers, or in the templates that stand in for the C++ library's?
bool is_library(const process::Place& place);

class RunStacks {
 public:
  RunStacks(const process::VerboseRun& run, const process::Names& names);

  // The place of `site`, what it was inlined into, and the callers: at `event`, or at the thread's last access at that site.
  [[nodiscard]] Places places(ThreadId thread, std::uint32_t site, std::optional<std::size_t> event = std::nullopt) const;
  // The place of the operation and the callers, from the stack that was recorded there. If the operation is a call of the C++
  // library without code of its own here, that function comes first.
  [[nodiscard]] Places places(const Operation& operation, const process::Stack& stack) const;
  // All frames of a recorded stack but ours.
  [[nodiscard]] Places places(const process::Stack& stack) const;
  // The thread's last step up to that event, and its first one after it, if their stacks were recorded.
  [[nodiscard]] std::vector<std::size_t> near(ThreadId thread, std::size_t event) const;
  // The thread's steps, in order.
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

// The bug's identity: the stacks of both sides of a race, of each waiting thread of a deadlock, else that of the bug's thread
// at `site`.
engine::BugIdentity identity_of(const process::VerboseRun& run, std::uint32_t site, ProcessNames& names);

// The place of `site`; if that is in a library, where the user's code called it, if the recorded stacks tell.
report::Site user_site(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names);

}  // namespace inspect::native
