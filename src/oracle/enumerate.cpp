#include "oracle/enumerate.hpp"

#include <unordered_map>

#include "oracle/trace_form.hpp"

namespace inspect::oracle {

namespace {

class Enumerator {
 public:
  Enumerator(std::size_t limit, std::optional<unsigned> preemptions) : limit_(limit), preemptions_(preemptions) {}

  bool explore(const Interpreter& m) {
    const std::uint64_t state = m.state_hash();
    const auto [at, fresh] = states_.try_emplace(form_.hash(), state);
    if (at->second != state && found_.unsound.empty()) found_.unsound = "one class, two states, after: " + path_;
    const std::uint64_t budget = preemptions_ ? 1 + running_ + (std::uint64_t{used_} << 8) : 0;
    if (!seen_.insert(mix(mix(form_.hash(), state), budget)).second) return true;
    if (seen_.size() > limit_) return false;
    if (m.ended()) {
      record(m);
      return true;
    }
    bool complete = true;
    m.enabled().for_each([&](unsigned t) {
      m.pending(static_cast<ThreadId>(t)).alternatives.for_each([&](unsigned a) {
        complete = complete && take(m, {static_cast<ThreadId>(t), static_cast<std::uint16_t>(a)});
      });
    });
    return complete;
  }

  Behaviours found() && { return std::move(found_); }

 private:
  bool take(const Interpreter& from, Choice c) {
    const ThreadId ran = running_;
    const unsigned used = used_;
    used_ += c.thread != ran && from.enabled().contains(ran);
    if (preemptions_ && used_ > *preemptions_) {
      used_ = used;
      return true;
    }
    running_ = c.thread;
    Interpreter next = from;
    const std::size_t length = path_.size();
    const Event e = next.step(c);
    path_ += ' ' + std::to_string(c.thread) + ':' + inspect_kind_name(e.operation.kind);
    form_.push(e);
    const bool complete = explore(next);
    form_.pop();
    path_.resize(length);
    running_ = ran;
    used_ = used;
    return complete;
  }

  void record(const Interpreter& m) {
    const Execution e = m.end();
    if (e.end == EndKind::spinning) return;  // cut in a waiting loop: another execution goes on
    if (e.end == EndKind::bug) found_.bugs.insert(key_of(e));
    if (e.end == EndKind::bug && is_cut_short(e.detail)) return;
    found_.classes.insert(form_.hash());
    found_.histories.insert(m.history_hash());
    found_.ends.insert(m.state().low);
    found_.nameless_ends.insert(m.end_but_for_names());
  }

  std::size_t limit_;
  TraceForm form_;
  std::string path_;
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_map<std::uint64_t, std::uint64_t> states_;
  std::optional<unsigned> preemptions_;
  ThreadId running_ = 0;  // took the last transition
  unsigned used_ = 0;     // preemptions so far
  Behaviours found_;
};

}  // namespace

bool is_cut_short(std::uint32_t bug) {
  return bug != INSPECT_BUG_DEADLOCK && bug != INSPECT_BUG_LIVELOCK && bug != INSPECT_BUG_EXIT_STATUS;
}

BugKey key_of(const Execution& e) { return {e.detail, e.site, e.site ? std::string() : e.message}; }

std::optional<Behaviours> enumerate(const ModelProgram& program, std::size_t limit, std::optional<unsigned> preemptions) {
  Enumerator enumerator(limit, preemptions);
  if (!enumerator.explore(Interpreter(program))) return std::nullopt;
  return std::move(enumerator).found();
}

Contribution contribution_of(const ModelProgram& program, std::span<const Event* const> events) {
  TraceForm form;
  Interpreter m(program);
  for (const Event* e : events) {
    form.push(*e);
    m.step(e->choice);
  }
  return {form.hash(), m.history_hash(), m.state().low, m.end_but_for_names()};
}

}  // namespace inspect::oracle
