#include "symbolic/encode/events.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>

#include "symbolic/mutation.hpp"
#include "symbolic/system/footprint.hpp"

namespace inspect::symbolic {

namespace {
constexpr std::size_t kCyclesAtOnce = 200;  // forbidden before the solver is asked again
constexpr Literal kProgramOrder = 0;        // of an edge that always holds
}  // namespace

std::optional<std::size_t> longest_path(const Thread& thread) {
  enum class Mark : std::uint8_t { none, open, done };
  std::vector<Mark> marks(thread.locations.size(), Mark::none);
  std::vector<std::size_t> length(thread.locations.size());
  std::vector<std::pair<LocationId, std::size_t>> path{{thread.start, 0}};  // with the next branch to look at
  marks[thread.start] = Mark::open;
  while (!path.empty()) {
    const LocationId l = path.back().first;
    const Location& here = thread.locations[l];
    const bool runs = here.kind == LocationKind::runs;
    if (runs && path.back().second < here.transition.branches.size()) {
      const LocationId next = here.transition.branches[path.back().second++].next;
      if (marks[next] == Mark::open) return std::nullopt;
      if (marks[next] == Mark::none) {
        marks[next] = Mark::open;
        path.emplace_back(next, 0);
      }
      continue;
    }
    if (runs)
      for (const Branch& branch : here.transition.branches) length[l] = std::max(length[l], 1 + length[branch.next]);
    marks[l] = Mark::done;
    path.pop_back();
  }
  return length[thread.start];
}

Events::Events(const System& system, const EventLimits& limits, const SolverSetup& setup)
    : Encoding(system, setup), threads_(system.threads.size()), reads_(system.cells.size()), writes_(system.cells.size()) {
  for (ThreadIndex t = 0; t < system.threads.size(); ++t) unroll(t, limits.transitions);
  is_too_large_ = expected_clauses() > limits.clauses;
  is_total_ = events_.size() <= limits.ordered_at_once;
  if (is_too_large_) return;
  read_from();
  end();
  order_edges_ = edges_.size();
  if (is_total_ && !mutated(Mutation::cycles_are_executions)) order_totally();
}

std::uint64_t Events::expected_clauses() const {
  std::uint64_t sum = 0;
  for (CellId c = 0; c < reads_.size(); ++c) sum += reads_[c].size() * writes_[c].size() * writes_[c].size();
  return sum;
}

// The thread's own cells as they are now; of shared ones what the next transition may read, which is anything yet.
Frame Events::frame_before(ThreadIndex t) {
  const Local& local = threads_[t];
  Frame frame;
  frame.cells = local.cells.back();
  frame.at.resize(system_.threads.size());
  frame.at[t] = local.at.back();
  const Thread& thread = system_.threads[t];
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    if (thread.locations[l].kind != LocationKind::runs || gates_.is_false(frame.at[t][l])) continue;
    for (const Touch& touch : shared_touches(system_, all_touches(system_, thread.locations[l].transition)))
      for (CellId c = touch.first; !touch.writes && c < touch.first + touch.extent; ++c)
        if (frame.cells[c].empty()) frame.cells[c] = gates_.fresh(system_.cells[c].width);
  }
  return frame;
}

void Events::add_reads(EventId event, ThreadIndex t, const Frame& frame, TermBits& terms) {
  std::map<CellId, std::vector<Literal>> reads;
  const Thread& thread = system_.threads[t];
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    if (thread.locations[l].kind != LocationKind::runs || gates_.is_false(frame.at[t][l])) continue;
    const Literal here = gates_.both(events_[event].executed, frame.at[t][l]);
    for (const Touch& touch : shared_touches(system_, all_touches(system_, thread.locations[l].transition))) {
      if (touch.writes) continue;
      const Literal happens = gates_.both(here, terms.truth(touch.condition));
      for (std::uint32_t i = 0; i < touch.extent; ++i) {
        Literal hits = touch.index ? terms.hits({touch.first, touch.extent, touch.index}, i) : gates_.truth(true);
        if (mutated(Mutation::indices_touch_first) && touch.index) hits = gates_.truth(i == 0);
        reads[touch.first + i].push_back(gates_.both(happens, hits));
      }
    }
  }
  for (auto& [cell, ways] : reads)
    if (const Literal some = gates_.any(std::move(ways)); !gates_.is_false(some))
      reads_[cell].push_back({event, some, frame.cells[cell]});
}

