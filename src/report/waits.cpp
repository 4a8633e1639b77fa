#include "report/waits.hpp"

#include <fmt/format.h>

#include <map>

#include "report/action.hpp"

namespace inspect::report {
namespace {

struct Hold {
  ThreadId thread;
  std::uint32_t site;
  std::size_t event;
};

// Holders of mutexes and read-write locks after a sequence of events.
class Holders {
 public:
  void apply(const Event& event, std::size_t number) {
    const Operation& o = event.operation;
    if (o.kind == INSPECT_OP_CondWait) return release(o.object2, event.choice.thread);  // one that times out too
    if (o.flags & INSPECT_FLAG_FAILED) return;
    if (inspect_acquires(o.kind)) holds_.insert({o.object, {event.choice.thread, o.site, number}});
    if (inspect_releases(o.kind)) release(o.object, event.choice.thread);
  }

  // "held by thread 0.1 since bank.c:4 and …"; empty when nobody holds it.
  [[nodiscard]] std::string text(std::uint64_t object, const Names& names) const {
    std::string out;
    const auto [begin, end] = holds_.equal_range(object);
    for (auto hold = begin; hold != end; ++hold) {
      out += out.empty() ? ", held by" : " and";
      out += fmt::format(" thread {} since {}", names.thread(hold->second.thread),
                         user_place(names.frames(hold->second.thread, hold->second.site, hold->second.event)));
    }
    return out;
  }

  [[nodiscard]] std::vector<std::string> threads(std::uint64_t object, const Names& names) const {
    std::vector<std::string> out;
    const auto [begin, end] = holds_.equal_range(object);
    for (auto hold = begin; hold != end; ++hold) out.push_back(names.thread(hold->second.thread));
    return out;
  }

 private:
  void release(std::uint64_t object, ThreadId thread) {
    const auto [begin, end] = holds_.equal_range(object);
    auto last = end;
    for (auto hold = begin; hold != end; ++hold)
      if (hold->second.thread == thread) last = hold;
    if (last != end) holds_.erase(last);
  }

  std::multimap<std::uint64_t, Hold> holds_;
};

std::string awaited(const Operation& o, const Names& names, std::size_t event) {
  const std::string object = object_label(o, names, event);
  switch (inspect_family_of(o.kind)) {
    case INSPECT_FAMILY_Mutex:
      return "mutex " + object;
    case INSPECT_FAMILY_Cond:
      return "condition variable " + object;
    case INSPECT_FAMILY_RwLock:
      return "read-write lock " + object;
    case INSPECT_FAMILY_Semaphore:
      return "semaphore " + object;
    case INSPECT_FAMILY_Barrier:
      return "barrier " + object;
    case INSPECT_FAMILY_Thread:
      return "the end of " + object;
    case INSPECT_FAMILY_Memory:
      return "a change of " + object + (inspect_awaits(&o) ? ", in a loop" : "");
    case INSPECT_FAMILY_Local:
      if (o.kind != INSPECT_OP_SpinWait) return inspect_kind_text(o.kind);
      return o.object ? object + " and other locks" : "a change, in a loop";
    case INSPECT_FAMILY_Once:
    case INSPECT_FAMILY_Process:
      return inspect_kind_text(o.kind);
  }
  return inspect_kind_text(o.kind);
}

struct Wait {
  ThreadId number;
  Operation operation;
  std::string thread, awaited, place, holders;
  std::vector<std::string> holding = {};
};

std::vector<Wait> all_waits(std::span<const Event> events, const Names& names) {
  std::map<ThreadId, Operation> pending;
  std::map<ThreadId, const Event*> last;
  Holders holders;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    pending[event.choice.thread] = event.next.operation;
    for (const auto& change : event.changes) pending[change.thread] = change.pending.operation;
    last[event.choice.thread] = &event;
    holders.apply(event, i);
  }
  std::vector<Wait> waits;
  for (const auto& [thread, operation] : pending) {
    if (operation.kind == INSPECT_OP_None || (!events.empty() && events.back().enabled.contains(thread))) continue;
    // Between a wait and its wake only a signal helps, not the mutex.
    const auto before = last.find(thread);
    const bool in_wait = operation.kind == INSPECT_OP_CondWake && before != last.end() &&
                         before->second->operation.kind == INSPECT_OP_CondWait && holders.text(operation.object, names).empty();
    const Operation& shown = in_wait ? before->second->operation : operation;
    const std::size_t end = events.empty() ? 0 : events.size() - 1;
    waits.push_back({thread, shown, names.thread(thread), awaited(shown, names, end),
                     user_place(names.frames(thread, shown.site, events.size())),
                     in_wait ? std::string() : holders.text(shown.object, names)});
    if (!in_wait) waits.back().holding = holders.threads(shown.object, names);
    if (shown.kind == INSPECT_OP_ThreadJoin)
      if (const std::string joined = names.object(shown.object); joined.starts_with("thread "))
        waits.back().holding = {joined.substr(7)};
  }
  return waits;
}

}  // namespace

std::vector<std::string> waits_of(std::span<const Event> events, const Names& names) {
  std::vector<std::string> out;
  for (const auto& wait : all_waits(events, names))
    out.push_back(fmt::format("thread {} waits for {}{}{}", wait.thread, wait.awaited,
                              wait.place == "?" ? "" : " at " + wait.place, wait.holders));
  return out;
}

std::vector<std::string> waits_in_brief(std::span<const Event> events, const Names& names) {
  std::vector<std::string> out;
  for (const auto& wait : all_waits(events, names)) out.push_back(fmt::format("thread {} for {}", wait.thread, wait.awaited));
  return out;
}

std::vector<WaitEdge> wait_edges(std::span<const Event> events, const Names& names) {
  std::vector<WaitEdge> out;
  for (const auto& wait : all_waits(events, names)) out.push_back({wait.thread, wait.awaited, wait.holding});
  return out;
}

std::vector<WaitingThread> waiting_threads(std::span<const Event> events, const Names& names) {
  std::vector<WaitingThread> out;
  for (const auto& wait : all_waits(events, names)) out.push_back({wait.number, wait.operation, wait.awaited});
  return out;
}

}  // namespace inspect::report
