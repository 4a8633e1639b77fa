// A bug's schedule made short: fewest context switches first, then fewest steps, of those that were tried and still show the
// bug.
//
// Guarantees: what is returned was run, and ended in the same bug at the same places; the effort is bounded by executions, so
// that the result does not depend on the machine unless the seconds are used up first. Deliberately unknown here: what a report
// shows.
#pragma once
#include <vector>

#include "native/session.hpp"
#include "search/search.hpp"

namespace inspect::native {

// The schedule itself where nothing shorter was found, or where plain accesses may become scheduling points on the way.
std::vector<Choice> minimised(Session& session, const search::FoundBug& bug, double seconds);

}  // namespace inspect::native