void Events::unroll(ThreadIndex t, std::size_t most) {
  const Thread& thread = system_.threads[t];
  Local& local = threads_[t];
  local.at.push_back(first_.at[t]);
  auto& own = local.cells.emplace_back(system_.cells.size());
  for (CellId c = 0; c < system_.cells.size(); ++c)
    if (system_.cells[c].owner == t) own[c] = first_.cells[c];
  Literal before = gates_.truth(true);
  for (std::size_t step = 0; step < most; ++step) {
    const Frame frame = frame_before(t);
    TermBits terms(system_, gates_, frame);
    std::vector<Literal> fires;
    for (LocationId l = 0; l < thread.locations.size(); ++l) {
      const bool idle = gates_.is_false(frame.at[t][l]) || thread.locations[l].kind != LocationKind::runs;
      fires.push_back(idle ? gates_.truth(false)
                           : gates_.both(frame.at[t][l], terms.truth(thread.locations[l].transition.guard)));
    }
    const Literal enabled = gates_.any(fires);
    if (gates_.is_false(enabled)) return;
    const EventId event = events_.size();
    const Literal executed = solver_.fresh();
    events_.push_back({t, step, executed});
    local.events.push_back(event);
    gates_.require({-executed, before});
    gates_.require({-executed, enabled});
    before = executed;
    add_reads(event, t, frame, terms);
    Changes changes(system_.cells.size());
    for (LocationId l = 0; l < thread.locations.size(); ++l) {
      fires[l] = gates_.both(executed, fires[l]);
      if (!gates_.is_false(fires[l])) update_cells(gates_, terms, thread.locations[l].transition, fires[l], changes);
    }
    auto next = local.cells.back();
    for (CellId c = 0; c < system_.cells.size(); ++c) {
      if (changes[c].empty()) continue;
      if (system_.cells[c].owner == t) {
        next[c] = gates_.select(changes[c], next[c]);
        continue;
      }
      std::vector<Literal> ways;
      for (const auto& [when, value] : changes[c]) ways.push_back(when);
      const Literal some = gates_.any(std::move(ways));
      if (!gates_.is_false(some))
        writes_[c].push_back({event, some, gates_.select(changes[c], gates_.constant(system_.cells[c].width, 0))});
    }
    std::vector<Literal> at, possible;
    for (auto& ways : arrivals_of(gates_, terms, thread, fires)) at.push_back(gates_.any(std::move(ways)));
    std::ranges::copy_if(at, std::back_inserter(possible), [&](Literal l) { return !gates_.is_false(l); });
    for (std::size_t i = 0; i < possible.size(); ++i)  // implied; said, it is known without a search
      for (std::size_t j = i + 1; j < possible.size(); ++j) gates_.require({-possible[i], -possible[j]});
    local.at.push_back(std::move(at));
    local.cells.push_back(std::move(next));
  }
}

// That a is before b, where both are executed. If the order is not a total one, it is only said where it must be so.
Literal Events::before(EventId a, EventId b) {
  if (events_[a].thread == events_[b].thread) return gates_.truth(a < b);
  const auto [it, is_new] = before_.try_emplace({a, b}, 0);
  if (!is_new) return it->second;
  if (const auto other = before_.find({b, a}); is_total_ && other != before_.end())
    it->second = -other->second;
  else
    it->second = solver_.fresh();
  edges_.push_back({a, b, it->second});
  if (is_total_) return it->second;
  if (const auto other = before_.find({b, a}); other != before_.end()) gates_.require({-it->second, -other->second});
  return before_.at({a, b});
}

void Events::require_equal(Literal where, const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    gates_.require({-where, -a[i], b[i]});
    gates_.require({-where, a[i], -b[i]});
  }
}

