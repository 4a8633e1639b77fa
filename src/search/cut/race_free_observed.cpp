// What was observed in an execution: accesses and operations with the locks held, and what memory held.
#include <algorithm>
#include <tuple>

#include "model/effects.hpp"
#include "search/cut/accesses.hpp"
#include "search/cut/race_free_analysis.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

namespace {

constexpr std::size_t kMostItems = 1'000'000, kMostPairs = 2'000'000, kMostWalks = 10'000;

// Is the operation one that the analysis does not support? That is so for operations that are never enabled, and for those
// whose outcome in another order is not known, unless they only read and write their objects.
bool is_out_of_reach(const Operation& o) {
  const bool is_access = o.kind == INSPECT_OP_AtomicCas || o.kind == INSPECT_OP_SemTimedWait || o.kind == INSPECT_OP_FileRead ||
                         o.kind == INSPECT_OP_FileOperation;
  if (inspect_family_of(o.kind) == INSPECT_FAMILY_Once) return true;
  return waits_of(o.kind) == Waits::Ever || (outcome_of(o.kind) == Outcome::Open && !is_access);
}

// May the operation return another value in another execution, other than by what it reads from memory? Exit handlers are not
// considered: code that is not certain registers none (Code::reachable_obstacle).
bool outcome_varies(const Operation& o, const Choice& choice, const Pending& taken, const Code& code) {
  if (failed(o)) return true;
  if (o.kind == INSPECT_OP_CondWait) return choice.alternative != 0 || taken.alternatives.size() > 1;  // it may time out
  if (o.kind == INSPECT_OP_BarrierLeave) return code.barrier_results;
  if (o.kind == INSPECT_OP_FileOperation) return code.file_results;
  return reply_of(o.kind) == Reply::Told;
}

Operation operation_of(const PlainAccess& a) {
  Operation o{};
  o.kind = a.write ? INSPECT_OP_PlainWrite : INSPECT_OP_PlainRead;
  o.object = a.address;
  o.size = a.size;
  o.site = a.site;
  return o;
}

}  // namespace

RaceFreeAnalysis::RaceFreeAnalysis(const Code& code, const Path& path, WalkedCode& walked)
    : code_(code), walked_(walked), locks_(walked.locks) {
  if (walked_.walks.size() > kMostWalks) walked_.walks.clear();
  observe(path);
}

// Why no state of this execution can be found free; empty if there is no such reason.
std::string RaceFreeAnalysis::find_obstacle(const Path& path) const {
  if (!code_.obstacle.empty()) return code_.obstacle;
  if (path.depth() > 0 && path.event(path.depth()).unseen)
    return "more accesses than are followed, or code that is not instrumented";
  std::vector<std::uint8_t> ended(path.threads());
  for (std::uint32_t d = 1; d <= path.depth(); ++d) {
    const unsigned kind = path.operation(d).kind;
    ended[path.thread(d)] = kind == INSPECT_OP_ThreadExit || kind == INSPECT_OP_ProcessExit || kind == INSPECT_OP_ProcessEnd;
  }
  const bool all = std::ranges::all_of(ended, [](std::uint8_t e) { return e != 0; });
  return all || mutated(Mutation::pdp_unfinished_threads) ? "" : "a thread that did not run to its end";
}

void RaceFreeAnalysis::observe(const Path& path) {
  obstacle_ = find_obstacle(path);
  if (!obstacle_.empty()) return;
  threads_.resize(path.threads());
  held_.resize(path.threads());
  const auto main = code_.by_address.find(code_.main);
  if (main != code_.by_address.end()) threads_[0].entry = main->second;
  threads_[0].argument.unknown = true;
  steps_.assign(1, kEver);
  for (std::uint32_t d = 1; d <= path.depth() && items_.size() <= kMostItems; ++d) observe_visible(path, d);
  if (items_.size() > kMostItems)
    obstacle_ = "an execution that is too long";
  else
    arrange();
}

std::uint32_t RaceFreeAnalysis::add_item(Item item) {
  Thread& t = threads_[item.thread];
  const auto number = static_cast<std::uint32_t>(items_.size());
  t.items.push_back(number);
  item.index = static_cast<std::uint32_t>(t.items.size());
  if (item.varies) t.varying.push_back(number);
  if (is_out_of_reach(item.operation)) out_of_reach_ = item.event;
  items_.push_back(item);
  return number;
}

void RaceFreeAnalysis::observe_visible(const Path& path, std::uint32_t d) {
  const Event& e = path.event(d);
  const ThreadId t = path.thread(d);
  Item item{.thread = t, .event = d, .visible = true};
  if (path.operation(d).kind == INSPECT_OP_ThreadStart) threads_[t].began = static_cast<std::uint32_t>(items_.size());
  item.operation = path.operation(d);
  item.locks = held_[t];
  item.varies = outcome_varies(item.operation, e.choice, path.taken(d), code_);
  const bool unused = item.operation.flags & INSPECT_FLAG_RESULT_UNUSED;
  item.steers = (item.operation.kind == INSPECT_OP_AtomicLoad || item.operation.kind == INSPECT_OP_AtomicCas ||
                 item.operation.kind == INSPECT_OP_PlainRead || (item.operation.kind == INSPECT_OP_AtomicRmw && !unused)) &&
                code_.steering(item.operation.site);
  hold(t, item.operation);
  item.locks_after = held_[t];
  steps_.push_back(add_item(item));
  forget_cells(item.operation);
  // What an atomic section touches are atomic accesses.
  for (const Operation& range : e.footprint) {
    Item part{.thread = t, .event = d};
    part.operation = range;
    if (is_plain(range)) part.operation.kind = writes(range) ? INSPECT_OP_AtomicStore : INSPECT_OP_AtomicLoad;
    part.locks = part.locks_after = held_[t];
    add_item(part);
    forget_cells(part.operation);
  }
  if (e.unseen) last_unseen_ = d;
  if (item.operation.kind == INSPECT_OP_ThreadCreate) {
    for (ThreadId child = 0; child < threads_.size(); ++child) {
      if (inspect_thread_object(child) != item.operation.object) continue;
      const auto routine = code_.by_address.find(e.written);
      if (routine != code_.by_address.end()) threads_[child].entry = routine->second;
      threads_[child].argument.list = {{e.read, e.read, 0, 0}};
    }
  }
  for (const PlainAccess& a : e.accesses) {
    Item plain{.thread = t, .event = d};
    plain.operation = operation_of(a);
    plain.steers = a.write ? code_.updates(a.site) : code_.steering(a.site);
    plain.varies = a.varies && code_.steering(a.site) && !mutated(Mutation::pdp_clock_is_certain);
    plain.locks = plain.locks_after = held_[t];
    add_item(plain);
    forget_cells(plain.operation);
    if (!a.write && a.has_value && a.size == 8) cells_[a.address] = a.value;
  }
  // Between two steps only the first write of a place is told, so its later values are not known.
  for (const PlainAccess& a : e.accesses)
    if (a.write) forget_cells(operation_of(a));
}

