#include "search/cut/reachable_effects.hpp"

#include <algorithm>

#include "model/effects.hpp"
#include "search/cut/accesses.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

namespace {

constexpr unsigned kMostSteps = 200'000, kMostDepth = 64, kMostChains = 16, kMostPlaces = 8;

Places nowhere_known() {
  Places p;
  p.unknown = true;
  return p;
}

void add(Places& to, const Places& more) {
  to.unknown |= more.unknown;
  to.own |= more.own;
  for (const Place& p : more.list)
    if (std::ranges::find(to.list, p) == to.list.end()) to.list.push_back(p);
  if (to.list.size() > kMostPlaces) to.unknown = true;
  std::ranges::sort(to.list);
}

}  // namespace

const Places& ReachableEffects::places(Frame& frame, ValueId value) {
  static const Places unknown = nowhere_known();
  if (value == kNoValue || frame.under_way[value]) return unknown;
  if (!frame.values[value]) {
    frame.under_way[value] = 1;
    Places p = evaluate(frame, frame.function.values[value]);
    frame.under_way[value] = 0;
    frame.values[value] = std::move(p);
  }
  return *frame.values[value];
}

Places ReachableEffects::evaluate(Frame& frame, const CodeValue& v) {
  Places p;
  switch (v.kind) {
    case CodeValue::Kind::address: {
      const std::uint64_t at = v.address + static_cast<std::uint64_t>(v.amount);
      p.list.push_back({at, at, v.size ? v.address : 0, v.size ? v.address + v.size : 0});
      return p;
    }
    case CodeValue::Kind::argument:
      if (static_cast<std::size_t>(v.amount) >= frame.arguments.size()) return nowhere_known();
      return frame.arguments[static_cast<std::size_t>(v.amount)];
    case CodeValue::Kind::own:
      p.own = true;
      return p;
    case CodeValue::Kind::offset:
      p = places(frame, v.of);
      for (Place& q : p.list) {
        q.first += static_cast<std::uint64_t>(v.amount);
        q.last += static_cast<std::uint64_t>(v.amount);
      }
      return p;
    case CodeValue::Kind::within:
      p = places(frame, v.of);
      for (Place& q : p.list) {
        if (!q.end) return nowhere_known();
        q.first = q.begin;
        q.last = q.end - 1;
      }
      return p;
    case CodeValue::Kind::load:
      return load(places(frame, v.of));
    case CodeValue::Kind::any_of:
      for (const ValueId one : v.any) add(p, places(frame, one));
      return p;
    default:
      return nowhere_known();
  }
}

Places ReachableEffects::load(const Places& at) {
  const auto cell = at.only();
  if (!cell) return nowhere_known();
  const auto held = contents_(*cell);
  if (!held) return nowhere_known();
  read_cells_.insert(*cell);
  Places p;
  p.list.push_back({*held, *held, 0, 0});
  return p;
}

void ReachableEffects::note_access(Access access) {
  // An access of unknown length reaches to the end of its object; if that is not known, it may be anywhere.
  const bool anywhere = !access.size && std::ranges::any_of(access.at.list, [](const Place& p) { return !p.end; });
  if (anywhere) access.at = nowhere_known();
  accesses_.insert(std::move(access));
}

void ReachableEffects::note_operation(const Operation& o, const Places& at, const Places& at2) {
  // A local variable may be the object too, if others have its address: its place is not known here.
  const auto known = [](const Places& p) { return !p.unknown && !p.own; };
  Doing doing{o, (!o.size || known(at)) && (!o.size2 || known(at2))};
  const auto each = [&](std::uint64_t object, std::uint32_t size, std::uint64_t object2, std::uint32_t size2) {
    doing.operation.object = object;
    doing.operation.size = size;
    doing.operation.object2 = object2;
    doing.operation.size2 = size2;
    if (known_operations_.insert({o.kind, doing.known, object, size, object2, size2, o.rmw, o.flags}).second)
      operations_.push_back(doing);
  };
  if (!doing.known || !o.size) return each(0, 0, 0, 0);
  const auto bytes = [](const Place& p, std::uint32_t size) { return static_cast<std::uint32_t>(p.last - p.first + size); };
  for (const Place& p : at.list) {
    if (!o.size2) {
      each(p.first, bytes(p, o.size), 0, 0);
      continue;
    }
    for (const Place& q : at2.list) each(p.first, bytes(p, o.size), q.first, bytes(q, o.size2));
  }
}

