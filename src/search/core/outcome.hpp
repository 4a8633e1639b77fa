// What executions add to an Outcome; used by the exploration and the samplers.
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

// Adds to outcome.left_out, once.
void leave_out(Outcome& outcome, std::string what);
// Says in outcome.why_not what was left out.
void name_left_out(Outcome& outcome);

}  // namespace inspect::search
