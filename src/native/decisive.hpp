// Where a schedule turned towards its bug: the last switch between threads at which another thread could have gone on, and all
// would have gone well. Each is tried by running the program, so that no switch is blamed that does not matter.
//
// Guarantees: nothing where it goes wrong whichever thread goes on, as far as that was tried; bounded effort.
#pragma once
#include <optional>

#include "native/session.hpp"
#include "process/native_program.hpp"
#include "report/interleaving.hpp"

namespace inspect::native {

// execution: one that ended in a bug, shown as `shown` says. Nothing: there is none, or it cannot be tried.
std::optional<report::Turn> decisive_turn(Session& session, const Execution& execution, const process::Shown& shown);

}  // namespace inspect::native
