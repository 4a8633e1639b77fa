#include "process/native_program.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "hooks/address_map.hpp"
#include "hooks/shared_table.h"
#include "process/code_reader.hpp"
#include "process/log_check.hpp"

namespace inspect::process {
namespace {

ThreadSet set_of(const inspect_record& r) { return {r.value, r.value2}; }

Pending pending_of(const inspect_record& r) {
  Pending p;
  p.operation = r.operation;
  p.choices = r.count;
  return p;
}

EndKind end_kind(std::uint32_t end) {
  switch (end) {
    case INSPECT_END_COMPLETE:
      return EndKind::complete;
    case INSPECT_END_BUG:
      return EndKind::bug;
    case INSPECT_END_REDUNDANT:
      return EndKind::redundant;
    case INSPECT_END_SPINNING:
      return EndKind::spinning;
    case INSPECT_END_LIMIT:
      return EndKind::limit;
    case INSPECT_END_UNSUPPORTED:
      return EndKind::unsupported;
    default:
      return EndKind::diverged;
  }
}

inspect_request header_of(const search::Request& r, std::uint32_t flags) {
  inspect_request header{};
  header.flags = flags | (r.states ? INSPECT_REQUEST_STATES : 0) | (r.symmetric_pairs ? INSPECT_REQUEST_SYMMETRIC_PAIRS : 0) |
                 (r.starts_first ? INSPECT_REQUEST_STARTS : 0) | (r.accesses ? INSPECT_REQUEST_ACCESSES : 0) |
                 (r.waits ? INSPECT_REQUEST_WAITS : 0) | (r.visited ? INSPECT_REQUEST_VISITED : 0) | r.state_flags;
  header.prefix_length = static_cast<std::uint32_t>(r.prefix.size());
  header.sleep_length = static_cast<std::uint32_t>(r.sleep.size());
  header.policy = r.policy;
  header.known_length = r.known;
  header.known_hash = r.known_hash;
  header.seed = r.seed;
  header.visited = r.visited;
  header.change_length = static_cast<std::uint32_t>(r.change_points.size());
  header.points = INSPECT_ALL_POINTS;
  return header;
}

// Reads the records of one execution into events.
class Decoder {
 public:
  Decoder(Execution& execution, std::size_t known, VerboseRun* verbose)
      : execution_(execution), known_(known), verbose_(verbose) {}
  ~Decoder() {
    if (verbose_) verbose_->ends.assign(std::make_move_iterator(ends_.begin()), std::make_move_iterator(ends_.end()));
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  void read(const inspect_record& r) {
    switch (r.type) {
      case INSPECT_RECORD_STEP:
        return step(r);
      case INSPECT_RECORD_PENDING:
        return pending(r);
      case INSPECT_RECORD_NEW_PENDING:
        return change(r, pending_of(r));
      case INSPECT_RECORD_ALTERNATIVES:
        return alternatives(r);
      case INSPECT_RECORD_ACCESS:
        return access(r);
      case INSPECT_RECORD_ALLOCATION:
        if (verbose_) allocation(r);
        return;
      case INSPECT_RECORD_STATE:
        execution_.states.resize(execution_.events.size());
        execution_.valuations.resize(execution_.events.size());
        if (!execution_.states.empty()) execution_.states.back() = {r.value, r.value2};
        if (!execution_.states.empty()) execution_.valuations.back() = r.valuation;
        execution_.safe.resize(execution_.events.size());
        execution_.allocations.resize(execution_.events.size());
        execution_.permuted.resize(execution_.events.size());
        execution_.touched_conditions.resize(execution_.events.size());
        if (!execution_.safe.empty()) {
          execution_.safe.back() = {r.operation.object, r.operation.object2};
          execution_.allocations.back() = r.operation.size;
          execution_.permuted.back() = r.operation.size2 & INSPECT_STATE_PERMUTED;
          execution_.touched_conditions.back() = r.operation.size2 & INSPECT_STATE_CONDITIONS_TOUCHED;
        }
        if (!(r.value | r.value2) && r.alternative < INSPECT_NO_IDENTITY_COUNT) execution_.no_identity[r.alternative] = true;
        return;
      case INSPECT_RECORD_STATE_WORDS:
        return words(r);
      case INSPECT_RECORD_SYMMETRIC_PAIR:
        execution_.symmetric_pairs.resize(execution_.events.size());
        if (!execution_.symmetric_pairs.empty())
          execution_.symmetric_pairs.back().push_back(
              {r.thread, static_cast<ThreadId>(r.value), static_cast<std::uint8_t>(r.value2)});
        return;
      case INSPECT_RECORD_UNSEEN:
        if (!execution_.events.empty()) execution_.events.back().unseen = true;
        return;
      case INSPECT_RECORD_CLOCK:
        if (!execution_.events.empty()) execution_.events.back().accesses.push_back({.varies = true});
        return;
      case INSPECT_RECORD_STACK:
        if (Stack* const stack = verbose_ ? stack_of(r) : nullptr) stack->push_back({r.value, r.value2});
        return;
      default:
        return;
    }
  }

 private:
  void words(const inspect_record& r) {
    if (execution_.events.empty()) return;
    execution_.state_words.resize(execution_.events.size());
    inspect_record copy = r;
    const std::uint64_t* const from = inspect_words_of(&copy);
    auto& all = execution_.state_words.back();
    all.insert(all.end(), from, from + std::min<std::uint32_t>(r.count, INSPECT_WORDS_IN_RECORD));
  }
  void step(const inspect_record& r) {
    Event& e = execution_.events.emplace_back();
    e.choice = {r.thread, r.alternative};
    e.operation = r.operation;
    e.read = r.value;
    e.written = r.value2;
    if (verbose_) verbose_->stacks.emplace_back();
  }
  void pending(const inspect_record& r) {
    if (execution_.events.empty()) return;
    Event& e = execution_.events.back();
    e.next = pending_of(r);
    if (own_alternatives_) e.next.alternatives = *own_alternatives_;
    own_alternatives_.reset();
    e.enabled = set_of(r);
  }
  void change(const inspect_record& r, Pending p) {
    if (!execution_.events.empty()) execution_.events.back().changes.push_back({r.thread, std::move(p)});
  }
  void alternatives(const inspect_record& r) {
    if (execution_.events.empty()) return;
    if (execution_.events.back().choice.thread == r.thread) {
      own_alternatives_ = set_of(r);
      return;
    }
    Pending p = pending_of(r);
    p.alternatives = set_of(r);
    change(r, std::move(p));
  }
  void access(const inspect_record& r) {
    if (execution_.events.empty()) return;
    Event& e = execution_.events.back();
    if (r.operation.kind == INSPECT_OP_Free) return end_of_object(r);
    if (r.count == 2)
      e.footprint.push_back(r.operation);  // a range of an atomic section
    else if (!verbose_)
      e.accesses.push_back({.address = r.operation.object,
                            .value = r.value,
                            .size = r.operation.size,
                            .site = r.operation.site,
                            .write = r.operation.kind == INSPECT_OP_PlainWrite,
                            .has_value = r.operation.size <= 8});
    else
      verbose_->accesses.push_back({known_ + execution_.events.size() - 1, r.thread, r.operation, r.value});
  }

  void allocation(const inspect_record& r) {
    HeapObject& object = verbose_->heap[r.operation.object];
    object = {r.operation.size, r.thread, r.operation.site, {}, verbose_->heap.size()};
    memory_stack_ = &object.stack;
  }
  void end_of_object(const inspect_record& r) {
    if (!verbose_) return;
    ends_.push_back({known_ + execution_.events.size() - 1, r.thread, r.operation, verbose_->accesses.size()});
    memory_stack_ = &ends_.back().stack;
  }
  // Where a frame belongs; null: nowhere.
  Stack* stack_of(const inspect_record& r) {
    switch (r.alternative) {
      case INSPECT_STACK_ACCESS:
        return &verbose_->other_stack;
      case INSPECT_STACK_BUG:
        return &verbose_->bug_stack;
      case INSPECT_STACK_MEMORY:
        return memory_stack_;
      case INSPECT_STACK_WAITING:
        return &verbose_->waiting[r.thread];
      default:
        return verbose_->stacks.empty() ? nullptr : &verbose_->stacks.back();
    }
  }

  Execution& execution_;
  std::size_t known_;
  VerboseRun* verbose_;
  std::optional<ThreadSet> own_alternatives_;
  std::deque<EndOfObject> ends_;  // places stay
  Stack* memory_stack_ = nullptr;
};

}  // namespace

std::size_t NativeProgram::encode(std::span<const search::Request> requests, std::uint32_t flags) {
  inspect_channel& c = executor_->channel();
  std::uint8_t* at = c.requests;
  std::size_t count = 0;
  for (const search::Request& r : requests) {
    inspect_request header = header_of(r, flags);
    header.points = shown_.points;
    header.passed_races = shown_.passed_races;
    header.stack_site = shown_.watched.site;
    header.stack_thread = shown_.watched.thread;
    header.stack_address = shown_.watched.address;
    header.cycle = shown_.cycle.value_or(0);
    const std::size_t bytes = inspect_request_bytes(&header);
    CHECK(bytes <= INSPECT_REQUEST_BYTES, "a schedule too long for the channel");
    if (count == INSPECT_MAX_BATCH || at + bytes > c.requests + INSPECT_REQUEST_BYTES) break;
    std::memcpy(at, &header, sizeof header);
    auto* const choices = reinterpret_cast<inspect_choice*>(at + sizeof header);
    for (std::size_t i = 0; i < r.prefix.size(); ++i) choices[i] = {r.prefix[i].thread, 0, r.prefix[i].alternative};
    auto* const sleepers = reinterpret_cast<inspect_sleeper*>(choices + r.prefix.size());
    for (std::size_t i = 0; i < r.sleep.size(); ++i)
      sleepers[i] = {
          r.sleep[i].choice.thread, r.sleep[i].operation.kind, r.sleep[i].operation.flags, 0, r.sleep[i].choice.alternative, 0};
    auto* const changes = reinterpret_cast<std::uint32_t*>(sleepers + r.sleep.size());
    for (std::size_t i = 0; i < r.change_points.size(); ++i) changes[i] = r.change_points[i];
    at += bytes;
    ++count;
  }
  c.batch = static_cast<std::uint32_t>(count);
  return count;
}

unsigned NativeProgram::threads() const { return std::clamp(executor_->channel().thread_count, 1u, unsigned{kMaxThreads}); }

// Nothing: what the channel says cannot be.
std::optional<Execution> NativeProgram::decode(unsigned slot, const search::Request& request, VerboseRun* verbose) const {
  inspect_channel& c = executor_->channel();
  const inspect_result result = c.results[slot];
  const std::size_t known = request.known;
  if (!is_sound(result, threads())) return std::nullopt;
  Execution e;
  e.known = known;
  e.end = end_kind(result.end_kind);
  e.detail = result.detail;
  e.status = result.status;
  e.message.assign(c.messages[slot], strnlen(c.messages[slot], INSPECT_MESSAGE_BYTES));
  e.site = result.bug_site;
  e.other_site = result.other_site;
  e.thread = result.bug_thread;
  e.other_thread = result.other_thread;
  e.address = result.bug_address;
  constexpr std::size_t kFirstReserve = 4096;
  e.events.reserve(result.steps > known ? std::min(kFirstReserve, result.steps - known) : 0);
  Decoder decoder(e, known, verbose);
  LogCheck check(threads(), request);
  for (std::uint64_t i = result.begin; i < result.end; ++i) {
    const inspect_record record = c.log[i];
    if (!check.fits(record)) return std::nullopt;
    decoder.read(record);
  }
  return e;
}

// The process died under an execution without the runtime noticing: killed from outside, out of memory, or our own error.
Execution NativeProgram::died(const Death& death) const {
  Execution e;
  e.end = EndKind::limit;
  e.detail = INSPECT_LIMIT_MEMORY;
  switch (death.cause) {
    case Death::Cause::killed:
      e.message = "the program's process was killed by signal " + std::to_string(death.detail) +
                  (death.detail == SIGKILL ? " (out of memory?)" : "");
      break;
    case Death::Cause::stuck:
      e.detail = INSPECT_LIMIT_HANG;
      e.message = "the program's process made no progress for a long time: it waits for something outside";
      break;
    case Death::Cause::damaged:
      e.message = "the program wrote over memory that is not its own: the channel to inspect";
      break;
    case Death::Cause::stopped:
      e.end = EndKind::stopped;
      e.message = executor_->why_stopped();
      break;
    case Death::Cause::halted:
      e.detail = INSPECT_LIMIT_HANG;
      e.message = "the program's process was stopped by signal " + std::to_string(death.detail);
      break;
    default:
      e.message = "the program's process ended by itself with status " + std::to_string(death.detail);
  }
  return e;
}

void NativeProgram::run_part(std::span<const search::Request> requests, std::uint32_t flags, std::vector<Execution>& results) {
  if (lost_) {
    Execution none;
    none.end = EndKind::stopped;
    none.message = *lost_;
    results.resize(results.size() + requests.size(), none);
    return;
  }
  const std::size_t count = encode(requests, flags);
  executor_->send();
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto death = executor_->wait(static_cast<unsigned>(i + 1))) {
      if (death->cause != Death::Cause::retired) results.push_back(died(*death));
      executor_->channel().race_count = static_cast<std::uint32_t>(races_.size());  // they will be met again
      if (death->cause == Death::Cause::stopped || death->cause == Death::Cause::damaged)
        results.resize(results.size() + requests.size() - i - 1, results.back());
      return replace_executor();
    }
    const auto slot = static_cast<unsigned>(i);
    auto execution = decode(slot, requests[i], verbose_);
    if (execution && take_races(slot, requests[i], *execution)) {
      results.push_back(std::move(*execution));
      continue;
    }
    results.resize(results.size() + requests.size() - i, died(*executor_->damaged()));
    executor_->channel().race_count = static_cast<std::uint32_t>(races_.size());
    return replace_executor();
  }
  // The process is about to end; a new one is needed at once, since names are read from its memory.
  if (__atomic_load_n(&executor_->channel().state, __ATOMIC_SEQ_CST) == INSPECT_EXECUTOR_RETIRED) replace_executor();
}

