#include "explicit_engine/pending_threads.hpp"

namespace inspect::explicit_engine {

PendingThreads::PendingThreads() : steps_{{ThreadSet{1, 0}, 0}} { pending_[0].operation.kind = INSPECT_OP_ThreadStart; }

void PendingThreads::replace(ThreadId thread, const Pending& pending) {
  replaced_.push_back({thread, pending_[thread]});
  pending_[thread] = pending;
}

void PendingThreads::push(const Event& event) {
  steps_.push_back({event.enabled, replaced_.size()});
  replace(event.choice.thread, event.next);
  for (const PendingChange& c : event.changes) replace(c.thread, c.pending);
}

void PendingThreads::pop() {
  for (; replaced_.size() > steps_.back().replaced; replaced_.pop_back())
    pending_[replaced_.back().thread] = replaced_.back().pending;
  steps_.pop_back();
}

}  // namespace inspect::explicit_engine
