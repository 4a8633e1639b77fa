#include "explicit_engine/search.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "explicit_engine/bottoms.hpp"
#include "explicit_engine/mutation.hpp"
#include "explicit_engine/pending_threads.hpp"
#include "explicit_engine/state_tree.hpp"
#include "search/core/outcome.hpp"

namespace inspect::explicit_engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMostLimited = 100;  // executions cut by limits of the runtime, before the search gives up

bool is_plain(const Operation& o) { return o.kind == INSPECT_OP_PlainRead || o.kind == INSPECT_OP_PlainWrite; }

class Search {
 public:
  Search(search::Program& program, const SearchOptions& options)
      : program_(program), options_(options), state_flags_(options.state_flags) {}

  Explored run() {
    begin();
    while (!stop_ && !must_stop()) {
      while (!frames_.empty() && frames_.back().next == choices_.size()) leave();
      if (frames_.empty()) break;
      go_on(choices_[frames_.back().next]);
      measure();
      if (options_.on_progress) options_.on_progress(out_);
    }
    return finish();
  }

 private:
  struct Frame {
    StateNumber state = 0;
    std::size_t begin = 0, next = 0;  // of its transitions in choices_: all; those that are left
    std::uint64_t hash = 0;           // of the steps that lead there
    std::uint32_t allocations = 0;    // up to there
    std::uint32_t left_out = 0;       // transitions: those of all threads but one
    ThreadId only = 0;                // that one
  };
  struct Found {                   // a bug behind that state
    StateNumber state = kNoState;  // none: its schedule stays as it is
    std::vector<Choice> rest;
  };

  void begin() {
    ++number_;
    frames_.clear();
    choices_.clear();
    path_.clear();
    pending_ = {};
    table_ = {};
    tree_ = {};
    out_.graph.clear();
    const auto kept = out_.outcome.transitions;
    out_.outcome = {};
    out_.outcome.transitions = kept;
    out_.as_found.clear();
    found_.clear();
    out_.cut = out_.without_identity = limited_ = 0;
    out_.moved_threads = out_.reduced_states = out_.left_out = 0;
    on_path_.clear();
    table_.arrive({});  // the initial state is like no other
    out_.graph.add_state();
    out_.labels = {};
    if (options_.labels) label(0, false);
    enter(0, 0, {}, 0);
  }

  // `safe`: threads whose next transition is independent of what others can do before it. One of them is enough, together with
  // what take_all() sees to.
  void enter(StateNumber state, std::uint64_t hash, const ThreadSet& safe, std::uint32_t allocations) {
    Frame& frame = frames_.emplace_back();
    frame.state = state;
    frame.begin = frame.next = choices_.size();
    frame.hash = hash;
    frame.allocations = allocations;
    if (state >= on_path_.size()) on_path_.resize(state + 1);
    on_path_[state] = true;
    pending_.for_each_choice([&](Choice c) { choices_.push_back(c); });
    ThreadSet first = safe;
    first &= pending_.enabled();
    if (!first.empty()) take_only(frame, static_cast<ThreadId>(first.first()));
    auto& depth = out_.outcome.max_depth;
    depth = std::max<std::uint64_t>(depth, path_.size());
  }

  // All transitions of the innermost state were taken.
  void leave() {
    const Frame& frame = frames_.back();
    choices_.resize(frame.begin);
    on_path_[frame.state] = false;
    out_.reduced_states += frame.left_out != 0;
    out_.left_out += frame.left_out;
    frames_.pop_back();
    if (frames_.empty()) return;
    pending_.pop();
    path_.pop_back();
  }

  void take_only(Frame& frame, ThreadId thread) {
    const auto begin = choices_.begin() + static_cast<std::ptrdiff_t>(frame.begin);
    const auto end = std::remove_if(begin, choices_.end(), [&](Choice c) { return c.thread != thread; });
    frame.only = thread;
    frame.left_out = static_cast<std::uint32_t>(choices_.end() - end);
    choices_.erase(end, choices_.end());
    if (mutated(Mutation::one_of_alternatives)) choices_.resize(frame.begin + 1);
  }

  // Of the innermost state, the other threads' transitions too.
  void take_all() {
    Frame& frame = frames_.back();
    if (!frame.left_out) return;
    frame.left_out = 0;
    pending_.for_each_choice([&](Choice c) {
      if (c.thread != frame.only) choices_.push_back(c);
    });
  }