// Forgets what memory held where it is written.
void RaceFreeAnalysis::forget_cells(const Operation& o) {
  if (!(is_plain(o) || is_atomic(o)) || !writes(o)) return;
  const auto begin = cells_.lower_bound(o.object < 8 ? 0 : o.object - 7);
  cells_.erase(begin, cells_.lower_bound(o.object + o.size));
}

void RaceFreeAnalysis::hold(ThreadId t, const Operation& o) {
  Locksets::Number& held = held_[t];
  switch (inspect_lock_effect_of(o.kind)) {
    case INSPECT_LOCK_Takes:
    case INSPECT_LOCK_Shares:
      if (!failed(o)) held = locks_.with(held, o.object, takes_lock(o));
      return;
    case INSPECT_LOCK_Gives:
    case INSPECT_LOCK_Clears:
      if (!failed(o)) held = locks_.without(held, o.object, o.object + 1);
      return;
    case INSPECT_LOCK_GivesSecond:
      held = locks_.without(held, o.object2, o.object2 + 1);
      return;
    case INSPECT_LOCK_None:
      return;
  }
}

void RaceFreeAnalysis::arrange() {
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const Operation& o = items_[i].operation;
    if (!o.size || !(is_plain(o) || is_atomic(o))) continue;
    if (!writes(o) || items_[i].steers) reads_.push_back(i);
    if (!writes(o)) continue;
    writes_.push_back(i);
    longest_write_ = std::max(longest_write_, o.size);
  }
  std::ranges::sort(writes_, {}, [&](std::uint32_t i) { return items_[i].operation.object; });
  std::uint64_t end = 0;
  for (std::size_t k = 0, first = 0; k < writes_.size(); first = k) {  // runs of overlapping ones
    bool several = false;
    do {
      const Item& w = items_[writes_[k]];
      end = std::max(end, w.operation.object + w.operation.size);
      several |= w.thread != items_[writes_[first]].thread;
      ++k;
    } while (k < writes_.size() && items_[writes_[k]].operation.object < end);
    for (std::size_t i = first; i < k; ++i) {
      const Operation& o = items_[writes_[i]].operation;
      if (several || o.kind == INSPECT_OP_AtomicRmw || o.kind == INSPECT_OP_AtomicCas) contended_.push_back(writes_[i]);
    }
  }
  find_ranges();
  find_unprotected();
}

void RaceFreeAnalysis::find_ranges() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < items_.size(); ++i)
    if (search::touches(items_[i].operation)) order.push_back(i);
  const auto key = [&](std::uint32_t i) {
    const Item& item = items_[i];
    return std::tuple(item.event, item.visible, is_plain(item.operation), writes(item.operation), item.operation.object);
  };
  std::ranges::sort(order, {}, key);
  for (const std::uint32_t i : order) {
    const Operation& o = items_[i].operation;
    const std::uint64_t end = o.object + bytes(o);
    if (!ranges_.empty() && !items_[i].visible) {
      Range& last = ranges_.back();
      const Item& first = items_[last.item];
      const bool same =
          first.event == items_[i].event && !first.visible && last.plain == is_plain(o) && writes(first.operation) == writes(o);
      if (same && o.object <= last.end) {
        last.end = std::max(last.end, end);
        last.item = std::min(last.item, i);
        continue;
      }
    }
    ranges_.push_back({o.object, end, i, is_plain(o)});
  }
  std::ranges::sort(ranges_, {}, &Range::begin);
}

// Pairs of accesses that no lock excludes, at least one of them plain.
void RaceFreeAnalysis::find_unprotected() {
  std::vector<const Range*> plain, others;  // ranges that reach beyond the beginning of b
  std::size_t pairs = 0;
  for (const Range& b : ranges_) {
    const Item& y = items_[b.item];
    const auto meet = [&](std::vector<const Range*>& under_way) {
      std::erase_if(under_way, [&](const Range* a) { return a->end <= b.begin; });
      for (const Range* a : under_way) {
        const Item& x = items_[a->item];
        if (x.thread == y.thread || !(writes(x.operation) || writes(y.operation))) continue;
        if (!locks_.exclude(x.locks, y.locks)) unprotected_.emplace_back(a->item, b.item);
      }
      pairs += under_way.size();
    };
    meet(plain);
    if (b.plain) meet(others);
    too_many_pairs_ = pairs > kMostPairs;
    if (too_many_pairs_) return;
    (b.plain ? plain : others).push_back(&b);
  }
}

}  // namespace inspect::search