Locksets::Number ReachableEffects::release(const Places& at, Locksets::Number held) {
  if (mutated(Mutation::pdp_forgets_releases)) return held;
  if (at.unknown || at.own) return 0;
  for (const Place& p : at.list) held = locks_.without(held, p.first, p.last + 1);
  return held;
}

Locksets::Number ReachableEffects::acquire(const Places& at, bool exclusive, Locksets::Number held) {
  if (mutated(Mutation::pdp_assumes_aliases) && !at.list.empty()) return locks_.with(held, at.list[0].first, exclusive);
  const auto lock = at.only();
  return lock ? locks_.with(held, *lock, exclusive) : held;
}

Locksets::Number ReachableEffects::operate(Frame& frame, const CodeStep& step, Locksets::Number held) {
  const Operation& o = step.operation;
  const Places at = places(frame, step.at), at2 = places(frame, step.at2);
  note_operation(o, at, at2);
  if (o.kind == INSPECT_OP_Free && !mutated(Mutation::pdp_forgets_frees)) {  // the size is known of variables only
    Places all = at;
    all.unknown |= std::ranges::any_of(at.list, [](const Place& p) { return p.end == 0; });
    note_access({.at = all, .write = true, .locks = held});
  }
  if (is_synchronisation(o)) {
    const bool writes_it = inspect_effect_of(o.kind) == INSPECT_EFFECT_Write;
    note_access({.at = at, .size = kTouchedBytes, .write = writes_it, .atomic = true, .locks = held});
    if (o.size2) note_access({.at = at2, .size = kTouchedBytes, .write = true, .atomic = true, .locks = held});
  }
  if (o.kind != INSPECT_OP_Free && (is_plain(o) || is_atomic(o)))
    note_access({.at = at, .size = o.size, .write = writes(o), .atomic = is_atomic(o), .locks = held});
  switch (inspect_lock_effect_of(o.kind)) {
    case INSPECT_LOCK_Takes:
    case INSPECT_LOCK_Shares:  // what may fail does not count as held
      return waits_of(o.kind) == Waits::Lock ? acquire(at, takes_lock(o), held) : held;
    case INSPECT_LOCK_Gives:
    case INSPECT_LOCK_Clears:
      return release(at, held);
    case INSPECT_LOCK_GivesSecond: {  // gives the mutex back, and takes it again
      Operation again{};
      again.kind = INSPECT_OP_CondWake;
      again.size = o.size2;
      again.size2 = o.size;
      note_operation(again, at2, at);
      Operation unlock{};
      unlock.size = o.size2;
      unlock.kind = INSPECT_OP_MutexUnlock;
      note_operation(unlock, at2, {});
      return acquire(at2, true, release(at2, held));
    }
    case INSPECT_LOCK_None:
      return held;
  }
  return held;
}

ReachableEffects::Lockset ReachableEffects::perform(Frame& frame, const CodeStep& step, Locksets::Number held) {
  switch (step.kind) {
    case CodeStep::Kind::access:
      note_access({.at = places(frame, step.at),
                   .size = step.operation.size,
                   .write = step.operation.kind == INSPECT_OP_PlainWrite,
                   .locks = held});
      return held;
    case CodeStep::Kind::operation:
      return operate(frame, step, held);
    case CodeStep::Kind::call:
      if (mutated(Mutation::pdp_drops_callees)) return held;
      return call(step.callee, arguments_of(frame, step), held);
    case CodeStep::Kind::unknown:
      obstacle = step.why;
      return std::nullopt;
    case CodeStep::Kind::leave:
      return held;
  }
  return std::nullopt;
}

ReachableEffects::Arguments ReachableEffects::arguments_of(Frame& frame, const CodeStep& call) {
  Arguments arguments;
  for (const ValueId v : call.arguments) arguments.push_back(places(frame, v));
  return arguments;
}

ReachableEffects::Lockset ReachableEffects::call(std::uint32_t function, const Arguments& arguments, Locksets::Number held) {
  const auto [at, fresh] = calls_.try_emplace({function, arguments, held});
  if (!fresh) {
    if (!at->second.done) obstacle = "a recursive function";
    return at->second.exit;
  }
  if (++depth_ > kMostDepth) obstacle = "calls too deep";
  const Lockset exit = lost() ? std::nullopt : run(function, arguments, 0, 0, held);
  --depth_;
  Walked& walked = calls_[{function, arguments, held}];
  walked = {true, exit};
  return exit;
}

