#include "native/allowance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/interrupt.hpp"

namespace inspect::native {
namespace {

constexpr auto kLookInterval = std::chrono::milliseconds(5);
constexpr int kLooksAfter = 10;  // the next look waits at least so many times as long as the last one took
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  std::string name;
  for (std::uint64_t kilobytes = 0; in >> name >> kilobytes; in.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return kNoLimit;
}

std::uint64_t number_in(const std::string& path) {
  std::uint64_t number = kNoLimit;
  std::ifstream in(path);
  return in >> number ? number : kNoLimit;  // "max" is none
}

// Memory that the control groups of this process (cgroup v2, or the limit of v1) leave it.
std::uint64_t left_by_groups() {
  std::uint64_t left = kNoLimit;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("0::/")) continue;
    for (std::string group = line.substr(3);; group.erase(group.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + group;
      const std::uint64_t most = number_in(folder + "/memory.max"), used = number_in(folder + "/memory.current");
      if (most != kNoLimit) left = std::min(left, most - std::min(most, used == kNoLimit ? 0 : used));
      if (group.find('/') == std::string::npos) break;
    }
  }
  const std::uint64_t older = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  return std::min(left, older);
}

std::string text_of(std::uint64_t bytes) {
  constexpr std::uint64_t mega = 1 << 20;
  return bytes < mega ? fmt::format("{} bytes", bytes) : fmt::format("{} MB", bytes / mega);
}

}  // namespace

std::uint64_t default_memory_limit() { return std::min(available_memory(), left_by_groups()) / 4 * 3; }

std::optional<std::string> Allowance::memory(const process::Executor& executor) {
  const auto now = Clock::now();
  if (full_ || now < next_look_) return full_;
  const bool is_full = executor.memory_bytes() > bytes_ / workers_;
  next_look_ = Clock::now() + std::max<Clock::duration>(kLookInterval, kLooksAfter * (Clock::now() - now));
  if (is_full)
    full_ = fmt::format("the memory limit of {}{} was reached (--memory-limit)", text_of(bytes_ / workers_),
                        workers_ > 1 ? " for each worker" : "");
  return full_;
}

std::optional<std::string> Allowance::between() {
  if (interrupted() && !follows_) return why_interrupted();
  return executor_ ? memory(*executor_) : std::nullopt;
}

void Allowance::begin_showing() {
  constexpr double least = 1;
  if (seconds_ > 0) seconds_ = std::max(seconds_, elapsed() + least);
  workers_ = 1;
  full_.reset();
  ended_ = false;
  was_interrupted_ = interrupted();
}

std::optional<std::string> Allowance::why(const process::Executor& executor) {
  if (interrupted() && !was_interrupted_) return follows_ ? "" : why_interrupted();
  if (seconds_ > 0 && elapsed() >= seconds_) return "the time limit was reached";
  return memory(executor);
}

std::optional<std::string> Allowance::within(const process::Executor& executor) {
  auto reason = why(executor);
  ended_ |= reason.has_value();
  return reason;
}

}  // namespace inspect::native
