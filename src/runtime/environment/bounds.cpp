// Accesses that do not lie within a variable: the program's own comparison has told, or what a library call touches.
#include <stdint.h>

#include "hooks/site.h"
#include "runtime/environment/bounds.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/plural.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// They do not lie within a variable, which the site names, but `offset` bytes into its `limit`.
[[noreturn]] void report_outside(std::int64_t offset, std::size_t size, std::size_t limit, const void* site) {
  const auto* const place = static_cast<const inspect_site*>(site);
  const char* const name = place && place->expression ? place->expression : "a variable";
  state().running = false;
  state().execution.touching = 0;
  report_bug(INSPECT_BUG_MEMORY_ERROR,
             format_message("access to %lu %s from byte %ld of %s, which has %lu %s", size, byte_word(size), offset, name,
                            limit, byte_word(limit)),
             site_number(place));
}

}  // namespace

void check_bounds(const ArgumentBounds& bounds, std::uintptr_t address, std::size_t size) {
  for (unsigned i = 0; i < bounds.count; ++i) {
    const ArgumentBounds::Variable& v = bounds.variables[i];
    const std::uintptr_t offset = address - v.begin;
    if (offset >= v.size && address != v.argument) continue;
    if (offset > v.size || size > v.size - offset) report_outside(std::int64_t(offset), size, v.size, v.site);
  }
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_out_of_bounds(std::int64_t offset, std::size_t size, std::size_t limit, const void* site) {
  if (active()) report_outside(offset, size, limit, site);
}

INSPECT_EXPORT void inspect_argument_bounds(std::uint64_t argument, std::uint64_t begin, std::uint64_t size, const void* site) {
  ArgumentBounds& given = state().execution.given_bounds;
  if (given.count < ArgumentBounds::kMost) given.variables[given.count++] = {argument, begin, size, site};
}
