// What the options of a check mean to the native engine: which search, what its verdict says of it, and what the runtime is
// told.
//
// Guarantees: recorded_options() names all options that change how a schedule runs.
#pragma once
#include <string>
#include <vector>

#include "engine/options.hpp"
#include "hooks/channel.h"
#include "model/verdict.hpp"
#include "search/search.hpp"

namespace inspect::native {

// What in the options asks for a search of that kind, as the user spells it; empty: nothing does.
std::string needs_states(const engine::Options& options);      // the identities of states
std::string needs_code(const engine::Options& options);        // code that did not run (--inspect-code)
std::string needs_one_worker(const engine::Options& options);  // neither others nor checkpoints
// Does an execution go on after a data race?
bool races_go_on(const engine::Options& options);

// The verdict before anything ran: algorithm, limits, seed.
Verdict verdict_frame(const engine::Options& options);

// With the limits of verdict_frame().
search::Options search_options(const engine::Options& options);

inspect_configuration configuration_of(const engine::Options& options);

// The options that a schedule file records; the command line makes the same configuration of them.
std::vector<std::string> recorded_options(const inspect_configuration& configuration);

}  // namespace inspect::native