// False: what is noted cannot be.
bool NativeProgram::take_races(unsigned slot, const search::Request& request, const Execution& execution) {
  const inspect_channel& c = executor_->channel();
  while (races_.size() < __atomic_load_n(&c.race_count, __ATOMIC_ACQUIRE) && c.races[races_.size()].slot == slot) {
    const inspect_race r = c.races[races_.size()];
    if (!is_sound(r, threads(), request, execution.events.size())) return false;
    NotedRace& race = races_.emplace_back();
    race.points = r.points;
    race.bug.detail = INSPECT_BUG_DATA_RACE;
    race.bug.thread = r.thread;
    race.bug.other_thread = r.other_thread;
    race.bug.site = r.site;
    race.bug.other_site = r.other_site;
    race.bug.address = r.address;
    race.bug.executions_before = ended_;
    for (std::size_t i = 0; i < r.steps; ++i) {
      const bool known = i < execution.known;
      race.bug.schedule.push_back(known ? request.prefix[i] : execution.events[i - execution.known].choice);
    }
  }
  ended_ += execution.end == EndKind::complete || execution.end == EndKind::bug;
  return true;
}

void NativeProgram::replace_executor() {
  if (const auto again = executor_->respawn(); !again) lost_ = "the program could not be started again: " + again.error();
}

