#include "symbolic_engine/guide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>

#include "base/interrupt.hpp"
#include "report/names.hpp"

namespace inspect::symbolic_engine {

namespace {

constexpr int kMostRestarts = 50;           // each time a place of memory became a scheduling point
constexpr std::size_t kMostSteps = 20'000;  // of the program

enum class Sort : std::uint8_t { start, end, create, join, synchronisation, access, input, none };

Sort sort_of(inspect_kind kind) {
  switch (inspect_family_of(kind)) {
    case INSPECT_FAMILY_Thread:
      if (kind == INSPECT_OP_ThreadStart) return Sort::start;
      if (kind == INSPECT_OP_ThreadExit) return Sort::end;
      if (kind == INSPECT_OP_ThreadCreate) return Sort::create;
      return kind == INSPECT_OP_ThreadJoin ? Sort::join : Sort::synchronisation;
    case INSPECT_FAMILY_Memory:
      for (const auto access : {INSPECT_OP_AtomicLoad, INSPECT_OP_AtomicStore, INSPECT_OP_AtomicRmw, INSPECT_OP_AtomicCas,
                                INSPECT_OP_PlainRead, INSPECT_OP_PlainWrite})
        if (kind == access) return Sort::access;
      return Sort::synchronisation;
    case INSPECT_FAMILY_Local:
      return kind == INSPECT_OP_Choice ? Sort::input : Sort::synchronisation;
    case INSPECT_FAMILY_Mutex:
    case INSPECT_FAMILY_Cond:
    case INSPECT_FAMILY_RwLock:
    case INSPECT_FAMILY_Semaphore:
    case INSPECT_FAMILY_Barrier:
    case INSPECT_FAMILY_Once:
    case INSPECT_FAMILY_Process:
      return Sort::synchronisation;
  }
  return Sort::synchronisation;
}

Sort sort_of(const SymbolicStep& step) {
  const std::string& what = step.what;
  if (what == "start") return Sort::start;
  if (what == "the thread ends") return Sort::end;
  if (what.starts_with("create ")) return Sort::create;
  if (what == "join") return Sort::join;
  for (const char* const access : {"load", "store", "read-modify-write", "compare-exchange", "clear", "copy"})
    if (what == access) return Sort::access;
  return what.ends_with(" end") || what.ends_with(" ends") || what.empty() ? Sort::none : Sort::synchronisation;
}

std::string last_part(const std::string& path) { return std::filesystem::path(path).filename().string(); }

class Guide {
 public:
  Guide(native::Session& session, const SymbolicAnswer& answer, const InputList& inputs)
      : session_(session), answer_(answer), inputs_(inputs) {}

  Guided run() {
    for (int i = 0; i < kMostRestarts; ++i) {
      start();
      const bool done = lead();
      if (changed_) continue;
      if (!done && !bug_) return {std::nullopt, why_};
      return {std::move(bug_), bug_ ? "" : "the program came to its end without a bug"};
    }
    return {std::nullopt, "which accesses are steps did not settle"};
  }

 private:
  void start() {
    prefix_.clear();
    next_inputs_.clear();
    bug_.reset();
    why_.clear();
    changed_ = false;
    for (const SymbolicInput& input : answer_.inputs) next_inputs_[input.thread].push_back(&input);
    look();
  }

  // Runs what was chosen so far, and on.
  void look() {
    const search::Request request{.prefix = prefix_};
    std::vector<Execution> done = session_.program->run(std::span(&request, 1));
    changed_ = changed_ || session_.program->take_change();
    execution_ = std::move(done.at(0));
    pending_.clear();
    pending_[0].operation.kind = INSPECT_OP_ThreadStart;
    enabled_ = ThreadSet{1, 0};
    for (std::size_t i = 0; i < std::min(prefix_.size(), execution_.events.size()); ++i) {
      const Event& event = execution_.events[i];
      pending_[event.choice.thread] = event.next;
      for (const PendingChange& change : event.changes) pending_[change.thread] = change.pending;
      enabled_ = event.enabled;
    }
    if (execution_.end == EndKind::bug) note_bug();
  }

  void note_bug() {
    search::FoundBug bug{execution_, {}, {}, 0};
    for (const Event& event : execution_.events) bug.schedule.push_back(event.choice);
    bug_ = std::move(bug);
  }

  // It ended within what was chosen, in a bug or otherwise.
  [[nodiscard]] bool is_over() const {
    return execution_.end == EndKind::diverged || execution_.end == EndKind::stopped ||
           execution_.events.size() < prefix_.size() ||
           (execution_.end == EndKind::bug && execution_.events.size() <= prefix_.size());
  }

  [[nodiscard]] std::optional<ThreadId> thread_of(const std::string& name) const {
    for (const auto& [thread, pending] : pending_)
      if (session_.names->thread(thread) == name) return thread;
    return std::nullopt;
  }