  // The innermost state leaves transitions out: may it, now that one leads there? Not if that closes a cycle, in which they
  // would be left out for ever; nor if it allocates, where that decides on addresses; nor, with a formula, if that speaks of
  // what the step did, or no run counts behind it.
  void look_at_step(StateNumber to, std::uint32_t allocations, bool is_seen) {
    const Frame& from = frames_.back();
    const bool closes = to < on_path_.size() && on_path_[to] && !mutated(Mutation::cycles_reduced) &&
                        (to == from.state || !mutated(Mutation::only_own_cycles));
    const bool allocates = allocations != from.allocations && !options_.allocations_commute;
    if (closes || allocates || (is_seen && !mutated(Mutation::conditions_left_out))) take_all();
  }

  [[nodiscard]] search::Request request_behind(std::vector<Choice> prefix) const {
    search::Request request;
    request.prefix = std::move(prefix);
    request.starts_first = request.states = true;
    request.visited = number_;
    request.state_flags = state_flags_;
    return request;
  }

  void go_on(Choice choice) {
    search::Request request = request_behind(path_);
    request.prefix.push_back(choice);
    request.known = path_.size();
    request.known_hash = frames_.back().hash;
    const Execution execution = std::move(program_.run({&request, 1}).front());
    if (starts_again()) return begin();
    absorb(execution);
    if (!stop_) look_for_races();
  }

  // Is what was explored void? Scheduling points were added; or states were taken for alike whose addresses matter.
  bool starts_again() {
    const bool addresses = (state_flags_ & options_.without_addresses) && program_.swaps().addresses_used();
    if (addresses) {
      state_flags_ &= ~options_.without_addresses;
      out_.addresses_used = true;
    }
    if ((state_flags_ & options_.without_trades) && program_.swaps().threads_told_apart()) {
      state_flags_ &= ~options_.without_trades;
      out_.threads_told_apart = true;
    }
    return program_.take_change() || addresses;
  }

  // Follows the execution up to a known state.
  void absorb(const Execution& e) {
    for (std::size_t i = 0; i < e.no_identity.size(); ++i) out_.why_no_identity[i] |= e.no_identity[i];
    bool fresh = true;
    std::size_t at = 0;
    for (; at < e.events.size() && at < e.states.size() && fresh; ++at) {
      if (!take(e.events[at].choice)) return leave_path(e, at);
      fresh = step(e, at);
      if (fresh && options_.labels) label(e.valuations[at], e.events[at].next.operation.kind == INSPECT_OP_AssumeFailed);
    }
    if (fresh && at < e.events.size() && !take(e.events[at].choice)) return leave_path(e, at);
    out_.outcome.transitions += at + (fresh && at < e.events.size());
    end(e, at, fresh);
  }

  // The program went on with a transition that is left out, or with one that the state does not have.
  void leave_path(const Execution& e, std::size_t at) {
    if (!frames_.back().left_out) return diverge(e);
    out_.outcome.transitions += at;
    ++out_.outcome.redundant;
  }

  // The transition is under way: not again. False: the state does not have it.
  bool take(Choice choice) {
    Frame& frame = frames_.back();
    const auto left = choices_.begin() + static_cast<std::ptrdiff_t>(frame.next);
    const auto it = std::find(left, choices_.end(), choice);
    if (it == choices_.end()) return false;
    std::rotate(left, it, it + 1);
    ++frame.next;
    return true;
  }

  // Where descriptions are kept: by their number. One that is missing is like no other.
  StateId id_of(const Execution& e, std::size_t at) {
    if (!options_.descriptions || e.states[at].unique()) return e.states[at];
    if (at >= e.state_words.size() || e.state_words[at].empty()) return {};
    return {tree_.number_of(e.state_words[at]), 0};
  }

  // True: the state behind it is new, and is the innermost one now.
  bool step(const Execution& e, std::size_t at) {
    const Event& event = e.events[at];
    const StateId id = id_of(e, at);
    const std::uint32_t allocations = at < e.allocations.size() ? e.allocations[at] : 0;
    const auto [number, fresh] = table_.arrive(id);
    if (fresh) out_.graph.add_state();
    out_.graph.add_transition(frames_.back().state, {number, event.choice});
    out_.moved_threads += !fresh && at < e.permuted.size() && e.permuted[at];
    const bool touched = at >= e.touched_conditions.size() || e.touched_conditions[at];  // what is not told is seen
    look_at_step(number, allocations, options_.labels && (touched || event.next.operation.kind == INSPECT_OP_AssumeFailed));
    if (!fresh) return false;
    out_.without_identity += id.unique();
    const std::uint64_t hash =
        inspect_step_hash(frames_.back().hash, event.choice.thread, event.choice.alternative, &event.operation);
    pending_.push(event);
    for (const PendingChange& c : event.changes) out_.outcome.threads = std::max(out_.outcome.threads, c.thread + 1u);
    path_.push_back(event.choice);
    enter(number, hash, at < e.safe.size() ? e.safe[at] : ThreadSet(), allocations);
    if (options_.race_pairs) note_race_pairs();
    return true;
  }

