#include "native/library_state.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "hooks/library_table.hpp"

namespace inspect::native {
namespace {

struct Row {
  std::string_view state, functions;
};

constexpr Row kRows[] = {{"rand", "rand and srand"},
                         {"random", "random and srandom"},
                         {"log", "syslog"},
                         {"handlers", "atexit"},
                         {"drand48", "drand48 and its kin"},
                         {"strtok", "strtok"},
                         {"time_buffer", "gmtime and localtime"},
                         {"time_text", "asctime and ctime"},
                         {"locale", "setlocale"},
                         {"environment", "setenv and getenv"},
                         {"getopt", "getopt"},
                         {"resolver", "gethostbyname"},
                         {"user_database", "getpwnam and getgrnam"},
                         {"shared_text", "tmpnam"},
                         {"multibyte", "mblen, mbtowc and wctomb"},
                         {"terminal", "ttyname"},
                         {"hash_table", "hsearch"},
                         {"services", "getservbyname and getprotobyname"},
                         {"numbers_text", "ecvt and l64a"},
                         {"thread_defaults", "pthread_setattr_default_np"},
                         {"signgam", "lgamma (signgam)"},
                         {"random_array", "initstate and setstate"}};

constexpr bool has_row(std::string_view state) {
  return std::ranges::any_of(kRows, [&](const Row& row) { return row.state == state; });
}
static_assert(std::ranges::all_of(library::kLibraryStates, has_row), "a row of LIBRARY_STATE has no words for people");

}  // namespace

std::optional<std::string> library_state(const std::string& object) {
  constexpr std::string_view kBefore = "library state (", kAfter = ")";
  if (!object.starts_with(kBefore) || !object.ends_with(kAfter)) return std::nullopt;
  std::string state = object.substr(kBefore.size(), object.size() - kBefore.size() - kAfter.size());
  std::ranges::replace(state, ' ', '_');
  const auto* const row = std::ranges::find_if(kRows, [&](const Row& r) { return r.state == state; });
  if (row == std::end(kRows)) return std::nullopt;
  return "hidden state of " + std::string(row->functions);
}

}  // namespace inspect::native
