// A bug's schedule made short: fewest context switches first, then fewest steps, of those that were tried and still show the
// bug.
//
// Guarantees: what is returned was run, and ended in the same bug at the same places. The effort is bounded by a number of
// executions, so the result does not depend on the machine unless the seconds are used up first. Deliberately unknown here:
// what a report shows.
#pragma once
#include <vector>

#include "native/session.hpp"
#include "search/search.hpp"

namespace inspect::native {

// False where plain accesses may be scheduling points: with --visible=all, or races that do not end an execution.
bool can_minimise(const inspect_configuration& configuration);

// Returns the bug's own schedule if nothing shorter is found, or it cannot be tried. seconds: 0 or less: does not try.
std::vector<Choice> minimised(Session& session, const search::FoundBug& bug, double seconds);

}  // namespace inspect::native