  // Of the state that comes next in the order of numbers.
  void label(std::uint64_t valuation, bool assumption_fails) {
    Labels& labels = out_.labels;
    // It has failed for ever.
    const bool before = frames_.size() > 1 && labels.disregarded[frames_[frames_.size() - 2].state];
    labels.valuations.push_back(valuation);
    labels.disregarded.push_back(assumption_fails || before);
  }

  // `at`: events that were followed; the last of them led to a state that is new (fresh) or known.
  void end(const Execution& e, std::size_t at, bool fresh) {
    search::Outcome& o = out_.outcome;
    if (!fresh) {
      ++out_.cut;
      ++o.redundant;
      // Bugs behind a known state are met from there, but for races, which depend on how the state was reached.
      if (e.end == EndKind::bug && e.detail == INSPECT_BUG_DATA_RACE) {
        ++o.executions;
        record_bug(e, at - 1);
      }
      if (e.end == EndKind::stopped) stop(e.message);
      return;
    }
    switch (e.end) {
      case EndKind::complete:
        ++o.executions;
        // Else threads wait that another alternative lets go on, or an assumption has failed.
        if (options_.labels && at < e.events.size() && e.events[at].operation.kind == INSPECT_OP_ProcessEnd)
          out_.labels.ends.push_back({frames_.back().state, e.events[at].choice});
        return;
      case EndKind::bug:
        ++o.executions;
        return record_bug(e, at);
      case EndKind::redundant:  // in a state that the runtime took for known: its transitions are left to be taken
      case EndKind::spinning:   // where time passes: in another order the loop waits less
        ++o.redundant;
        return;
      case EndKind::limit:
        ++o.limited;
        if (!o.limit) o.limit = cut_of(e);
        if (e.detail == INSPECT_LIMIT_STEPS || ++limited_ == kMostLimited) stop(e.message);
        return;
      case EndKind::unsupported:
        if (!o.unsupported) o.unsupported = cut_of(e);
        return stop(e.message);
      case EndKind::diverged:
        return diverge(e);
      case EndKind::stopped:
        return stop(e.message);
    }
  }

  void diverge(const Execution& e) {
    search::CutExecution cut = cut_of(e);
    if (e.end != EndKind::diverged) cut.message = "the program did not repeat what it could do next";
    cut.detail = static_cast<std::uint32_t>(path_.size());
    cut.schedule.clear();
    out_.outcome.divergence = std::move(cut);
    stop("an execution did not repeat");
  }

  [[nodiscard]] search::CutExecution cut_of(const Execution& e) const { return {static_cast<const Stop&>(e), path_}; }

  // `followed`: how many of its events are on the path.
  void record_bug(const Execution& e, std::size_t followed) {
    search::FoundBug bug = search::bug_of(e);
    bug.schedule = path_;
    Found found{.state = frames_.back().state, .rest = {}};
    for (std::size_t i = followed; i < e.events.size(); ++i) found.rest.push_back(e.events[i].choice);
    bug.schedule.insert(bug.schedule.end(), found.rest.begin(), found.rest.end());
    add(std::move(bug), std::move(found));
  }

  void add(search::FoundBug bug, Found found) {
    search::Outcome& o = out_.outcome;
    if (std::ranges::any_of(o.bugs, [&](const search::FoundBug& b) { return search::same_bug(b, bug); })) return;
    bug.executions_before = o.executions - 1;
    out_.as_found.push_back(bug.schedule);
    found_.push_back(std::move(found));
    o.bugs.push_back(std::move(bug));
    stop_ |= !options_.keep_going;
  }

  // Two conflicting accesses of which both can come next, one of them plain, are a race of this state, whatever the history
  // (SEMANTICS C.5): one after the other they show it.
  void note_race_pairs() {
    pending_.enabled().for_each([&](unsigned i) {
      const Operation& a = pending_.of(static_cast<ThreadId>(i)).operation;
      if (!is_plain(a)) return;
      pending_.enabled().for_each([&](unsigned k) {
        const Operation& b = pending_.of(static_cast<ThreadId>(k)).operation;
        if (k == i || inspect_family_of(b.kind) != INSPECT_FAMILY_Memory || !inspect_dependent(&a, &b)) return;
        std::vector<Choice> both = path_;
        both.push_back({static_cast<ThreadId>(i), 0});
        const ThreadSet& alternatives = pending_.of(static_cast<ThreadId>(k)).alternatives;
        both.push_back({static_cast<ThreadId>(k), static_cast<std::uint16_t>(alternatives.empty() ? 0 : alternatives.first())});
        pairs_.push_back(std::move(both));
      });
    });
  }

