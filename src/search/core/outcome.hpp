// What one execution adds to an Outcome, however it came about.
#pragma once

#include "search/search.hpp"

namespace inspect::search {

// The bug that ended it, without schedule and events.
FoundBug bug_of(const Execution& execution);
bool same_bug(const FoundBug& a, const FoundBug& b);

// Did the bug cut the execution short, so that what other threads would have done is not known?
bool cuts_short(std::uint32_t bug);

// Has the search reached a limit of the options? Says so in outcome.why_not.
bool reached_limit(const Options& options, Outcome& outcome);

// Says in outcome.why_not what the bound on preemptions left out.
void name_bound(const Options& options, Outcome& outcome);

}  // namespace inspect::search
