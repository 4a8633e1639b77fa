#include "search/causality/locksets.hpp"

#include <algorithm>

#include "search/mutation.hpp"

namespace inspect::search {

Locksets::Number Locksets::number_of(const Set& set) {
  const auto [at, fresh] = numbers_.try_emplace(set, static_cast<Number>(sets_.size()));
  if (fresh) sets_.push_back(&at->first);
  return at->second;
}

Locksets::Number Locksets::with(Number n, std::uint64_t lock, bool exclusive) {
  Set next = set(n);
  const auto at = std::ranges::lower_bound(next, lock, {}, &HeldLock::lock);
  if (at != next.end() && at->lock == lock)
    at->exclusive |= exclusive;
  else
    next.insert(at, {lock, exclusive});
  return number_of(next);
}

Locksets::Number Locksets::without(Number n, std::uint64_t begin, std::uint64_t end) {
  Set next = set(n);
  std::erase_if(next, [&](const HeldLock& l) { return l.lock >= begin && l.lock < end; });
  return number_of(next);
}

Locksets::Number Locksets::common(Number a, Number b) {
  if (a == b) return a;
  Set both;
  for (const HeldLock& l : set(a))
    for (const HeldLock& k : set(b))
      if (l.lock == k.lock) both.push_back({l.lock, l.exclusive && k.exclusive});
  return number_of(both);
}

bool Locksets::exclude(Number a, Number b) const {
  for (const HeldLock& l : set(a))
    for (const HeldLock& k : set(b))
      if (l.lock == k.lock && (l.exclusive || k.exclusive || mutated(Mutation::pdp_readers_exclude))) return true;
  return false;
}

}  // namespace inspect::search
