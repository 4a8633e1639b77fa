#include "oracle/interpreted_program.hpp"

#include <optional>

#include "base/check.hpp"
#include "hooks/dependence.h"
#include "hooks/sampling.h"

namespace inspect::oracle {

namespace {

bool asleep(const std::vector<search::Sleeper>& sleepers, Choice c) {
  for (const search::Sleeper& s : sleepers)
    if (s.choice == c) return true;
  return false;
}

std::optional<Choice> awake_transition(const Interpreter& m, ThreadId t, const std::vector<search::Sleeper>& sleepers) {
  std::optional<Choice> found;
  m.pending(t).alternatives.for_each([&](unsigned a) {
    const Choice c{t, static_cast<std::uint16_t>(a)};
    if (!found && !asleep(sleepers, c)) found = c;
  });
  return found;
}

// Keeps the running thread while it can move, then the lowest.
std::optional<Choice> keep_running(const Interpreter& m, ThreadId running, const std::vector<search::Sleeper>& sleepers) {
  const ThreadSet enabled = m.enabled();
  if (enabled.contains(running))
    if (const auto c = awake_transition(m, running, sleepers)) return c;
  std::optional<Choice> found;
  enabled.for_each([&](unsigned t) {
    if (!found) found = awake_transition(m, static_cast<ThreadId>(t), sleepers);
  });
  return found;
}

// Any transition that is awake.
std::optional<Choice> keep_no_order(const Interpreter& m, std::uint64_t draw, const std::vector<search::Sleeper>& sleepers) {
  std::vector<Choice> awake;
  m.enabled().for_each([&](unsigned t) {
    m.pending(static_cast<ThreadId>(t)).alternatives.for_each([&](unsigned a) {
      const Choice c{static_cast<ThreadId>(t), static_cast<std::uint16_t>(a)};
      if (!asleep(sleepers, c)) awake.push_back(c);
    });
  });
  return awake.empty() ? std::nullopt : std::optional(awake[draw % awake.size()]);
}

std::optional<Choice> start(const Interpreter& m) {
  std::optional<Choice> found;
  m.enabled().for_each([&](unsigned t) {
    const Choice c{static_cast<ThreadId>(t), 0};
    if (!found && m.pending(c.thread).operation.kind == INSPECT_OP_ThreadStart) found = c;
  });
  return found;
}

// The enabled transitions of a thread.
std::vector<Choice> transitions(const Interpreter& m, ThreadId t) {
  std::vector<Choice> all;
  m.pending(t).alternatives.for_each([&](unsigned a) { all.push_back({t, static_cast<std::uint16_t>(a)}); });
  return all;
}

std::optional<Choice> pick_random(const Interpreter& m, std::uint64_t seed, std::size_t position) {
  std::vector<Choice> all;
  m.enabled().for_each([&](unsigned t) {
    for (const Choice c : transitions(m, static_cast<ThreadId>(t))) all.push_back(c);
  });
  return all[inspect_draw(seed, INSPECT_DRAW_STEP, position) % all.size()];
}

// Priorities of pct. Model programs have no loops, so no thread ever yields.
class Priorities {
 public:
  explicit Priorities(const search::Request& request) : request_(request) {
    for (unsigned t = 0; t < kModelThreads; ++t) of_[t] = inspect_initial_priority(request.seed, t);
  }

  std::optional<Choice> pick(const Interpreter& m, std::size_t position) {
    for (unsigned i = 0; i < request_.change_points.size(); ++i)
      if (request_.change_points[i] == position + 1) of_[highest(m)] = inspect_lowered_priority(i);
    const std::vector<Choice> all = transitions(m, highest(m));
    return all[inspect_draw(request_.seed, INSPECT_DRAW_ALTERNATIVE, position) % all.size()];
  }

 private:
  [[nodiscard]] ThreadId highest(const Interpreter& m) const {
    unsigned best = m.enabled().first();
    m.enabled().for_each([&](unsigned t) {
      if (of_[t] > of_[best]) best = t;
    });
    return static_cast<ThreadId>(best);
  }

