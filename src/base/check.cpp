#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace inspect {

void internal_error(const char* file, int line, const char* condition, std::string_view message) {
  std::fflush(stdout);
  std::fprintf(stderr, "inspect: internal error at %s:%d: `%s` does not hold%s%.*s\n", file, line, condition,
               message.empty() ? "" : ": ", static_cast<int>(message.size()), message.data());
  std::fputs("This is an error in inspect, not in your program. Please report it with the command line and this text.\n",
             stderr);
  std::fflush(stderr);
  std::_Exit(kExitInternalError);
}

}  // namespace inspect
