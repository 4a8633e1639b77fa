#include "oracle/trace_form.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "hooks/dependence.h"
#include "oracle/interpreter.hpp"

namespace inspect::oracle {

namespace {

bool conflict(const std::vector<Operation>& a, const std::vector<Operation>& b) {
  for (const Operation& x : a)
    for (const Operation& y : b)
      if (inspect_dependent(&x, &y)) return true;
  return false;
}

template <class Clock>
void join(Clock& into, const Clock& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

void TraceForm::push(const Event& e) {
  const ThreadId t = e.choice.thread;
  CHECK(t < kThreads);
  Item item{
      .thread = t, .labels = {e.operation}, .clock = born_[t], .hash = 0, .on_all = e.operation.kind == INSPECT_OP_ProcessEnd};
  if (e.operation.kind == INSPECT_OP_AtomicSection) item.labels = e.footprint;
  for (const Item& earlier : items_)
    if (earlier.thread == t || item.on_all || earlier.on_all || conflict(earlier.labels, item.labels))
      join(item.clock, earlier.clock);
  item.clock[t] = ++count_[t];
  std::uint64_t h = mix(mix(t, item.clock[t]), e.choice.alternative);
  h = mix(mix(h, e.operation.kind | std::uint64_t{e.operation.flags} << 8), e.operation.object);
  h = mix(mix(h, e.operation.object2), e.read);
  for (const std::uint16_t c : item.clock) h = mix(h, c);
  for (const Operation& o : e.footprint) h = mix(mix(h, o.kind | std::uint64_t{o.flags} << 8), o.object);
  item.hash = h;
  hash_ += h;
  if (e.operation.kind == INSPECT_OP_ThreadCreate)
    for (const PendingChange& c : e.changes)
      if (c.pending.operation.kind == INSPECT_OP_ThreadStart && c.pending.operation.object == e.operation.object)
        born_[c.thread] = item.clock;
  items_.push_back(std::move(item));
}

void TraceForm::pop() {
  const Item& last = items_.back();
  hash_ -= last.hash;
  --count_[last.thread];
  items_.pop_back();
}

}  // namespace inspect::oracle
