#include "process/log_check.hpp"

namespace inspect::process {

bool LogCheck::fits(const inspect_record& r) {
  if (r.type < INSPECT_RECORD_STEP || r.type >= INSPECT_RECORD_END || r.thread >= threads_) return false;
  const bool is_kind = r.operation.kind < INSPECT_OP_COUNT;
  switch (r.type) {
    case INSPECT_RECORD_STEP:
      return is_kind && is_asked_for(r);
    case INSPECT_RECORD_PENDING:
      return is_kind && is_set_of_threads(r);
    case INSPECT_RECORD_NEW_PENDING:
    case INSPECT_RECORD_ALTERNATIVES:
    case INSPECT_RECORD_ACCESS:
      return is_kind;
    case INSPECT_RECORD_SYMMETRIC_PAIR:
      return r.value < threads_ && r.value2 <= kMaxThreads;
    default:
      return true;
  }
}

bool LogCheck::is_set_of_threads(const inspect_record& r) const {
  const auto beyond = [&](std::uint64_t word, unsigned first) {
    if (threads_ >= first + 64) return false;
    return (threads_ <= first ? word : word >> (threads_ - first)) != 0;
  };
  return !beyond(r.value, 0) && !beyond(r.value2, 64);
}

bool LogCheck::is_asked_for(const inspect_record& r) {
  const std::uint64_t i = step_++;
  if (i >= request_.prefix.size()) return true;
  const Choice& asked = request_.prefix[i];
  const bool any = i + 1 == request_.prefix.size() && asked.alternative == INSPECT_ANY_ALTERNATIVE;
  return asked.thread == r.thread && (any || asked.alternative == r.alternative);
}

bool is_sound(const inspect_result& r, unsigned threads) {
  const bool is_bug = r.end_kind == INSPECT_END_BUG, is_limit = r.end_kind == INSPECT_END_LIMIT;
  const bool has_detail = (!is_bug || r.detail <= INSPECT_BUG_LAST) && (!is_limit || r.detail <= INSPECT_LIMIT_LOG);
  const bool has_range = r.begin <= r.end && r.end <= kMostRecords;
  return r.end_kind <= INSPECT_END_SPINNING && has_detail && has_range && r.bug_thread < threads && r.other_thread < threads;
}

bool is_sound(const inspect_race& race, unsigned threads, const search::Request& request, std::size_t events) {
  return race.thread < threads && race.other_thread < threads && race.steps <= request.known + events &&
         request.known <= request.prefix.size();
}

}  // namespace inspect::process
