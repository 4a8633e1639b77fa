#include "search/sample/sample.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/check.hpp"
#include "hooks/sampling.h"
#include "search/core/outcome.hpp"
#include "search/sample/classes.hpp"

namespace inspect::search {

namespace {

constexpr SamplerInfo kSamplers[] = {
#define SAMPLER(name, policy, help) {name, policy, help},
#include "search/sample/samplers.def"
};

// Executions of one round are drawn with the same estimate of the length, so that batches make no difference.
constexpr std::uint64_t kRound = 16;

class Sampling {
 public:
  Sampling(Program& program, const Options& options, const SamplerInfo& sampler, Observer* observer)
      : program_(program), options_(options), sampler_(sampler), observer_(observer) {
    const bool limited = options.max_executions || options.time_limit > 0;
    end_ = options.max_executions ? options.max_executions : limited ? UINT64_MAX : kDefaultSamples;
  }

  Outcome run() {
    start();
    while (!must_stop()) {
      if (drawn_ == round_end_) open_round();
      run_batch();
      if (program_.take_change()) start();  // other scheduling points: what was seen is void
    }
    finish();
    return std::move(outcome_);
  }

 private:
  void start() {
    outcome_ = Outcome{{.transitions = outcome_.transitions, .seconds = outcome_.seconds}};
    classes_.clear();
    drawn_ = round_end_ = length_ = 0;
    stop_ = false;
    if (observer_) observer_->on_start();
  }

  bool must_stop() {
    if (stop_) return true;
    if (drawn_ < end_) return reached_limit(options_, outcome_);
    return true;
  }

  // The first round is one execution, without change points, which shows how long they are.
  void open_round() {
    length_ = outcome_.max_depth;
    round_end_ = drawn_ + std::min(end_ - drawn_, drawn_ == 0 ? 1 : kRound);
  }

  [[nodiscard]] Request request_for(std::uint64_t number) const {
    Request r;
    r.policy = sampler_.policy;
    r.seed = inspect_draw(options_.seed, INSPECT_DRAW_EXECUTION, number);
    if (r.policy != INSPECT_POLICY_PCT || length_ == 0) return r;
    for (unsigned i = 1; i < options_.pct_depth; ++i)
      r.change_points.push_back(static_cast<std::uint32_t>(1 + inspect_draw(r.seed, INSPECT_DRAW_CHANGE, i) % length_));
    return r;
  }

  void run_batch() {
    const std::uint64_t most = std::max(1u, options_.batch ? options_.batch : program_.preferred_batch());
    std::vector<Request> requests;
    while (drawn_ < round_end_ && requests.size() < most) requests.push_back(request_for(drawn_++));
    std::vector<Execution> executions = program_.run(requests);
    CHECK(executions.size() == requests.size(), "an execution for each request");
    for (std::size_t i = 0; i < executions.size() && !stop_; ++i) take(executions[i]);
    outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (observer_) observer_->on_progress(outcome_);
  }

  void take(const Execution& e) {
    if (e.end == EndKind::stopped) {
      stop_ = true;
      outcome_.why_not = e.message;
      return;
    }
    outcome_.transitions += e.events.size();
    outcome_.max_depth = std::max<std::uint64_t>(outcome_.max_depth, e.events.size());
    for (const Event& event : e.events)
      for (const PendingChange& c : event.changes) outcome_.threads = std::max(outcome_.threads, c.thread + 1u);
    observe(e);
    if (e.end == EndKind::complete || e.end == EndKind::bug) classes_.add(e.events);
    if (e.end == EndKind::bug) record_bug(e);
    if (e.end == EndKind::complete || e.end == EndKind::bug) ++outcome_.executions;
    if (e.end == EndKind::spinning) ++outcome_.redundant;
    if (e.end == EndKind::limit) {
      ++outcome_.limited;
      if (!outcome_.limit) outcome_.limit = cut_of(e);
    }
    if (e.end == EndKind::unsupported && !outcome_.unsupported) {
      outcome_.unsupported = cut_of(e);
      stop_ = !options_.keep_going;
    }
    CHECK(e.end != EndKind::diverged && e.end != EndKind::redundant, "a sampled execution has no prefix and no sleepers");
  }

  void observe(const Execution& e) {
    if (!observer_ || !observer_->wants_executions()) return;
    std::vector<const Event*> events;
    for (const Event& event : e.events) events.push_back(&event);
    observer_->on_execution(e, events);
  }

  void record_bug(const Execution& e) {
    stop_ = !options_.keep_going;
    FoundBug bug = bug_of(e);
    if (std::ranges::any_of(outcome_.bugs, [&](const FoundBug& b) { return same_bug(b, bug); })) return;
    bug.executions_before = outcome_.executions;
    bug.events = e.events;
    bug.schedule = schedule_of(e);
    outcome_.bugs.push_back(std::move(bug));
  }

  static std::vector<Choice> schedule_of(const Execution& e) {
    std::vector<Choice> schedule;
    for (const Event& event : e.events) schedule.push_back(event.choice);
    return schedule;
  }

  static CutExecution cut_of(const Execution& e) { return {e, schedule_of(e)}; }

  void finish() {
    Sampled& sampled = outcome_.sampled.emplace();
    sampled.classes = classes_.count();
    sampled.more_classes = classes_.full();
    if (sampler_.policy == INSPECT_POLICY_PCT && outcome_.max_depth > 0) {
      sampled.pct_depth = options_.pct_depth;
      sampled.pct_bound = 1 / (outcome_.threads * std::pow(static_cast<double>(outcome_.max_depth), options_.pct_depth - 1.0));
    }
    if (outcome_.unsupported) {
      outcome_.why_not = outcome_.unsupported->message;
      return;
    }
    std::string why =
        std::to_string(outcome_.executions + outcome_.limited) + " executions were sampled, which leaves others out";
    if (end_ == kDefaultSamples && !options_.max_executions) why += " (the default without a limit on executions or time)";
    outcome_.why_not = outcome_.why_not.empty() ? why : why + "; " + outcome_.why_not;
  }

  Program& program_;
  const Options& options_;
  const SamplerInfo& sampler_;
  Observer* observer_;
  Classes classes_;
  Outcome outcome_;
  std::uint64_t drawn_ = 0, round_end_ = 0, end_ = 0;
  std::uint64_t length_ = 0;  // k: steps of the longest execution before this round
  bool stop_ = false;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

std::span<const SamplerInfo> samplers() { return kSamplers; }

const SamplerInfo* find_sampler(std::string_view name) {
  for (const SamplerInfo& s : kSamplers)
    if (s.name == name) return &s;
  return nullptr;
}

Outcome sample(Program& program, const Options& options, const SamplerInfo& sampler, Observer* observer) {
  return Sampling(program, options, sampler, observer).run();
}

}  // namespace inspect::search
