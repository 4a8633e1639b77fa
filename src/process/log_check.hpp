// Is what the channel says of an execution possible at all? The program may write over the channel at any time, and nothing
// that it wrote there may mislead this process.
//
// Guarantees: of what is sound every index is within its table, and the steps are those that the request asked for, as far as
// it asked. Callers check the copy that they go on with. Deliberately unknown here: whether the execution really went so.
#pragma once
#include "hooks/channel.h"
#include "search/core/program.hpp"

namespace inspect::process {

inline constexpr std::uint64_t kMostRecords = INSPECT_LOG_BYTES / sizeof(inspect_record);

// The records of one execution, in their order.
class LogCheck {
 public:
  // `threads`: how many have numbers.
  LogCheck(unsigned threads, const search::Request& request) : threads_(threads), request_(request), step_(request.known) {}
  bool fits(const inspect_record& record);

 private:
  [[nodiscard]] bool is_set_of_threads(const inspect_record& record) const;
  bool is_asked_for(const inspect_record& record);

  unsigned threads_;
  const search::Request& request_;
  std::uint64_t step_;
};

[[nodiscard]] bool is_sound(const inspect_result& result, unsigned threads);
// Of an execution with `events` steps behind those that the request knows.
[[nodiscard]] bool is_sound(const inspect_race& race, unsigned threads, const search::Request& request, std::size_t events);

}  // namespace inspect::process
