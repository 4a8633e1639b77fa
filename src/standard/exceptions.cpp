// Ends and what() of the standard exceptions: called through the table of virtual functions, so that nothing names them where
// they are called. Their text has a count of owners, which library_cxx.def tells of.
#include <cstring>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "standard/parts.hpp"

INSPECT_PART(exceptions);

namespace std {

// The text is one pointer.
template <class Text>
static const char* characters(const Text& text) {
  static_assert(sizeof text == sizeof(const char*));
  const char* first;
  memcpy(&first, &text, sizeof first);
  return first;
}

const char* logic_error::what() const noexcept { return characters(_M_msg); }
const char* runtime_error::what() const noexcept { return characters(_M_msg); }

logic_error::~logic_error() noexcept {}
domain_error::~domain_error() noexcept {}
invalid_argument::~invalid_argument() noexcept {}
length_error::~length_error() noexcept {}
out_of_range::~out_of_range() noexcept {}
runtime_error::~runtime_error() noexcept {}
range_error::~range_error() noexcept {}
overflow_error::~overflow_error() noexcept {}
underflow_error::~underflow_error() noexcept {}
system_error::~system_error() noexcept {}
nested_exception::~nested_exception() noexcept {}

}  // namespace std
