// A recorded schedule in a fresh executor.
//
// With --visible=all, or where the search went on behind data races, a plain access is a step only where its location is known
// to be shared, or to have a race, which the recording search had learnt from other executions. The schedule says where those
// locations are. Where it does not (version 1), or they are elsewhere now, its steps name the accesses: a run that lacks one
// teaches the executor that location and starts again. Guarantees: ends; a schedule that cannot be followed gives the run that
// follows it longest.
#pragma once
#include <vector>

#include "model/schedule.hpp"
#include "native/session.hpp"

namespace inspect::native {

// The steps must be such that choices_of takes them.
// `shown`: how it was shown, for running it again.
process::VerboseRun rerun(Session& session, const ScheduleFile& file, process::Shown& shown);

// Where a recorded place is empty any place will do. Index of the first step that is not as recorded, the shorter length if one
// goes on where the other ends; none if all are equal.
std::optional<std::size_t> first_difference(const std::vector<ScheduleStep>& recorded, const std::vector<ScheduleStep>& now);

}  // namespace inspect::native
