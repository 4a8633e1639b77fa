#include "search/cut/summary.hpp"

namespace inspect::search {

namespace {

std::size_t mix(std::size_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 32);
}

// The site of an atomic section decides what it depends on; of other operations it does not.
std::uint64_t place(const Operation& o) { return o.kind == INSPECT_OP_AtomicSection ? o.site : 0; }

}  // namespace

std::size_t Summaries::OperationHash::operator()(const ThreadOperation& o) const {
  const Operation& p = o.operation;
  std::size_t h =
      mix(o.thread, p.kind | std::uint64_t{p.rmw} << 8 | std::uint64_t{p.flags} << 16 | std::uint64_t{p.order} << 24);
  h = mix(mix(h, p.object), p.object2);
  return mix(mix(mix(h, p.size | std::uint64_t{p.size2} << 32), place(p)), o.locks);
}

bool Summaries::SameOperation::operator()(const ThreadOperation& a, const ThreadOperation& b) const {
  const Operation &p = a.operation, &q = b.operation;
  return a.thread == b.thread && p.kind == q.kind && p.order == q.order && p.rmw == q.rmw && p.flags == q.flags &&
         p.object == q.object && p.object2 == q.object2 && p.size == q.size && p.size2 == q.size2 && place(p) == place(q) &&
         a.locks == b.locks;
}

std::size_t Summaries::SetHash::operator()(const Set& s) const {
  std::size_t h = s.size();
  for (const std::uint64_t word : s) h = mix(h, word);
  return h;
}

Summaries::Number Summaries::number_of(const ThreadOperation& operation) {
  const auto [at, fresh] = operation_numbers_.try_emplace(operation, static_cast<Number>(operations_.size()));
  if (fresh) operations_.push_back(operation);
  return at->second;
}

Summaries::Number Summaries::number_of(const Set& set) {
  const auto [at, fresh] = set_numbers_.try_emplace(set, static_cast<Number>(sets_.size()));
  if (fresh) sets_.push_back(&at->first);
  return at->second;
}

void Summaries::insert(Set& into, Number operation) {
  if (into.size() <= operation / 64) into.resize(operation / 64 + 1);
  into[operation / 64] |= 1ull << (operation % 64);
}

void Summaries::insert(Set& into, const Set& all) {
  if (into.size() < all.size()) into.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) into[i] |= all[i];
}

}  // namespace inspect::search
