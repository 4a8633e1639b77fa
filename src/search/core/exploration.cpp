#include "search/core/exploration.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "search/core/outcome.hpp"
#include "search/mutation.hpp"
#include "search/sample/sample.hpp"

namespace inspect::search {

namespace {

template <class F>
void for_each_alternative(const Pending& p, F&& f) {
  if (p.operation.kind == INSPECT_OP_Choice) {
    for (std::uint32_t a = 0; a < p.choices; ++a) f(static_cast<std::uint16_t>(a));
  } else {
    p.alternatives.for_each([&](unsigned a) { f(static_cast<std::uint16_t>(a)); });
  }
}

// Do two operations agree in what inspect_step_hash() leaves out?
bool is_same(const Operation& a, const Operation& b) {
  return a.order == b.order && a.rmw == b.rmw && a.flags == b.flags && a.site == b.site && a.size == b.size &&
         a.object2 == b.object2 && a.size2 == b.size2;
}

// Analysing one long execution can take long: limits are checked each time after so many events.
constexpr std::uint32_t kEventsBetweenLooks = 64;

}  // namespace

const ReductionInfo& reduction_of(const Options& options) {
  const ReductionInfo* const row =
      find_reduction(options.algorithm, {.symmetry = options.symmetry, .bound = options.preemptions.has_value()});
  CHECK(row, "no such algorithm");
  return *row;
}

Exploration::Exploration(Program& program, const Options& options, const ReductionInfo& reduction, Observer* observer,
                         Peers* peers, bool home)
    : program_(program),
      options_(options),
      asked_for_(reduction),
      reduction_(options.preemptions ? asked_for_.make_bounded() : asked_for_.make()),
      observer_(observer),
      home_(home),
      open_(*reduction_, options.keep_going),
      units_(*this, open_, options, peers, home),
      cuts_(make_cuts(*this, asked_for_.cut, options)),
      began_(std::chrono::steady_clock::now()) {}

Outcome Exploration::run() {
  while (step()) {
  }
  return take_outcome();
}

bool Exploration::step() {
  if (stop_) return false;
  if (restart_) {
    if (begun_ && (!units_.none() || !home_)) {
      void_ = stop_ = true;
      return false;
    }
    start();
    return true;
  }
  if (open_.order->empty() || must_stop()) return false;
  fill_batch();
  if (!batch_.empty()) run_batch(batch_);
  return true;
}

void Exploration::fill_batch() {
  constexpr std::size_t kMostWaiting = 64;
  batch_.clear();
  std::vector<NodeId> waiting;
  for (std::size_t n = batch_size(); batch_.size() < n && !open_.order->empty() && waiting.size() < kMostWaiting;) {
    const NodeId next = *open_.order->take();
    Cut::Sending sending = Cut::Sending::now;
    for (const auto& cut : cuts_) sending = std::max(sending, cut->before_send(next, batch_));
    if (sending == Cut::Sending::never) continue;
    if (sending != Cut::Sending::now) {
      waiting.push_back(next);
      if (sending == Cut::Sending::after_batch) break;
      continue;
    }
    if (!batch_.empty() && open_.branching->must_wait(next)) {
      waiting.push_back(next);
      break;
    }
    batch_.push_back(next);
  }
  if (batch_.empty() && !waiting.empty()) {
    batch_.push_back(waiting.front());
    waiting.erase(waiting.begin());
  }
  for (std::size_t i = waiting.size(); i-- > 0;) open_.add_pending(waiting[i]);
}

void Exploration::stop(std::string why) {
  stop_ = true;
  if (outcome_.why_not.empty()) outcome_.why_not = std::move(why);
}

Outcome Exploration::take_outcome() {
  if (outcome_.why_not.empty() && stop_) outcome_.why_not = "stopped at the first bug";
  if (begun_)
    for (const auto& cut : cuts_) cut->report(outcome_);
  name_left_out(outcome_);
  if (outcome_.why_not.empty() && outcome_.limit) outcome_.why_not = outcome_.limit->message;
  outcome_.exhausted = outcome_.why_not.empty() && done();
  outcome_.estimate = outcome_.exhausted ? std::nullopt : estimate();
  outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  return std::move(outcome_);
}

// Begins at the initial state. Only what was learnt about atomic sections is kept.
void Exploration::start() {
  clear();
  if (observer_) observer_->on_start();
  if (home_) run_batch({&Tree::kRoot, 1});
}

void Exploration::clear() {
  restart_ = false;
  open_.clear(*reduction_, options_.keep_going);
  if (fell_back_) cuts_.clear();
  for (const auto& cut : cuts_) cut->begin();
  outcome_ = Outcome{{.transitions = outcome_.transitions, .seconds = outcome_.seconds}};
  outcome_.fell_back = fell_back_;
  units_.clear();
  begun_ = true;
}

void Exploration::ensure_begun() {
  if (!begun_) clear();
}

bool Exploration::is_over() {
  outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  return must_stop();
}

bool Exploration::must_stop() {
  if (stop_) return true;
  for (const auto& cut : cuts_)
    if (auto why = cut->must_stop()) {
      outcome_.why_not = std::move(*why);
      return true;
    }
  return reached_limit(options_, outcome_);
}

std::size_t Exploration::batch_size() const {
  unsigned preferred = program_.preferred_batch();
  for (const auto& cut : cuts_) preferred = std::min(preferred, cut->largest_batch());
  const std::size_t n = std::max(1u, options_.batch ? options_.batch : preferred);
  return options_.max_executions ? std::min<std::uint64_t>(n, options_.max_executions - outcome_.executions) : n;
}

void Exploration::run_batch(std::span<const NodeId> nodes) {
  requests_.clear();
  if (mutated(Mutation::siblings_sleep_both_ways))
    for (const NodeId n : nodes) tree_[n].state = n == Tree::kRoot ? NodeState::open : NodeState::in_flight;
  for (const NodeId n : nodes) requests_.push_back(request_for(n));
  std::vector<Execution> executions = program_.run(requests_);
  restart_ = program_.take_change();
  CHECK(executions.size() == nodes.size(), "an execution for each request");
  for (std::size_t i = 0; i < nodes.size() && !stop_ && !restart_; ++i) {
    if (executions[i].end == EndKind::stopped)
      stop(executions[i].message);  // this one and all that follow stay to be explored
    else
      take_result(nodes[i], requests_[i].known, std::move(executions[i]));
  }
  outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  for (const auto& cut : cuts_) cut->report(outcome_);
  if (observer_ && observer_->wants_estimate()) outcome_.estimate = estimate();
  if (observer_) observer_->on_progress(outcome_);
}

Request Exploration::request_for(NodeId id) {
  Request request;
  // Cuts are not proved for loads that wait for a value: with cuts every turn of a loop is taken.
  request.waits = cuts_.empty();
  for (const auto& cut : cuts_) cut->prepare(request);
  if (id == Tree::kRoot) return request;
  open_.branching->fall_asleep(id);
  Node& node = tree_[id];
  node.state = NodeState::in_flight;
  request.prefix.resize(node.depth);
  for (NodeId n = id; tree_[n].depth; n = tree_[n].parent) request.prefix[tree_[n].depth - 1] = tree_[n].choice;
  const NodeId above = open_.known_above(id);
  request.known = tree_[above].depth;
  request.known_hash = tree_[above].hash;
  for (const NodeId s : node.sleep) {
    const Node& sleeper = tree_[s];
    if (sleeper.choice.thread == node.choice.thread || dependent(label(s), label(id))) continue;
    request.sleep.push_back({sleeper.choice, sleeper.operation});
    request.sleep.back().operation.flags &= static_cast<std::uint8_t>(~INSPECT_FLAG_RANGES);  // sent without its ranges
  }
  return request;
}

// The search has met something that the reduction cannot place, or that a cut does not support: it begins again without cuts,
// with the algorithm that `auto` stands for.
void Exploration::fall_back() {
  reduction_ = find_reduction("auto")->make();
  restart_ = fell_back_ = true;
}

void Exploration::fall_back_as_others_did() {
  if (fell_back_) return;
  fall_back();
  restart_ = begun_ && units_.any_here();
  if (begun_ && !restart_) clear();
}

bool Exploration::is_beyond(const Execution& execution) const {
  return open_.branching->is_beyond(execution) ||
         std::ranges::any_of(cuts_, [&](const auto& cut) { return cut->is_beyond(execution); });
}

void Exploration::take_result(NodeId id, std::size_t known_then, Execution&& execution) {
  if (is_beyond(execution) || comes_otherwise(id, known_then, execution)) return fall_back();
  if (execution.end == EndKind::diverged) {
    outcome_.divergence = cut_of(execution);
    if (id != Tree::kRoot && tree_.has_event(tree_[id].parent)) outcome_.divergence->message += first_change(id);
    outcome_.why_not = "an execution did not repeat";
    stop_ = true;
    return;
  }
  wake_cut(id);
  move_to(id == Tree::kRoot ? id : open_.known_above(id));
  const auto count = static_cast<std::uint32_t>(execution.events.size());
  // Events before `first` are known from another execution of the same batch.
  const auto first = std::min(count, static_cast<std::uint32_t>(path_.depth() - known_then));
  const bool reached = id == Tree::kRoot || known_then + count >= tree_[id].depth;
  const bool may_miss = execution.end == EndKind::limit || execution.end == EndKind::unsupported ||
                        (execution.end == EndKind::redundant && tree_[id].choice.alternative == kAnyAlternative) ||
                        open_.branching->may_end_early(execution);
  if (!reached && !may_miss) return stop_unrepeated(tree_[id].depth, execution.site, "was not reached this time");
  for (const Event& e : execution.events) restart_ |= open_.sections.learn(e) && path_.keeps_causality();
  const std::span<const Event> events(execution.events);  // moving the vector keeps its elements where they are
  const std::uint32_t segment = tree_.keep(std::move(execution.events));
  races_.clear();
  const Counts before{outcome_.executions, outcome_.redundant, outcome_.limited, outcome_.transitions};
  std::uint32_t known = path_.depth();
  cut_ = false;
  const std::uint32_t explored = extend(id, execution, segment, first, count);
  if (stop_ || (!cuts_.empty() && restart_)) return;  // it did not repeat, a limit was reached, or all is void
  while (known < path_.depth() && known < revisited_) ++known;
  outcome_.transitions += path_.depth() - known + count - explored;
  if (explored == count && !cut_) races_of_unfinished(execution);
  const bool is_short = execution.end == EndKind::bug && cuts_short(execution.detail) && explored == count && !cut_;
  if (is_short && path_.depth() > 0 && path_.keeps_causality() && !mutated(Mutation::bugs_end_the_search_below))
    path_.order_last_after_all();
  reduction_->races_at_end(path_, known, races_);
  if (races_.unplaced) return fall_back();
  outcome_.threads = std::max(outcome_.threads, path_.threads());
  outcome_.max_depth = std::max<std::uint64_t>(outcome_.max_depth, path_.depth() + count - explored);
  observe(execution, events.subspan(explored));
  finish(execution, events.subspan(explored));
  count_endless_loop();
  const NodeId leaf = reached ? path_.node(path_.depth()) : id;
  if (explored == count && !cut_)
    for (const auto& cut : cuts_) cut->after_execution(execution);
  units_.send_remote(races_);
  apply(races_);
  units_.count({outcome_.executions - before.executions, outcome_.redundant - before.redundant,
                outcome_.limited - before.limited, outcome_.transitions - before.transitions});
  leaves_.clear();
  open_.branching->resume(id, leaves_);
  for (const NodeId l : leaves_) open_.add_pending(l);
  if (!reached) tree_[id].state = NodeState::open;
  close(leaf);
  if (explored == first) tree_.release_if_unused(segment);
}

// A transition that sleeps in this leaf may have ended in a bug after the leaf was sent. Then it must not sleep (never_sleeps):
// below this leaf it may end in another bug. The program still treated it as asleep; if nothing else was left to run, settle()
// has it explored.
void Exploration::wake_cut(NodeId leaf) {
  for (; !tree_.executed(leaf) && leaf != Tree::kRoot; leaf = tree_[leaf].parent)
    std::erase_if(tree_[leaf].sleep, [&](NodeId s) { return tree_[s].never_sleeps; });
}

// Adds the events to tree and path. Returns how many were added. It stops before a transition that sleeps; the program cannot
// always know that, since it is told who sleeps before it is known how the sent transition comes out.
std::uint32_t Exploration::extend(NodeId sent, const Execution& execution, std::uint32_t segment, std::uint32_t first,
                                  std::uint32_t count) {
  NodeId from = path_.node(path_.depth());
  sent_.clear();
  revisited_ = 0;
  for (; sent != from; sent = tree_[sent].parent) sent_.push_back(sent);
  for (std::uint32_t i = first; i < count; ++i) {
    const Event& event = tree_.kept(segment, i);
    const bool is_sent = !sent_.empty();
    if (i % kEventsBetweenLooks == kEventsBetweenLooks - 1 && is_over()) {
      torn_ = stop_ = true;
      return i;
    }
    if (!is_sent && asleep(from, event.choice)) return i;
    if (is_sent && tree_.executed(sent_.back())) {
      from = revisit(sent_.back(), segment, i, event);
      if (stop_) return i;
      sent_.pop_back();
      continue;
    }
    if (!path_.may_move(event) || (is_sent && !(is_choice_of(sent_.back(), event) && is_as_foretold(sent_.back(), event)))) {
      stop_unrepeated(tree_[from].depth + 1, event.operation.site, "is one that the program cannot take there");
      return i;
    }
    if (path_.keeps_causality()) races_of_next(event);
    from = step(from, is_sent ? sent_.back() : kNoNode, segment, i, event);
    if (is_sent) sent_.pop_back();
    const std::uint32_t state = path_.depth() - 1;
    if (!is_sent) {
      reduction_->initial(path_, state, event.choice.thread).for_each([&](unsigned t) {
        schedule(state, static_cast<ThreadId>(t));
      });
    }
    if (!cuts_.empty() && arrive(execution, i, tree_.kept_after(segment, i)) != Cut::Arrival::goes_on) return i + 1;
    if (path_.keeps_causality()) reduction_->races_of_waiting(path_, races_);
  }
  return count;
}

Cut::Arrival Exploration::arrive(const Execution& execution, std::uint32_t index, std::span<const Event> later) {
  Cut::Arrival arrival = Cut::Arrival::goes_on;
  for (const auto& cut : cuts_) arrival = std::max(arrival, cut->on_arrival(execution, index, later));
  cut_ = arrival == Cut::Arrival::covered;
  if (arrival == Cut::Arrival::beyond) fall_back();
  return arrival;
}

// A node that another search executed, or that was executed before a checkpoint: it lacks only its event.
NodeId Exploration::revisit(NodeId node, std::uint32_t segment, std::uint32_t index, const Event& event) {
  const Node& n = tree_[node];
  const std::uint64_t hash =
      inspect_step_hash(tree_[n.parent].hash, event.choice.thread, event.choice.alternative, &event.operation);
  if (event.choice != n.choice || hash != n.hash || (resumed_ && !is_same(event.operation, n.operation))) {
    stop_unrepeated(n.depth, event.operation.site, "is not what it was in another process");
    return node;
  }
  tree_.set_executed(node, segment, index);
  path_.push(node, event);
  revisited_ = path_.depth();
  return node;
}

void Exploration::races_of_next(const Event& event) {
  const ThreadId t = event.choice.thread;
  const Label next = path_.label(t, event.operation);
  path_.foresee(t, next);
  reduction_->races_of_next(path_, t, next, races_);
}

NodeId Exploration::step(NodeId from, NodeId sent, std::uint32_t segment, std::uint32_t index, const Event& event) {
  const NodeId node = sent != kNoNode ? sent : tree_.add_child(from, event.choice, event.operation);
  tree_.set_executed(node, segment, index);
  if (sent == kNoNode) tree_[node].sleep = tree_[from].sleep;
  open_.branching->wake(node, path_.label(event.choice.thread, event.operation));
  path_.push(node, event);
  return node;
}

bool Exploration::asleep(NodeId state, Choice choice) const {
  for (const NodeId s : tree_[state].sleep) {
    if (tree_[s].choice == choice) return true;
    if (mutated(Mutation::sleep_by_thread) && tree_[s].choice.thread == choice.thread) return true;
  }
  return false;
}

bool Exploration::awake(std::uint32_t state, ThreadId t) const {
  if (!path_.enabled(state).contains(t)) return false;
  bool any = false;
  for_each_alternative(*path_.pending(state, t), [&](std::uint16_t a) { any |= !asleep(path_.node(state), {t, a}); });
  return any;
}

void Exploration::schedule(std::uint32_t state, ThreadId t) {
  const NodeId node = path_.node(state);
  const bool first_time = !tree_[node].backtrack.contains(t);
  if (!first_time) return;
  if (tree_[node].remote) {
    Race race{.state = state, .thread = t, .first = {}};
    race.first.insert(t);
    units_.send(race, races_);
    return;
  }
  tree_[node].backtrack.insert(t);
  if (!std::ranges::all_of(cuts_, [&](const auto& cut) { return cut->allows(state, t); })) {
    // At once: if another rank's race asked for it, no execution follows that would report it.
    for (const auto& cut : cuts_) cut->report(outcome_);
    return;
  }
  const Pending& next = *path_.pending(state, t);
  const NodeId taken = tree_.child_of(node, t);  // by the path, if at all
  if (mutated(Mutation::one_alternative) && taken != kNoNode) return;
  bool done = false;
  for_each_alternative(next, [&](std::uint16_t a) {
    const Choice choice{t, a};
    if (done || asleep(node, choice) || (taken != kNoNode && tree_[taken].choice == choice)) return;
    open_.add_pending(open_.branching->append(node, choice, next.operation));
    done = mutated(Mutation::one_alternative);
  });
}

void Exploration::schedule_all(std::uint32_t state) {
  const ThreadSet all = path_.enabled(state);
  all.for_each([&](unsigned t) { schedule(state, static_cast<ThreadId>(t)); });
}

void Exploration::insert(std::uint32_t state, std::span<const SequenceStep> sequence) {
  const NodeId through = state < path_.depth() ? path_.node(state + 1) : kNoNode;
  const NodeId leaf = open_.branching->insert(path_.node(state), through, sequence);
  if (leaf != kNoNode) open_.add_pending(leaf);
}

// The execution could not go on from this state without a sleeping transition. If something is awake here all the same, the
// program and the search disagree about who sleeps, and the search is right: explore it.
void Exploration::settle(std::uint32_t state) {
  const ThreadSet& enabled = path_.enabled(state);
  ThreadSet candidates;
  enabled.for_each([&](unsigned t) {
    if (awake(state, static_cast<ThreadId>(t))) candidates.insert(t);
  });
  if (candidates.empty()) return;
  const auto first = static_cast<ThreadId>(candidates.first());
  ThreadSet asked_for = reduction_->initial(path_, state, first);
  asked_for.insert(first);
  asked_for.for_each([&](unsigned t) { schedule(state, static_cast<ThreadId>(t)); });
}

// In an execution that ended early: races of what each thread would have done next. Sleeping transitions were explored
// elsewhere.
void Exploration::races_of_unfinished(const Execution& execution) {
  if (execution.end == EndKind::complete || execution.end == EndKind::redundant || execution.end == EndKind::spinning) return;
  const NodeId end = path_.node(path_.depth());
  for (unsigned i = 0; i < path_.threads(); ++i) {
    const auto t = static_cast<ThreadId>(i);
    const Pending* next = path_.pending(t);
    if (!next || next->operation.kind == INSPECT_OP_None || asleep(end, {t, 0})) continue;
    const Label label = path_.label(t, next->operation);
    found_.clear();
    path_.find_races(t, label, found_);
    reduction_->races_of(path_, t, label, found_, races_);
  }
}

// Closes what is finished, and leaves the path at an open node: closed ones may be recycled.
void Exploration::close(NodeId leaf) {
  tree_.close_finished(leaf);
  while (path_.depth() > 0 && tree_[path_.node(path_.depth())].state == NodeState::closed) path_.pop();
  units_.finish();
}

// `possible` is what can happen behind the last state, which a cut leaves out. Its races with the path are computed here
// instead (SEMANTICS I). A thread that is created only behind the cut counts as its creator, which it comes after.
void Exploration::races_behind(std::span<const ThreadOperation> possible) {
  ThreadId creator[kMaxThreads] = {};
  for (const ThreadOperation& o : possible)
    if (o.operation.kind == INSPECT_OP_ThreadCreate)
      for (unsigned t = 0; t < kMaxThreads; ++t)
        if (inspect_thread_object(t) == o.operation.object) creator[t] = o.thread;
  for (const ThreadOperation& o : possible) {
    ThreadId known = o.thread;
    while (known && !path_.pending(known)) known = creator[known];
    reduction_->races_behind(path_, known, path_.label(o.thread, o.operation), o.locks, races_);
  }
}

// The transition counts as explored; the cut has put into races() what its subtree would have reversed.
void Exploration::leave_out(NodeId pending) {
  apply(races_);
  tree_[pending].state = NodeState::open;
  close(pending);
}

Result<bool> Exploration::restore(const std::vector<TreePiece>& pieces, const Outcome& found) {
  resumed_ = true;
  if (!found.left_out.empty() && cuts_.empty()) return Error{"a part of it was left out, but nothing here leaves out any"};
  if (found.fell_back && !may_fall_back(asked_for_)) return Error{"it fell back from another algorithm"};
  clear();
  const auto loaded = units_.restore(pieces, found);
  if (!loaded) return loaded;
  restart_ = !*loaded;
  if (restart_) return true;
  outcome_.executions = found.executions;
  outcome_.redundant = found.redundant;
  outcome_.limited = found.limited;
  outcome_.transitions = found.transitions;
  return true;
}

Outcome explore(Program& program, const Options& options, Observer* observer) {
  if (const SamplerInfo* sampler = find_sampler(options.algorithm)) return sample(program, options, *sampler, observer);
  return Exploration(program, options, reduction_of(options), observer).run();
}

}  // namespace inspect::search
