#include "runtime/threads/futex.hpp"

#include <linux/futex.h>

#include "runtime/schedule/virtual_time.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint64_t kNever = ~0ull;
constexpr unsigned kMaxAlternatives = 128;

using Word = const std::uint32_t*;
Word word_of(const Thread& t) { return reinterpret_cast<Word>(t.pending.object); }

Operation futex_operation(inspect_kind kind, Word word, std::uint32_t site) {
  return operation(kind, word, sizeof *word, site);
}

// Alternatives 0: waits, or finds another value; 1: times out. wait_value: the deadline.
Mask wait_guard(const Thread& t) {
  if (*word_of(t) != t.wait.futex_value || t.wait.value == kNever) return Mask::one(0);
  if (t.clock >= t.wait.value) return Mask::one(1);
  Mask both = Mask::one(0);
  both.add(1);
  return both;
}
Mask resume_guard(const Thread& t) { return enabled_if(t.wait.wakeup == Wakeup::signalled); }

long wait(Word word, std::uint32_t value, std::uint32_t bits, const Deadline* deadline, std::uint32_t site) {
  if (!bits || (deadline && !deadline->valid)) return -EINVAL;
  Thread& t = self_thread();
  t.wait.futex_value = value;
  t.wait.futex_bits = bits;
  t.wait.value = deadline ? deadline->at : kNever;
  if (active()) assume_text("waits on a futex do not return without a reason");
  if (announce(futex_operation(INSPECT_OP_FutexWait, word, site), wait_guard)) {
    finish(INSPECT_FLAG_FAILED, value);
    take_time_out(*deadline);  // it waited till then: what others do to the word meanwhile is not later
    return -ETIMEDOUT;
  }
  if (const std::uint32_t found = *word; found != value) {
    finish(INSPECT_FLAG_FAILED, found);
    return -EAGAIN;
  }
  if (!active()) report_unsupported("a constructor waits on a futex", site);
  t.wait.wakeup = Wakeup::none;
  t.wait.may_time_out = deadline != nullptr;
  finish(0, value);
  visible(futex_operation(INSPECT_OP_FutexResume, word, site), resume_guard);
  t.wait.may_time_out = false;
  executed();
  return 0;
}

Mask waiters_for(Word word, std::uint32_t bits) {
  Mask waiters;
  for_each_pending_on(word, [&](const Thread& t) {
    if (t.pending.kind == INSPECT_OP_FutexResume && t.wait.wakeup == Wakeup::none && (t.wait.futex_bits & bits))
      waiters.add(t.id);
  });
  return waiters;
}

// n over k, at most kMaxAlternatives + 1.
unsigned choose(unsigned n, unsigned k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (unsigned i = 1; i <= k && result <= kMaxAlternatives; ++i) result = result * (n - k + i) / i;
  return result > kMaxAlternatives ? kMaxAlternatives + 1 : unsigned(result);
}

// The members of `set` in the `rank`-th subset of k members, in lexicographic order.
Mask subset(const Mask& set, unsigned k, unsigned rank) {
  Mask result;
  unsigned left = unsigned(set.count());
  set.for_each([&](unsigned member) {
    --left;
    if (!k) return;
    const unsigned with = choose(left, k - 1);  // subsets that contain it
    if (rank < with) {
      result.add(member);
      --k;
    } else {
      rank -= with;
    }
  });
  return result;
}

// 0: nobody or everybody is woken; of several, one: thread + 1; of several, some: number of the subset. futex_value: how many.
Mask wake_guard(const Thread& t) {
  const Mask waiters = waiters_for(word_of(t), t.wait.futex_bits);
  const auto count = unsigned(waiters.count());
  if (count <= t.wait.futex_value) return Mask::one(0);
  if (t.wait.futex_value == 1) return Mask{{waiters.words[0] << 1, waiters.words[1] << 1 | waiters.words[0] >> 63}};
  Mask alternatives;
  for (unsigned i = 0; i < choose(count, t.wait.futex_value) && i < kMaxAlternatives; ++i) alternatives.add(i);
  return alternatives;
}

Mask chosen_waiters(const Mask& waiters, unsigned wanted, unsigned alternative, std::uint32_t site) {
  const auto count = unsigned(waiters.count());
  if (count <= wanted) return waiters;
  if (wanted == 1) return Mask::one(alternative - 1);
  if (choose(count, wanted) > kMaxAlternatives) report_unsupported("a futex wake with more than 128 ways to choose whom", site);
  return subset(waiters, wanted, alternative);
}

struct Requeue {
  bool compare;
  std::uint32_t expected;
  std::uint32_t limit;
};

// No memory is touched: the word may be gone by now, the kernel does not mind.
long wake(Word word, std::uint32_t count, std::uint32_t bits, const Requeue* requeue, std::uint32_t site) {
  if (!bits) return -EINVAL;
  if (!active()) return 0;
  Thread& t = self_thread();
  t.wait.futex_value = std::int32_t(count) <= 0 ? 1 : count;
  t.wait.futex_bits = bits;
  const unsigned alternative = visible(futex_operation(INSPECT_OP_FutexWake, word, site), wake_guard);
  if (requeue && requeue->compare && *word != requeue->expected) {
    executed(INSPECT_FLAG_FAILED);
    return -EAGAIN;
  }
  const Mask waiters = waiters_for(word, bits);
  if (requeue && std::int32_t(count) <= 0) {  // unlike FUTEX_WAKE, which wakes one
    if (requeue->limit && !waiters.empty()) report_unsupported("a futex requeue that moves waiting threads", site);
    executed();
    return 0;
  }
  const Mask chosen = chosen_waiters(waiters, t.wait.futex_value, alternative, site);
  if (requeue && requeue->limit && !(chosen == waiters)) report_unsupported("a futex requeue that moves waiting threads", site);
  chosen.for_each([](unsigned i) { state().threads[i].wait.wakeup = Wakeup::signalled; });
  executed();
  return chosen.count();
}

// FUTEX_WAIT's time is an interval, the others' a point in time.
Deadline deadline_for(const timespec* time, int operation_number) {
  const bool interval = (operation_number & FUTEX_CMD_MASK) == FUTEX_WAIT, realtime = operation_number & FUTEX_CLOCK_REALTIME;
  Deadline d = deadline_of(realtime && !interval ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
  if (interval && active()) d.at += present_clock();
  return d;
}

}  // namespace

long futex(const long (&arguments)[6], std::uint32_t site) {
  const auto word = reinterpret_cast<Word>(arguments[0]);
  const auto operation_number = int(arguments[1]);
  const auto value = std::uint32_t(arguments[2]), value3 = std::uint32_t(arguments[5]);
  const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
  const int command = operation_number & FUTEX_CMD_MASK;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      const bool interval = command == FUTEX_WAIT;
      Deadline deadline{};
      if (time) deadline = deadline_for(time, operation_number);
      return wait(word, value, interval ? FUTEX_BITSET_MATCH_ANY : value3, time ? &deadline : nullptr, site);
    }
    case FUTEX_WAKE:
      return wake(word, value, FUTEX_BITSET_MATCH_ANY, nullptr, site);
    case FUTEX_WAKE_BITSET:
      return wake(word, value, value3, nullptr, site);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
      const Requeue requeue{command == FUTEX_CMP_REQUEUE, value3, std::uint32_t(arguments[3])};
      return wake(word, value, FUTEX_BITSET_MATCH_ANY, &requeue, site);
    }
    default:
      report_unsupported(format_message("futex operation %d", command), site);
  }
}

}  // namespace inspect::runtime
