#include "cli/drawings.hpp"

#include "base/files.hpp"
#include "report/render.hpp"

namespace inspect::cli {

std::optional<Error> probe_drawings(const CommandLine& line) {
  if (const auto page = line.text("html"))
    if (auto error = probe_writable(*page)) return error;
  for (const report::Format& format : report::kFormats)
    if (const auto to = line.text(format.option))
      if (auto error = probe_writable(*to)) return error;
  return std::nullopt;
}

bool write_formats(const CommandLine& line, const report::Interleaving& interleaving, Console& console) {
  bool any = false;
  for (const report::Format& format : report::kFormats)
    if (const auto to = line.text(format.option)) {
      console.write_result(*to, format.render(interleaving));
      any = true;
    }
  return any;
}

}  // namespace inspect::cli
