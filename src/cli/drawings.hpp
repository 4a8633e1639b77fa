// The files that `inspect replay` and `inspect report` draw an interleaving into: a page, and the rows of report/formats.def.
#pragma once
#include <optional>

#include "base/result.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "report/interleaving.hpp"

namespace inspect::cli {

// What would fail at the end is refused at the beginning.
std::optional<Error> probe_drawings(const CommandLine& line);

// All but the page. False: none was asked for.
bool write_formats(const CommandLine& line, const report::Interleaving& interleaving, Console& console);

}  // namespace inspect::cli