void Events::read_from() {
  for (CellId c = 0; c < system_.cells.size(); ++c)
    for (const Touching& r : reads_[c]) {
      if (solver_.is_late()) return;  // and no question is answered any more
      std::vector<Literal> sources{-r.happens};
      const Literal initial = solver_.fresh();
      sources.push_back(initial);
      require_equal(initial, r.value, first_.cells[c]);
      for (const Touching& w : writes_[c])
        if (w.event != r.event) gates_.require({-initial, -w.happens, before(r.event, w.event)});
      for (const Touching& w : writes_[c]) {
        if (w.event == r.event || gates_.is_false(before(w.event, r.event))) continue;
        const Literal from = solver_.fresh();
        sources.push_back(from);
        gates_.require({-from, w.happens});
        gates_.require({-from, before(w.event, r.event)});
        require_equal(from, r.value, w.value);
        if (mutated(Mutation::reads_any_write)) continue;
        for (const Touching& other : writes_[c])
          if (other.event != w.event && other.event != r.event)
            gates_.require({-from, -other.happens, before(other.event, w.event), before(r.event, other.event)});
      }
      gates_.require(std::move(sources));
    }
}

// By number of its transitions: it takes no more.
std::vector<Literal> Events::stops(ThreadIndex t) {
  std::vector<Literal> stops;
  Literal so_far = gates_.truth(true);
  for (const EventId e : threads_[t].events) {
    stops.push_back(gates_.both(so_far, -events_[e].executed));
    so_far = events_[e].executed;
  }
  stops.push_back(so_far);
  return stops;
}

Bits Events::last_value(CellId cell) {
  const auto& writes = writes_[cell];
  if (writes.empty()) return first_.cells[cell];
  Bits value = gates_.fresh(system_.cells[cell].width);
  std::vector<Literal> sources;
  std::vector<Literal> none;
  for (const Touching& w : writes) none.push_back(-w.happens);
  sources.push_back(gates_.all(std::move(none)));
  require_equal(sources.front(), value, first_.cells[cell]);
  for (const Touching& w : writes) {
    const Literal last = solver_.fresh();
    sources.push_back(last);
    gates_.require({-last, w.happens});
    require_equal(last, value, w.value);
    if (mutated(Mutation::any_write_is_last)) continue;
    for (const Touching& other : writes)
      if (other.event != w.event) gates_.require({-last, -other.happens, before(other.event, w.event)});
  }
  gates_.require(std::move(sources));
  return value;
}

void Events::end() {
  auto last = std::make_unique<Frame>(first_);
  for (ThreadIndex t = 0; t < threads_.size(); ++t) {
    const Local& local = threads_[t];
    const std::vector<Literal> stop = stops(t);
    for (LocationId l = 0; l < last->at[t].size(); ++l) {
      std::vector<Literal> ways;
      for (std::size_t n = 0; n < stop.size(); ++n) ways.push_back(gates_.both(stop[n], local.at[n][l]));
      last->at[t][l] = gates_.any(std::move(ways));
    }
    for (CellId c = 0; c < system_.cells.size(); ++c) {
      if (system_.cells[c].owner != t) continue;
      std::vector<std::pair<Literal, Bits>> values;
      for (std::size_t n = 1; n < stop.size(); ++n)
        if (local.cells[n][c] != local.cells[0][c]) values.emplace_back(stop[n], local.cells[n][c]);
      last->cells[c] = gates_.select(values, first_.cells[c]);
    }
  }
  for (CellId c = 0; c < system_.cells.size(); ++c)
    if (system_.cells[c].owner == kShared) last->cells[c] = last_value(c);
  end_in(std::move(last));
}

void Events::order_totally() {
  for (EventId a = 0; a < events_.size(); ++a)
    for (EventId b = a + 1; b < events_.size(); ++b)
      for (EventId c = b + 1; c < events_.size(); ++c) {
        gates_.require({-before(a, b), -before(b, c), before(a, c)});
        gates_.require({before(a, b), before(b, c), -before(a, c)});
      }
}

Literal Events::goes_on() {
  std::vector<Literal> some;
  for (ThreadIndex t = 0; t < threads_.size(); ++t) some.push_back(gates_.both(stops(t).back(), pending_.enabled[t]));
  return gates_.any(std::move(some));
}

std::vector<std::vector<std::pair<Events::EventId, Literal>>> Events::order_in_model() {
  std::vector<std::vector<std::pair<EventId, Literal>>> next(events_.size());
  const auto executed = [&](EventId e) { return solver_.value(events_[e].executed); };
  for (const Edge& e : std::span(edges_).first(order_edges_))
    if (solver_.value(e.holds) && executed(e.from) && executed(e.to)) next[e.from].emplace_back(e.to, e.holds);
  for (const Local& local : threads_)
    for (std::size_t n = 1; n < local.events.size() && executed(local.events[n]); ++n)
      next[local.events[n - 1]].emplace_back(local.events[n], kProgramOrder);
  return next;
}

