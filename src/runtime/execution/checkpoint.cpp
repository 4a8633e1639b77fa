#include "runtime/execution/checkpoint.hpp"
#include "runtime/schedule/sleep_set.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/environment/kernel_state.hpp"
#include "runtime/execution/copies.hpp"
#include "runtime/execution/ending.hpp"
#include "runtime/execution/execution.hpp"
#include "runtime/platform/fork.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/checkpoints.hpp"

// Calls function() on another stack: what is below the top of the thread's own stack stays as it is.
extern "C" bool inspect_call_on(void* top, bool (*function)());
asm(R"(
.text
.globl inspect_call_on
.hidden inspect_call_on
.type inspect_call_on,@function
inspect_call_on:
  pushq %rbp
  movq %rsp, %rbp
  movq %rdi, %rsp
  callq *%rsi
  movq %rbp, %rsp
  popq %rbp
  ret
.size inspect_call_on,.-inspect_call_on
)");

namespace inspect::runtime {
namespace {

constexpr unsigned kMost = 16;                     // copies in a chain
constexpr std::uint64_t kCostAtFirst = 4'000'000;  // before one was made
constexpr std::uint64_t kWorth = 8;                // times the cost of a copy that an execution must take at least
constexpr std::uint64_t kBackoff = 100;            // executions before copies are tried again; twice as many each time
constexpr std::uint64_t kLongestPath = 1ul << 24;  // steps
constexpr std::size_t kOwnStackBytes = 64ul << 10;
constexpr std::uint32_t kFitting =
    INSPECT_REQUEST_STATES | INSPECT_REQUEST_SYMMETRIC_PAIRS | INSPECT_REQUEST_STARTS | INSPECT_REQUEST_ACCESSES |
    INSPECT_REQUEST_WAITS | INSPECT_REQUEST_VISITED | INSPECT_REQUEST_CANONICAL | INSPECT_REQUEST_SORTED_BY_PLACE |
    INSPECT_REQUEST_SORTED_BY_STATE | INSPECT_REQUEST_SORTED_EXACTLY | INSPECT_REQUEST_INDEPENDENCE | INSPECT_REQUEST_EXACT;

// What the copy of a state depends on beside its path.
struct Kind {
  std::uint32_t flags, policy, points, grown, waits_refused;
  std::uint64_t seed, visited;
  friend bool operator==(const Kind&, const Kind&) = default;
};

// Of this process.
struct Checkpoints {
  Turn turn;
  Kind kind;
  std::uint64_t began, latest;  // ticks: when the execution would have begun in main; how far it was at the latest checkpoint
  std::uint64_t wanted;         // position at which the next request leaves the path
  std::uint64_t length;         // of `path`, as far as it is known
  std::uint64_t from;           // when this process began to run
  bool waited;                  // for other requests
  std::uint64_t since, idle, turns;  // when the first of the copies began, and how it stood then
  unsigned depth;
  KernelState kernel;
  alignas(64) char stack[kOwnStackBytes];
  inspect_choice path[kLongestPath];
};
Checkpoints& checkpoints() { return *reinterpret_cast<Checkpoints*>(kCheckpoints); }
static_assert(sizeof(Checkpoints) <= kCheckpointsBytes);

std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }

bool fits(const inspect_request& r) {
  return !(r.flags & ~kFitting) && (r.policy == INSPECT_POLICY_RUN || r.policy == INSPECT_POLICY_STAY) && !r.change_length &&
         !r.stack_site && r.known_length <= r.prefix_length;
}

Kind kind_of(const inspect_request& r) {
  const inspect_channel& c = *state().channel;
  return {r.flags, r.policy, r.points, c.shared_locations_grew, c.waits_refused, r.seed, r.visited};
}

const inspect_choice* prefix_of(const inspect_request& r) { return reinterpret_cast<const inspect_choice*>(&r + 1); }

bool begins_with_path(const inspect_request& r, std::uint64_t length) {
  return r.prefix_length >= length && r.known_length >= length &&
         !memcmp(prefix_of(r), checkpoints().path, length * sizeof(inspect_choice));
}

bool continues(const inspect_request& r) {
  const Checkpoints& c = checkpoints();
  return fits(r) && kind_of(r) == c.kind && begins_with_path(r, c.length - mutated(Mutation::checkpoints_one_step_further));
}

void look_at_next(Checkpoints& c) {
  const inspect_request* const next = c.turn.next;
  const bool any = next && fits(*next) && next->prefix_length;
  c.wanted = !any ? ~0ull : next->known_length < next->prefix_length ? next->known_length : next->prefix_length - 1;
}

// Writes down what was chosen so far: as the explorer knows it, and from there on as it stands in the log.
bool follow_path(const State& s, Checkpoints& c) {
  if (s.execution.position > kLongestPath) return false;
  const std::uint64_t known = s.request.known_length < s.execution.position ? s.request.known_length : s.execution.position;
  if (c.length < known) memcpy(c.path + c.length, s.request.prefix + c.length, (known - c.length) * sizeof(inspect_choice));
  std::uint64_t at = s.request.known_length;
  for (const inspect_record* r = s.channel->log + s.channel->results[s.request.slot].begin; r < s.log.cursor; ++r)
    if (r->type == INSPECT_RECORD_STEP) c.path[at++] = {r->thread, 0, r->alternative};
  c.length = s.execution.position;
  return at == s.execution.position || s.execution.position <= s.request.known_length;
}

// How many of the requests that follow in the message go on from here, one after the other.
unsigned wishes(const State& s, Checkpoints& c) {
  if (s.execution.position != c.wanted || !follow_path(s, c)) return 0;
  const inspect_request* r = c.turn.next;
  unsigned count = 0;
  for (unsigned slot = c.turn.slot + 1; slot < s.channel->batch && fits(*r) && begins_with_path(*r, s.execution.position);
       ++slot) {
    ++count;
    r = reinterpret_cast<const inspect_request*>(reinterpret_cast<const std::uint8_t*>(r) + inspect_request_bytes(r));
  }
  return count;
}

// Half of what remains is run at most twice.
bool is_halfway(const Checkpoints& c, std::uint64_t now) {
  const Copies& all = copies();
  const std::uint64_t rest = all.whole > c.latest ? (all.whole - c.latest) / 2 : 0;
  return now - c.latest >= (rest > 2 * all.cost ? rest : 2 * all.cost);
}

std::uint64_t resident_bytes() {
  char text[128] = {};
  const long file = system_call(SYS_open, reinterpret_cast<long>("/proc/self/statm"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return ~0ull;
  system_call(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
  system_call(SYS_close, file);
  const char* at = text;
  while (*at && *at != ' ') ++at;
  std::uint64_t pages = 0;
  while (*at == ' ') ++at;
  for (; *at >= '0' && *at <= '9'; ++at) pages = pages * 10 + std::uint64_t(*at - '0');
  return pages * 4096;
}

bool has_room(const State& s, const Checkpoints& c) {
  return c.depth < kMost && (c.depth + 1) * resident_bytes() <= s.channel->configuration.checkpoint_bytes;
}

void begin_running(Checkpoints& c, const Turn& turn) {
  c.turn = turn;
  c.from = ticks();
  c.waited = false;
  look_at_next(c);
  start_watchdog();
}

// The parts of run_request() that are another request's.
void change_request(State& s, const Turn& turn) {
  s.log.cursor = log_of(turn);
  set_request(*turn.request, turn.slot);
  s.log.active = false;
  s.log.step = nullptr;
  begin_watchdog();
  begin_sleep_set();
}

[[noreturn]] void end_copy(const Checkpoints& c) {
  Copies& all = copies();
  const std::uint64_t now = ticks();
  all.ran = c.waited ? 0 : now - c.from;
  for (;;) system_call(SYS_exit_group, 0);
}

// One copy, until it ends.
void await(long copy, std::uint64_t since) {
  wait_for_copy(copy);
  Copies& all = copies();
  if (!all.ran) return;
  const std::uint64_t spent = ticks() - since, cost = spent > all.ran ? spent - all.ran : 0;
  all.cost = (3 * all.cost + cost) / 4;
  all.ran = 0;
}

// Do executions by these copies take longer than without them?
bool is_slow(const Checkpoints& c) {
  constexpr std::uint64_t kFew = 3;
  const Copies& all = copies();
  const std::uint64_t count = all.turns - c.turns, spent = ticks() - c.since - (all.idle - c.idle);
  return count >= kFew && spent / count > all.direct / 4 * 3 && !state().channel->configuration.checkpoints_everywhere;
}

// True in a copy that runs another request.
bool stay_here(State& s, Checkpoints& c, std::uint64_t now) {
  for (bool first = true;; first = false) {
    Turn turn = c.turn;
    if (!first) {
      c.waited = true;
      turn = next_turn();
      if (!continues(*turn.request) || is_slow(c)) end_copy(c);
    }
    const std::uint64_t since = ticks();
    const long copy = fork_process();
    if (copy < 0 && first) {
      copies().possible = false;
      s.request.checkpoint_at = ~0ull;
      return false;
    }
    if (copy < 0) end_copy(c);
    if (copy > 0) {
      await(copy, since);
      continue;
    }
    if (!mutated(Mutation::checkpoints_share_offsets)) restore_kernel_state(c.kernel);
    ++c.depth;
    c.latest = now;
    if (!first) c.began = ticks() - now;
    begin_running(c, turn);
    if (first) return false;
    change_request(s, turn);
    return true;
  }
}

bool consider() {
  State& s = state();
  Checkpoints& c = checkpoints();
  const std::uint64_t now = ticks() - c.began;
  const bool everywhere = state().channel->configuration.checkpoints_everywhere;
  const std::uint64_t segment = now - c.latest, cost = copies().cost;
  if (segment < cost && s.execution.position != c.wanted && !everywhere) return false;
  if (!(wishes(s, c) * segment > cost) && !is_halfway(c, now) &&
      !(everywhere && (s.execution.hash ^ s.execution.position) % 3 == 0))
    return false;
  if (has_room(s, c) && follow_path(s, c) && save_kernel_state(c.kernel)) return stay_here(s, c, now);
  c.latest = now;  // not again at once
  return false;
}

}  // namespace

bool at_possible_checkpoint() {
  const State& s = state();
  if (s.execution.probing || s.in_section || s.execution.position == 0) return false;
  return inspect_call_on(checkpoints().stack + kOwnStackBytes, consider);
}

void boot_checkpoints() {
  system_call(SYS_mmap, kCopies, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  const State& s = state();
  Copies& all = copies();
  all.cost = kCostAtFirst;
  all.backoff = kBackoff;
  all.possible = !s.standalone && !s.os_threads && s.channel->configuration.checkpoint_bytes >= resident_bytes() && can_fork();
  if (all.possible) map_zeroed(kCheckpoints, kCheckpointsBytes);
}

bool measures_duration() {
  constexpr std::uint64_t kOneOf = 16, kShort = 1'000'000;
  const Copies& all = copies();
  return all.possible && (all.direct == 0 || all.direct > kShort || all.turns % kOneOf == 0);
}

void note_duration(std::uint64_t duration) {
  Copies& all = copies();
  all.whole = all.direct = duration;
  if (all.pause) --all.pause;
}

bool run_in_copy(const Turn& turn) {
  Copies& all = copies();
  const bool everywhere = state().channel->configuration.checkpoints_everywhere;
  if (!all.possible || !fits(*turn.request)) return false;
  if (!everywhere && (all.pause || all.whole < kWorth * all.cost)) return false;
  State& s = state();
  Checkpoints& c = checkpoints();
  if (!save_kernel_state(c.kernel)) return false;
  c.since = ticks(), c.idle = all.idle, c.turns = all.turns;
  const long copy = fork_process();
  if (copy < 0) return all.possible = false;
  if (copy > 0) {
    await(copy, c.since);
    restore_offsets(c.kernel);
    all.backoff = is_slow(c) ? 2 * all.backoff : kBackoff;
    if (is_slow(c)) all.pause = all.backoff;
    return true;
  }
  restore_kernel_state(c.kernel);
  c.kind = kind_of(*turn.request);
  c.began = ticks();
  c.latest = c.length = c.depth = 0;
  begin_running(c, turn);
  s.log.cursor = log_of(turn);
  run_request(*turn.request, turn.slot, 1);
  all.whole = ticks() - c.began;
  complete_turn(c.turn);
  end_copy(c);
}

}  // namespace inspect::runtime
