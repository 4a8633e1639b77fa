// what() of the standard exceptions: called through the table of virtual functions, so that nothing names it where it is
// called.
#include <cstring>
#include <stdexcept>

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

}  // namespace std