std::vector<Execution> NativeProgram::run(std::span<const search::Request> requests) {
  std::vector<Execution> results;
  results.reserve(requests.size());
  while (results.size() < requests.size()) run_part(requests.subspan(results.size()), 0, results);
  return results;
}

bool NativeProgram::stays(std::uint64_t object) const { return object < runtime::kStackBase || object >= runtime::kShadowBase; }

double NativeProgram::seconds_of_symmetry() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
  const std::uint64_t ticks = __builtin_ia32_rdtsc() - first_tick_;
  return ticks ? static_cast<double>(executor_->channel().twin_ticks) * elapsed.count() / static_cast<double>(ticks) : 0;
}

bool NativeProgram::threads_told_apart() const { return executor_->channel().threads_told_apart; }

bool NativeProgram::addresses_used() const { return executor_->channel().addresses_used; }

const search::Code* NativeProgram::code() {
  if (!code_) code_ = read_code(*executor_);
  return &*code_;
}

bool NativeProgram::take_change() {
  const inspect_channel& c = executor_->channel();
  const bool refused = c.waits_refused && !std::exchange(refusal_seen_, true);
  const bool facts = std::exchange(thread_facts_seen_, c.thread_facts_grew) != c.thread_facts_grew;
  return std::exchange(shared_seen_, c.shared_locations_grew) != c.shared_locations_grew || refused || facts;
}

