// The command line of a check as an engine reads it.
#pragma once
#include "cli/options.hpp"
#include "engine/options.hpp"

namespace inspect::cli {

engine::Options engine_options(const CommandLine& line);

}  // namespace inspect::cli