  void look_for_races() {
    for (auto& both : std::exchange(pairs_, {})) {
      if (stop_) return;
      search::Request request = request_behind(std::move(both));
      request.states = false;
      const Execution e = std::move(program_.run({&request, 1}).front());
      if (starts_again()) return begin();
      if (e.end == EndKind::stopped) return stop(e.message);
      if (e.end == EndKind::bug && e.detail == INSPECT_BUG_DATA_RACE) record_whole(e);
    }
  }

  // Of an execution from the initial state on.
  void record_whole(const Execution& e) {
    search::FoundBug bug = search::bug_of(e);
    for (const Event& event : e.events) bug.schedule.push_back(event.choice);
    ++out_.outcome.executions;
    add(std::move(bug), {});
  }

  void stop(std::string why) {
    stop_ = true;
    if (out_.outcome.why_not.empty()) out_.outcome.why_not = std::move(why);
  }

  bool must_stop() {
    if (options_.must_end)
      if (auto why = options_.must_end()) return stop(*std::move(why)), true;
    if (options_.time_limit > 0 && seconds() >= options_.time_limit) return stop("the time limit was reached"), true;
    if (options_.max_states && table_.size() - 1 > options_.max_states)
      return stop("more than " + std::to_string(options_.max_states) + " states"), true;
    return false;
  }

  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  void measure() {
    out_.outcome.seconds = seconds();
    out_.outcome.states = table_.size() - 1;  // but for the initial one, before main
    out_.visited_bytes = table_.bytes() + (options_.descriptions ? tree_.bytes() : 0);
    out_.state_flags = state_flags_;
  }

  Explored finish() {
    search::Outcome& o = out_.outcome;
    if (!stop_) judge_bottoms();
    measure();
    shorten();
    if (o.why_not.empty() && stop_) o.why_not = "stopped at the first bug";
    if (o.why_not.empty() && o.limit) o.why_not = o.limit->message;
    o.exhausted = o.why_not.empty();
    return std::move(out_);
  }

  // Where states are never left the program itself is asked: do threads only wait there, in loops that change nothing?
  void judge_bottoms() {
    constexpr std::size_t kMost = 1000;
    const std::vector<StateNumber> all = bottoms(out_.graph);
    out_.endless = all.size();
    if (all.empty()) return;
    if (all.size() > kMost)
      out_.outcome.why_not = std::to_string(all.size()) + " groups of states are never left, of which not all were judged";
    const StateGraph::Ways ways(out_.graph, along());
    for (std::size_t i = 0; i < std::min(all.size(), kMost) && !must_stop() && !stop_; ++i) {
      search::Request request = request_behind(ways.to(all[i]).value_or(std::vector<Choice>{}));
      request.states = false;
      const Execution e = std::move(program_.run({&request, 1}).front());
      if (e.end == EndKind::stopped) return stop(e.message);
      if (e.end == EndKind::diverged || e.end == EndKind::unsupported)
        return stop("a loop that never ends was not judged: " + e.message);
      if (e.end == EndKind::bug) record_whole(e);
    }
  }

  [[nodiscard]] StateGraph::Along along() const {
    return state_flags_ & options_.without_trades ? StateGraph::Along::first_met : StateGraph::Along::shortest;
  }

  void shorten() {
    if (std::ranges::all_of(found_, [](const Found& f) { return f.state == kNoState; })) return;
    const StateGraph::Ways ways(out_.graph, along());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].state == kNoState) continue;
      auto way = ways.to(found_[i].state);
      if (!way) continue;
      way->insert(way->end(), found_[i].rest.begin(), found_[i].rest.end());
      out_.outcome.bugs[i].schedule = *std::move(way);
    }
  }

  search::Program& program_;
  const SearchOptions& options_;
  Clock::time_point began_ = Clock::now();
  std::uint32_t state_flags_;
  std::uint64_t number_ = 0;  // of the search: it starts again where scheduling points are added
  StateTable table_;
  StateTree tree_;  // of what is in it, where descriptions are kept
  PendingThreads pending_;
  std::vector<Frame> frames_;    // the states on the path
  std::vector<bool> on_path_;    // by state
  std::vector<Choice> choices_;  // of all frames
  std::vector<Choice> path_;
  std::vector<std::vector<Choice>> pairs_;  // schedules that may end in a race
  std::vector<Found> found_;                // with the bugs of the outcome
  unsigned limited_ = 0;
  bool stop_ = false;
  Explored out_;
};

}  // namespace

Explored explore(search::Program& program, const SearchOptions& options) { return Search(program, options).run(); }

}  // namespace inspect::explicit_engine
