// Random model programs, and smaller ones that still fail.
#pragma once
#include <functional>

#include "base/random.hpp"
#include "oracle/model.hpp"

namespace inspect::oracle {

// Each function's program depends on the seed alone. This one picks a few kinds of objects, so that threads meet on them.
ModelProgram random_program(std::uint64_t seed);

// One in which most threads wait in loops for values that others write.
ModelProgram waiting_program(std::uint64_t seed);

// One in which most of what threads do is compare-exchanges of a few cells, written in other ways too, and at times once-only
// initialisations, some of which are aborted.
ModelProgram exchanging_program(std::uint64_t seed);

// One in which several threads have the same code; main mostly joins them all, at times with a load in between.
ModelProgram symmetric_program(std::uint64_t seed);

// One with plain accesses, most of them under locks, and branches on what was read: some have data races, some have none.
ModelProgram locking_program(std::uint64_t seed);

// Removes instructions and threads as long as `fails` stays true; `fails(program)` must hold.
ModelProgram shrink(ModelProgram program, const std::function<bool(const ModelProgram&)>& fails);

}  // namespace inspect::oracle