  const search::Request& request_;
  std::array<std::int64_t, kModelThreads> of_{};
};

// Wakes sleepers. Like the runtime, it does not compare an atomic section range by range: a section wakes everybody.
void wake(std::vector<search::Sleeper>& sleepers, const Event& e) {
  std::erase_if(sleepers, [&](const search::Sleeper& s) {
    return s.choice.thread == e.choice.thread || e.operation.kind == INSPECT_OP_AtomicSection ||
           inspect_dependent(&e.operation, &s.operation);
  });
}

// Plain accesses are no transitions of their own: they belong to the transition before them.
void run_to_next_synchronisation(Interpreter& m, Event& e) {
  const ThreadId t = e.choice.thread;
  if (e.operation.kind == INSPECT_OP_ThreadCreate) e.written = 1 + (e.operation.object - inspect_thread_object(0)) / 64;
  while (e.next.operation.kind == INSPECT_OP_PlainRead || e.next.operation.kind == INSPECT_OP_PlainWrite) {
    Event access = m.step({t, 0});
    const Operation& o = access.operation;
    e.accesses.push_back({.address = o.object,
                          .value = access.read,
                          .size = o.size,
                          .site = o.site,
                          .write = o.kind == INSPECT_OP_PlainWrite,
                          .varies = Interpreter::reads_clock(o)});
    e.next = access.next;
    e.enabled = access.enabled;
    for (PendingChange& c : access.changes) e.changes.push_back(std::move(c));
  }
}

Execution diverged(std::size_t step) {
  Execution e;
  e.end = EndKind::diverged;
  e.detail = static_cast<std::uint32_t>(step);
  e.message = "the model cannot take step " + std::to_string(step + 1);
  return e;
}

}  // namespace

std::vector<Execution> InterpretedProgram::run(std::span<const search::Request> requests) {
  std::vector<Execution> all;
  for (const search::Request& r : requests) all.push_back(run_one(r));
  runs_ += requests.size();
  return all;
}

Execution InterpretedProgram::run_one(const search::Request& request) const {
  Interpreter m = initial_;
  std::vector<Event> events;
  std::vector<StateId> states;
  std::vector<std::vector<SymmetricPair>> symmetric_pairs;
  std::vector<search::Sleeper> sleepers;
  std::uint64_t hash = 0;
  ThreadId running = 0;
  Priorities priorities(request);
  bool redundant = false;
  for (std::size_t position = 0; !m.ended(); ++position) {
    Choice choice;
    if (position < request.prefix.size()) {
      choice = request.prefix[position];
      if (choice.alternative == search::kAnyAlternative) {
        const auto any = awake_transition(m, choice.thread, {});
        redundant = !any;
        if (redundant) break;
        choice = *any;
      }
      if (!m.can_take(choice)) return diverged(position);
    } else {
      if (position == request.prefix.size()) sleepers = request.sleep;
      const auto started = request.starts_first ? start(m) : std::nullopt;
      const auto decided = started                                   ? started
                           : request.policy == INSPECT_POLICY_RANDOM ? pick_random(m, request.seed, position)
                           : request.policy == INSPECT_POLICY_PCT    ? priorities.pick(m, position)
                           : first_                                  ? keep_no_order(m, mix(*first_, m.state_hash()), sleepers)
                                                                     : keep_running(m, running, sleepers);
      redundant = !decided;
      if (redundant) break;
      choice = *decided;
    }
    Event e = m.step(choice);
    if (request.accesses) run_to_next_synchronisation(m, e);
    if (!request.starts_first || e.operation.kind != INSPECT_OP_ThreadStart) running = choice.thread;
    if (position >= request.prefix.size()) wake(sleepers, e);
    hash = inspect_step_hash(hash, choice.thread, choice.alternative, &e.operation);
    if (position + 1 == request.known && request.known_hash && hash != request.known_hash) return diverged(position);
    if (position < request.known) continue;
    events.push_back(std::move(e));
    if (request.states) states.push_back(m.state());
    if (request.symmetric_pairs) symmetric_pairs.push_back(m.symmetric_pairs());
  }
  Execution result = redundant ? Execution{} : m.end();
  if (redundant) result.end = EndKind::redundant;
  result.known = request.known;
  result.events = std::move(events);
  result.states = std::move(states);
  result.symmetric_pairs = std::move(symmetric_pairs);
  return result;
}

}  // namespace inspect::oracle