std::string NativeProgram::points_known() const {
  inspect_channel& c = executor_->channel();
  const std::uint32_t grew = c.shared_locations_grew;
  if (c.configuration.visible_all) return std::to_string(grew);
  std::string out = "0";
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(grew, INSPECT_MAX_LISTED); ++i)
    out += ',' + std::to_string(inspect_shared_table_of(&c)->listed[i]);
  return out;
}

std::string NativeProgram::knowledge() const {
  const inspect_channel& c = executor_->channel();
  std::string out = (c.waits_refused ? '-' : '+') + points_known();
  for (std::uint32_t i = 1; i < c.thread_count; ++i)
    out += ' ' + std::to_string(c.threads[i].parent) + ':' + std::to_string(c.threads[i].index);
  return out;
}

// The other knows points that this one has not met: a list that goes on where this one ends. What this one has explored and
// still counts is void by then (distribute/rank.hpp).
void NativeProgram::learn_points(std::string_view others) {
  const std::string own = points_known();
  if (executor_->channel().configuration.visible_all) return;
  if (!others.starts_with(own) || others.size() == own.size() || others[own.size()] != ',') return;
  for (const char* at = others.data() + own.size(); *at == ',';) {
    char* end = nullptr;
    executor_->share(std::strtoull(at + 1, &end, 10) << 3, 1);
    at = end;
  }
  shared_seen_ = executor_->channel().shared_locations_grew;
}