// Forbids cycles of the model's order, short ones first. False: it has none.
bool Events::forbid_cycles() {
  if (is_total_ || mutated(Mutation::cycles_are_executions)) return false;
  const auto next = order_in_model();
  std::set<std::vector<Literal>> clauses;
  for (EventId from = 0; from < next.size() && clauses.size() < kCyclesAtOnce; ++from)
    for (const auto& [start, holds] : next[from]) {
      if (holds == kProgramOrder) continue;
      // The way back with the fewest edges that are not the threads' own.
      std::vector<std::pair<EventId, Literal>> came(events_.size(), {events_.size(), kProgramOrder});
      std::vector<bool> seen(events_.size());
      std::deque<EventId> open{start};
      seen[start] = true;
      while (!open.empty() && !seen[from]) {
        const EventId here = open.front();
        open.pop_front();
        for (const auto& [to, by] : next[here]) {
          if (seen[to]) continue;
          seen[to] = true;
          came[to] = {here, by};
          by == kProgramOrder ? open.push_front(to) : open.push_back(to);
        }
      }
      if (!seen[from]) continue;
      std::vector<Literal> clause{-holds};
      for (EventId e = from; e != start; e = came[e].first)
        if (came[e].second != kProgramOrder) clause.push_back(-came[e].second);
      std::ranges::sort(clause);
      clauses.insert(std::move(clause));
    }
  for (const auto& clause : clauses) gates_.require(clause);
  cycles_ += clauses.size();
  return !clauses.empty();
}

Answer Events::solve(std::span<const Literal> assumptions) {
  for (;;) {
    if (is_too_large_ || solver_.is_late()) return Answer::unknown;
    const Answer answer = solver_.solve(assumptions);
    if (answer != Answer::satisfiable || !forbid_cycles()) return answer;
  }
}

// By thread: how many transitions it takes.
std::vector<std::size_t> Events::executed_in_model() {
  std::vector<std::size_t> counts;
  for (const Local& local : threads_)
    counts.push_back(static_cast<std::size_t>(
        std::ranges::count_if(local.events, [&](EventId e) { return solver_.value(events_[e].executed); })));
  return counts;
}

Answer Events::shorten(Literal holds) {
  std::vector<std::size_t> counts = executed_in_model();
  std::vector<bool> least(threads_.size());
  const auto ask = [&](std::size_t shorter) {
    std::vector<Literal> assumptions{holds};
    for (ThreadIndex t = 0; t < threads_.size(); ++t)
      if (const std::size_t most = counts[t] - (t == shorter); most < threads_[t].events.size())
        assumptions.push_back(-events_[threads_[t].events[most]].executed);
    return solve(assumptions);
  };
  for (ThreadIndex t = 0; t < threads_.size(); ++t)
    while (counts[t]) {
      const Answer answer = ask(t);
      if (answer == Answer::unknown) return answer;
      if (answer == Answer::unsatisfiable) break;
      counts = executed_in_model();
    }
  return ask(threads_.size());
}

// One order of the events: a thread goes on as long as nothing has to come before.
std::vector<ThreadIndex> Events::schedule_in_model() {
  const auto next = order_in_model();
  std::vector<std::size_t> earlier(events_.size()), taken(threads_.size());
  for (const auto& to : next)
    for (const auto& edge : to) ++earlier[edge.first];
  const std::vector<std::size_t> counts = executed_in_model();
  std::vector<ThreadIndex> schedule;
  const auto take = [&](ThreadIndex t) {
    if (taken[t] == counts[t] || earlier[threads_[t].events[taken[t]]]) return false;
    for (const auto& edge : next[threads_[t].events[taken[t]++]]) --earlier[edge.first];
    schedule.push_back(t);
    return true;
  };
  for (bool some = true; some;) {
    some = false;
    for (ThreadIndex t = 0; t < threads_.size(); ++t)
      while (take(t)) some = true;
  }
  return schedule;
}

}  // namespace inspect::symbolic
