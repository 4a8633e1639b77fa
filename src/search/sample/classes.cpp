#include "search/sample/classes.hpp"

#include <algorithm>
#include <utility>

#include "hooks/sampling.h"

namespace inspect::search {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t value) { return inspect_scramble(h ^ (value + 0x9E3779B97F4A7C15ull)); }

std::uint64_t hash_of(const Path& path, std::uint32_t d) {
  const Event& e = path.event(d);
  const Operation& o = e.operation;
  std::uint64_t h = mix(path.thread(d), e.choice.alternative);
  h = mix(h, o.kind | std::uint64_t{o.flags} << 8 | std::uint64_t{o.size} << 32);
  h = mix(mix(h, o.object), o.object2);
  const auto clock = path.clock(d);
  for (std::size_t t = 0; t < clock.size(); ++t)
    if (clock[t]) h = mix(h, std::uint64_t{t} << 32 | clock[t]);
  return h;
}

bool is_section(const Event& e) { return e.operation.kind == INSPECT_OP_AtomicSection; }

}  // namespace

std::uint64_t Classes::add(const std::vector<Event>& events) {
  sections_ = Sections();
  // Here a section's label is what it touched this time: each gets a place, and so a label, of its own.
  relabelled_.clear();
  for (const Event& e : events)
    if (is_section(e)) {
      relabelled_.push_back(e);
      relabelled_.back().operation.site = static_cast<std::uint32_t>(relabelled_.size());
      sections_.learn(relabelled_.back());
    }
  std::size_t section = 0;
  for (const Event& e : events) path_.push(Tree::kRoot, is_section(e) ? relabelled_[section++] : e);
  const std::uint64_t hash = std::max<std::uint64_t>(1, hash_of_path());
  while (path_.depth() > 0) path_.pop();
  insert(hash);
  return hash;
}

void Classes::clear() {
  std::ranges::fill(table_, 0);
  count_ = 0;
}

std::uint64_t Classes::hash_of_path() const {
  std::uint64_t sum = 0;
  for (std::uint32_t d = 1; d <= path_.depth(); ++d) sum += hash_of(path_, d);
  return sum;
}

void Classes::insert(std::uint64_t hash) {
  if (full() || !place(hash)) return;
  if (2 * ++count_ < table_.size()) return;
  std::vector<std::uint64_t> smaller = std::exchange(table_, std::vector<std::uint64_t>(4 * table_.size()));
  for (const std::uint64_t h : smaller)
    if (h) place(h);
}

// False if it is there already.
bool Classes::place(std::uint64_t hash) {
  std::size_t at = hash & (table_.size() - 1);
  while (table_[at]) {
    if (table_[at] == hash) return false;
    at = (at + 1) & (table_.size() - 1);
  }
  table_[at] = hash;
  return true;
}

}  // namespace inspect::search
