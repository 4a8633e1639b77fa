// A recorded schedule in a fresh executor.
//
// With --visible=all, or if the search went on after data races, a plain access is a step only if its location is known to be
// shared, or to have a race, which the recording search had learnt from other executions. The schedule says where those
// locations are. If it does not (version 1), or they are elsewhere now, its steps name the accesses: when a run lacks one, the
// executor learns that location and the run starts again. Guarantees: ends; if the schedule cannot be followed, returns the run
// that follows it longest.
#pragma once
#include <vector>

#include "model/schedule.hpp"
#include "native/session.hpp"

namespace inspect::native {

// Precondition: choices_of() accepts the steps. shown: set to how the run was made, for running it again.
process::VerboseRun rerun(Session& session, const ScheduleFile& file, process::Shown& shown);

// The index of the first step that is not as recorded; the shorter length if one list is a beginning of the other; none if they
// are equal. An empty recorded place equals any place.
std::optional<std::size_t> first_difference(const std::vector<ScheduleStep>& recorded, const std::vector<ScheduleStep>& now);

}  // namespace inspect::native
