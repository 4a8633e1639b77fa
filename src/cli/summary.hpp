// From what a search and its executor saw to the verdict.
//
// Guarantees: whatever was left out by search or runtime takes the verdict away from verified (SEMANTICS K).
#pragma once
#include "cli/session.hpp"
#include "model/verdict.hpp"
#include "search/search.hpp"

namespace inspect::cli {

// The verdict before anything ran: engine, algorithm, limits, seed, from the command line.
Verdict verdict_frame(const CommandLine& line);

// What stands against verified.
Findings findings_of(const search::Outcome& outcome, const Session& session);

// What is assumed: spelled out, so that "verified" says of what.
std::vector<std::string> assumptions_of(const Session& session);

// Fills counts, memory and assumptions.
void add_measurements(Verdict& verdict, const search::Outcome& outcome, const Session& session);

}  // namespace inspect::cli