// From a step of a function to its end: the locks certainly held where it returns.
ReachableEffects::Lockset ReachableEffects::run(std::uint32_t number, const Arguments& arguments, std::uint32_t block,
                                                std::uint32_t step, Locksets::Number held) {
  const CodeFunction& function = code_.functions[number];
  Frame frame{function, arguments, {}, {}};
  frame.values.resize(function.values.size());
  frame.under_way.resize(function.values.size());
  std::vector<Lockset> begin(function.blocks.size());
  std::vector<std::uint32_t> worklist;
  Lockset exit;
  const auto reach = [&](Lockset& at, Locksets::Number with) {
    const Lockset now = at ? locks_.common(*at, with) : with;
    const bool changed = now != at;
    at = now;
    return changed;
  };
  const auto walk_block = [&](std::uint32_t b, std::uint32_t from, Locksets::Number with) {
    const CodeBlock& code = function.blocks[b];
    Lockset now = with;
    for (std::size_t i = from; i < code.steps.size(); ++i) {
      if (++effort_ > kMostSteps) obstacle = "too much code";
      if (lost()) return;
      if (code.steps[i].kind == CodeStep::Kind::leave) {
        reach(exit, *now);
        return;
      }
      now = perform(frame, code.steps[i], *now);
      if (!now) return;
    }
    for (const std::uint32_t n : code.next)
      if (reach(begin[n], *now)) worklist.push_back(n);
  };
  walk_block(block, step, held);
  while (!worklist.empty() && !lost()) {
    const std::uint32_t b = worklist.back();
    worklist.pop_back();
    walk_block(b, 0, *begin[b]);
  }
  return exit;
}

void ReachableEffects::find_callers() {
  if (!callers_.empty()) return;
  callers_.resize(code_.functions.size());
  for (std::uint32_t f = 0; f < code_.functions.size(); ++f)
    for (std::uint32_t b = 0; b < code_.functions[f].blocks.size(); ++b)
      for (std::uint32_t s = 0; s < code_.functions[f].blocks[b].steps.size(); ++s) {
        const CodeStep& step = code_.functions[f].blocks[b].steps[s];
        if (step.kind == CodeStep::Kind::call) callers_[step.callee].push_back({f, b, s});
      }
}

// The ways in which a function can be called from the entry, innermost call first. False: they are not known.
bool ReachableEffects::find_chains(std::uint32_t function, std::uint32_t entry, std::vector<CallSite>& chain,
                                   std::vector<std::vector<CallSite>>& out) {
  if (function == entry) out.push_back(chain);
  if (out.size() > kMostChains || ++effort_ > kMostSteps) return false;
  if (function != entry && code_.functions[function].address_taken) return false;
  for (const CallSite& site : callers_[function]) {
    const bool again =
        site.function == function || std::ranges::any_of(chain, [&](const CallSite& c) { return c.function == site.function; });
    if (again) return false;
    chain.push_back(site);
    const bool all = find_chains(site.function, entry, chain, out);
    chain.pop_back();
    if (!all) return false;
  }
  return true;
}

void ReachableEffects::continue_from(std::uint32_t entry, const Places& argument, const CodePlace& place,
                                     Locksets::Number held) {
  find_callers();
  std::vector<CallSite> chain;
  std::vector<std::vector<CallSite>> chains;
  // Not known: it may be anywhere in the thread's function.
  if (!find_chains(place.function, entry, chain, chains) || chains.empty()) {
    run(entry, {argument}, 0, 0, 0);
    return;
  }
  for (const auto& calls : chains) {
    // Arguments of the functions on the stack, from the entry inwards.
    std::vector<Arguments> arguments{{argument}};
    for (std::size_t i = calls.size(); i-- > 0;) {
      const CodeFunction& caller = code_.functions[calls[i].function];
      Frame frame{caller, arguments.back(), {}, {}};
      frame.values.resize(caller.values.size());
      frame.under_way.resize(caller.values.size());
      Arguments next = arguments_of(frame, caller.blocks[calls[i].block].steps[calls[i].step]);
      arguments.push_back(std::move(next));
    }
    Lockset at = run(place.function, arguments.back(), place.block, place.step + 1, held);
    for (std::size_t i = 0; i < calls.size() && at && !lost(); ++i) {
      arguments.pop_back();
      at = run(calls[i].function, arguments.back(), calls[i].block, calls[i].step + 1, *at);
    }
  }
}

void ReachableEffects::walk(std::uint32_t entry, const Places& argument, std::uint32_t site, Locksets::Number held) {
  const auto at = code_.sites.find(site);
  if (!site || at == code_.sites.end()) {
    run(entry, {argument}, 0, 0, 0);
  } else {
    for (const CodePlace& place : at->second)
      if (!lost()) continue_from(entry, argument, place, held);
  }
  contents_ = nullptr;
}

}  // namespace inspect::search