bool NativeProgram::learn(const std::string& other) {
  if (other.empty()) return false;
  learn_points(std::string_view(other).substr(1, other.find(' ') - 1));
  if (other.front() == '-') refusal_seen_ = executor_->channel().waits_refused = 1;
  const std::string own = knowledge();
  if (own.starts_with(other) && (own.size() == other.size() || own[other.size()] == ' ')) return true;
  if (!other.starts_with(own) || other[own.size()] != ' ') return false;
  inspect_channel& c = executor_->channel();
  const char* at = other.c_str() + own.size();
  while (*at == ' ' && c.thread_count < INSPECT_MAX_THREADS) {
    char* end = nullptr;
    const std::uint32_t number = std::max(1u, c.thread_count);
    const unsigned long parent = std::strtoul(at + 1, &end, 10), index = *end == ':' ? std::strtoul(end + 1, &end, 10) : ~0ul;
    const auto is_it = [&](const inspect_thread_name& other) { return other.parent == parent && other.index == index; };
    if (parent >= number || index > UINT16_MAX || std::any_of(c.threads + 1, c.threads + number, is_it)) return false;
    c.threads[number] = {static_cast<std::uint8_t>(parent), 1, static_cast<std::uint16_t>(index)};
    c.thread_count = number + 1;
    at = end;
  }
  return knowledge() == other;  // only one spelling is ours
}

std::uint32_t NativeProgram::verbose_flags() const {
  const bool again = executor_->channel().configuration.races_go_on;
  return INSPECT_REQUEST_VERBOSE | INSPECT_REQUEST_OUTPUT | (again ? INSPECT_REQUEST_RERUN : 0) |
         (again && shown_.stops_at_race ? INSPECT_REQUEST_STOPS_AT_RACE : 0) | (shown_.cycle ? INSPECT_REQUEST_CYCLE : 0);
}

// `known`: how many locations were points in it.
void NativeProgram::take_points(VerboseRun& run, std::uint32_t known) const {
  const inspect_shared_table& table = *inspect_shared_table_of(&executor_->channel());
  std::set<std::uint64_t> granules;
  for (const Event& event : run.execution.events) {
    const Operation& o = event.operation;
    if (o.kind != INSPECT_OP_PlainRead && o.kind != INSPECT_OP_PlainWrite) continue;
    for (std::uint64_t granule = o.object >> 3; granule <= (o.object + std::max(o.size, 1u) - 1) >> 3; ++granule) {
      const inspect_shared_entry* const entry = inspect_shared_entry_if(&table, granule);
      if (entry && entry->shared && entry->shared <= known) granules.insert(granule);
    }
  }
  for (const std::uint64_t granule : granules) {
    if (!run.points.empty() && run.points.rbegin()->first + run.points.rbegin()->second == granule << 3)
      run.points.rbegin()->second += 8;
    else
      run.points[granule << 3] = 8;
  }
}

