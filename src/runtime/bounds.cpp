// Accesses that do not lie within a variable: the program's own comparison has told.
#include <stdint.h>

#include "hooks/site.h"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/schedule.hpp"

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_out_of_bounds(std::int64_t offset, std::size_t size, std::size_t limit, const void* site) {
  if (!active()) return;
  const auto* const place = static_cast<const inspect_site*>(site);
  const char* const name = place && place->expression ? place->expression : "a variable";
  state().running = false;
  report_bug(INSPECT_BUG_MEMORY_ERROR,
             format_message("access to %lu bytes from byte %ld of %s, which has %lu bytes", size, offset, name, limit),
             site_number(place));
}
