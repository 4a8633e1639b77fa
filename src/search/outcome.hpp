// What one execution adds to an Outcome, however it came about.
#pragma once

#include "search/search.hpp"

namespace inspect::search {

// The bug that ended it, without schedule and events.
FoundBug bug_of(const Execution& execution);
// Is it the bug that ended this execution?
bool same_bug(const FoundBug& bug, const Execution& execution);

// Has the search reached a limit of the options? Says so in outcome.why_not.
bool reached_limit(const Options& options, Outcome& outcome);

}  // namespace inspect::search
