// Does an execution show a data race? Two accesses of different threads that overlap, one of them a write and one of them
// plain, and no synchronisation orders them (SEMANTICS C.1, C.2). To free an object is to write all of it, as a plain write.
//
// Written to be obviously right: clocks, and a list of all accesses so far. Shares nothing with search/cut.
#pragma once
#include <span>

#include "model/execution.hpp"

namespace inspect::oracle {

bool has_data_race(std::span<const Event* const> events);

}  // namespace inspect::oracle
