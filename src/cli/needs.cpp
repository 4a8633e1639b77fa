#include "cli/needs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hooks/channel.h"

namespace inspect::cli {
namespace {

struct Need {
  int resource;
  const char* shell_option;
  rlim_t least;
  const char* what;
};

// The runtime's regions are reserved, not used: they need so many addresses that any limit below this is too low.
constexpr rlim_t kAddresses = rlim_t{1} << 45;
constexpr Need kNeeds[] = {
    {RLIMIT_NOFILE, "-n", 1024, "1024 open files"},
    {RLIMIT_FSIZE, "-f", INSPECT_CHANNEL_BYTES, "files of 2 GB"},
    {RLIMIT_AS, "-v", kAddresses, "an address space without a limit"},
    {RLIMIT_DATA, "-d", kAddresses, "data without a limit"},
    {RLIMIT_STACK, "-s", 256 << 10, "a stack of 256 kB"},
    {RLIMIT_CPU, "-t", 2, "2 s of processor time"},
};
static_assert(INSPECT_CHANNEL_BYTES <= 2ul << 30);

void raise(int resource, rlimit& limit) {
  limit.rlim_cur = limit.rlim_max;
  setrlimit(resource, &limit);
  getrlimit(resource, &limit);
}

}  // namespace

void open_standard_descriptors() {
  for (int fd = 0; fd < 3; ++fd)
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);  // the lowest number that is free
}

std::optional<Error> unmet_need() {
  for (const Need& need : kNeeds) {
    rlimit limit{};
    if (getrlimit(need.resource, &limit)) continue;
    if (need.resource == RLIMIT_NOFILE) raise(need.resource, limit);
    if (limit.rlim_cur < need.least)
      return Error{fmt::format("inspect needs {}, and is not allowed to (ulimit {})", need.what, need.shell_option), true};
  }
  return std::nullopt;
}

}  // namespace inspect::cli
