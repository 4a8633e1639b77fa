// Call stacks of the two sides of a data race, and the places of bugs in the user's own code.
#pragma once
#include <vector>

#include "engine/known_bugs.hpp"
#include "native/session.hpp"
#include "report/interleaving.hpp"

namespace inspect::native {

// Empty unless the run ended in a data race. Outer frames of an access without a stack of its own come from the nearest
// recorded one of its thread that has the function.
std::vector<report::CallStack> race_stacks(const process::VerboseRun& run, ProcessNames& names);
// What is compared with bugs known before: of a race both sides, of a deadlock each waiting thread, else the bug's thread, from
// `site`.
engine::BugIdentity identity_of(const process::VerboseRun& run, std::uint32_t site, ProcessNames& names);

// The place of `site`; if that is within a library, where the user's code called it, as far as the recorded stacks tell.
report::Site user_site(const process::VerboseRun& run, ThreadId thread, std::uint32_t site, ProcessNames& names);

}  // namespace inspect::native
