// Sampling: executions drawn at random instead of covered. Finds bugs in programs too large to cover; proves nothing.
//
// Guarantees: execution number i is a function of the program, the options and i, so the same seed gives the same executions,
// whatever the batch size is; `exhausted` is never true. pct draws priorities and change points as S. Burckhardt et al., "A
// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010: an execution finds a bug of depth d, one
// that needs d ordering constraints, with probability at least 1/(n·k^(d-1)), for n threads and k steps. k is the length of the
// longest execution of earlier rounds. Deliberately unknown here: the exploration tree, reductions.
#pragma once
#include <string_view>

#include "search/search.hpp"

namespace inspect::search {

// A row of samplers.def.
struct SamplerInfo {
  std::string_view name;
  inspect_policy policy;
  std::string_view help;
};
std::span<const SamplerInfo> samplers();
const SamplerInfo* find_sampler(std::string_view name);  // null if there is none

// How many executions are drawn if the options limit neither executions nor time.
inline constexpr std::uint64_t kDefaultSamples = 10'000;

Outcome sample(Program& program, const Options& options, const SamplerInfo& sampler, Observer* observer);

}  // namespace inspect::search