void NativeProgram::take_turns(search::Request& request) const {
  request.waits = !shown_.all_turns;
  request.visited = shown_.all_turns;
  request.states = shown_.cycle.has_value();
}

VerboseRun NativeProgram::run_verbose_once(const std::vector<Choice>& schedule) {
  VerboseRun run;
  run.cycle = shown_.cycle;
  search::Request request;
  request.prefix = schedule;
  take_turns(request);
  std::vector<Execution> results;
  executor_->take_output();
  verbose_ = &run;
  std::uint32_t known = 0;
  while (results.empty()) {
    known = points_shown();
    run_part({&request, 1}, verbose_flags(), results);
  }
  verbose_ = nullptr;
  run.execution = std::move(results.front());
  take_points(run, known);
  run.output = executor_->take_output();
  return run;
}

bool is_unordered(const Execution& execution) {
  if (execution.end != EndKind::bug) return false;
  return execution.detail == INSPECT_BUG_DATA_RACE ||
         (execution.detail == INSPECT_BUG_MEMORY_ERROR &&
          execution.message.find("another thread may have freed") != std::string::npos);
}

WatchedAccess earlier_access(const Execution& execution) {
  if (!is_unordered(execution)) return {};
  return {execution.other_site, execution.other_thread, execution.address};
}

// Which access is the earlier one of a race is known once the race is met: the same execution again says how it came about.
void NativeProgram::find_other_stack(VerboseRun& run, const std::vector<Choice>& schedule, std::uint32_t points) {
  const WatchedAccess watched = earlier_access(run.execution);
  if (!watched.site) return;
  shown_.points = points;
  shown_.watched = watched;
  VerboseRun again = run_verbose_once(schedule);
  const WatchedAccess met = earlier_access(again.execution);
  const bool same = met.site == watched.site && met.thread == watched.thread && met.address == watched.address;
  if (same && again.execution.site == run.execution.site) run.other_stack = std::move(again.other_stack);
}

VerboseRun NativeProgram::run_verbose(const std::vector<Choice>& schedule, const Shown& shown) {
  shown_ = shown;
  for (;;) {
    const std::uint32_t points = points_shown();
    VerboseRun run = run_verbose_once(schedule);
    const bool follows = run.execution.end != EndKind::diverged && executor_->channel().configuration.visible_all;
    if (!follows && take_change()) continue;  // new scheduling points: follow it again
    find_other_stack(run, schedule, points);
    shown_ = {};
    return run;
  }
}

Result<std::optional<VerboseRun>> NativeProgram::debug(const std::vector<Choice>& schedule, const DebuggerOptions& options,
                                                       const Shown& shown) {
  search::Request request;
  request.prefix = schedule;
  shown_ = shown;
  take_turns(request);
  encode({&request, 1}, verbose_flags());
  shown_ = {};
  inspect_channel& c = executor_->channel();
  c.debugged = 1;
  __atomic_store_n(&c.completed, 0, __ATOMIC_SEQ_CST);
  const auto error = run_debugger(*executor_, options);
  c.debugged = 0;
  if (error) return *error;
  if (!__atomic_load_n(&c.completed, __ATOMIC_SEQ_CST)) return std::optional<VerboseRun>();
  VerboseRun run;
  auto execution = decode(0, request, &run);
  if (!execution) return Error{"the program wrote over the channel to inspect"};
  run.execution = std::move(*execution);
  return std::optional(std::move(run));
}

void NativeProgram::find_points() {
  constexpr std::uint64_t kRounds = 16, kRuns = 16;
  std::uint64_t seed = 0;
  bool goes_on = true;  // one that has computed for long shows nothing more, and others would do so too
  for (std::uint64_t round = 0; round < kRounds && goes_on; ++round) {
    for (std::uint64_t i = 0; i < kRuns && goes_on; ++i) {
      search::Request r;
      r.policy = seed ? INSPECT_POLICY_RANDOM : INSPECT_POLICY_RUN;
      r.seed = seed++;
      const Execution e = std::move(run({&r, 1}).front());
      const bool long_one = e.end == EndKind::limit && (e.detail == INSPECT_LIMIT_HANG || e.detail == INSPECT_LIMIT_STEPS);
      goes_on = e.end != EndKind::stopped && !long_one;
    }
    if (!take_change() && round > 0) break;
  }
  ended_ = 0;
}

}  // namespace inspect::process