  [[nodiscard]] bool is_at(const Operation& operation, const SymbolicStep& step) const {
    const Sort sort = sort_of(static_cast<inspect_kind>(operation.kind));
    if (sort != sort_of(step)) return false;
    if (sort == Sort::start || sort == Sort::end || operation.site == 0) return true;
    const report::Site site = session_.names->site(operation.site);
    return site.file.empty() || step.source.empty() ||
           last_part(site.file) + ':' + std::to_string(site.line) == last_part(step.source);
  }

  // Does the thread stand at what it does only after step number `i`?
  [[nodiscard]] bool is_behind(const Operation& operation, std::size_t i) const {
    for (std::size_t k = i + 1; k < answer_.steps.size(); ++k) {
      const SymbolicStep& step = answer_.steps[k];
      if (step.thread != answer_.steps[i].thread) continue;
      if (is_at(operation, step)) return true;
      if (sort_of(step) != Sort::access && sort_of(step) != Sort::none) return false;
    }
    return false;
  }

  void take(ThreadId thread, std::uint16_t alternative) {
    prefix_.push_back({thread, alternative});
    look();
  }

  // The alternative of the input that the thread takes next.
  std::uint16_t next_input(ThreadId thread) {
    auto& rest = next_inputs_[session_.names->thread(thread)];
    while (!rest.empty()) {
      const auto alternative = inputs_.alternative(*rest.front());
      rest.pop_front();
      if (alternative) return *alternative;
    }
    return 0;
  }

  [[nodiscard]] std::uint16_t alternative_of(const Pending& pending, const SymbolicStep& step) const {
    if (pending.operation.kind == INSPECT_OP_CondSignal && !step.wakes.empty())
      if (const auto woken = thread_of(step.wakes)) return static_cast<std::uint16_t>(*woken + 1);
    // The serial thread of a barrier's round.
    if (pending.operation.kind == INSPECT_OP_BarrierArrive && !step.wakes.empty())
      if (const auto serial = thread_of(step.wakes)) return static_cast<std::uint16_t>(*serial);
    return pending.alternatives.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(pending.alternatives.first());
  }

  // The thread does step number `i`, and what comes before it. False: the program goes otherwise.
  bool lead_to(std::size_t i) {
    const SymbolicStep& step = answer_.steps[i];
    const Sort sort = sort_of(step);
    while (sort != Sort::none) {
      if (is_over() || changed_ || prefix_.size() > kMostSteps || interrupted()) return false;
      const auto thread = thread_of(step.thread);
      if (!thread) return why_not(i, "there is no such thread");
      const Pending pending = pending_[*thread];
      const Sort now = sort_of(static_cast<inspect_kind>(pending.operation.kind));
      if (pending.operation.kind == INSPECT_OP_None) return why_not(i, "the thread has ended");
      if (now == Sort::input) {
        take(*thread, next_input(*thread));
        continue;
      }
      const bool here = is_at(pending.operation, step);
      if (!here && is_behind(pending.operation, i)) return true;
      if (!enabled_.contains(*thread)) return why_not(i, "the thread waits");
      take(*thread, alternative_of(pending, step));
      if (here) return !is_over();
    }
    return true;
  }

  bool why_not(std::size_t i, const std::string& what) {
    const SymbolicStep& step = answer_.steps[i];
    why_ = fmt::format("step {}, {} of thread {} at {}: {}", i + 1, step.what, step.thread, step.source, what);
    return false;
  }

  // Along the whole counterexample, and on to the end with the inputs that are left.
  bool lead() {
    for (std::size_t i = 0; i < answer_.steps.size(); ++i)
      if (!lead_to(i)) return is_over() && bug_.has_value();
    while (!is_over() && !changed_) {
      std::size_t at = prefix_.size();
      while (at < execution_.events.size() && !is_open_input(execution_.events[at])) ++at;
      if (at >= execution_.events.size()) break;
      for (std::size_t k = prefix_.size(); k < at; ++k) prefix_.push_back(execution_.events[k].choice);
      const ThreadId thread = execution_.events[at].choice.thread;
      take(thread, next_input(thread));
    }
    return true;
  }

  [[nodiscard]] bool is_open_input(const Event& event) const {
    if (event.operation.kind != INSPECT_OP_Choice) return false;
    const auto it = next_inputs_.find(session_.names->thread(event.choice.thread));
    return it != next_inputs_.end() && !it->second.empty();
  }

  native::Session& session_;
  const SymbolicAnswer& answer_;
  const InputList& inputs_;
  std::vector<Choice> prefix_;
  Execution execution_;
  std::map<ThreadId, Pending> pending_;
  ThreadSet enabled_;
  std::map<std::string, std::deque<const SymbolicInput*>> next_inputs_;
  std::optional<search::FoundBug> bug_;
  std::string why_;
  bool changed_ = false;
};

}  // namespace

Guided follow(native::Session& session, const SymbolicAnswer& answer, const InputList& inputs) {
  return Guide(session, answer, inputs).run();
}

}  // namespace inspect::symbolic_engine
