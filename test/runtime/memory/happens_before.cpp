#include "memory/happens_before.hpp"

#include <algorithm>

namespace inspect::runtime::test {
namespace {

bool acquiring(inspect_order o) {
  return o == INSPECT_CONSUME || o == INSPECT_ACQUIRE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST;
}
bool releasing(inspect_order o) { return o == INSPECT_RELEASE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST; }
bool atomic(const TraceEvent& e) {
  return e.action == Action::load || e.action == Action::store || e.action == Action::rmw || e.action == Action::failed_cas;
}
bool touches(const TraceEvent& e) {
  return atomic(e) || e.action == Action::access || e.action == Action::object_access || e.action == Action::free_stack ||
         e.action == Action::free_heap;
}
bool ends_life(const TraceEvent& e) { return e.action == Action::free_stack || e.action == Action::free_heap; }
bool modifies(const TraceEvent& e) {
  return ends_life(e) || e.action == Action::store || e.action == Action::rmw ||
         ((e.action == Action::access || e.action == Action::object_access) && e.write);
}
bool contains(const TraceEvent& e, std::uint64_t byte) { return e.address <= byte && byte < e.address + e.size; }

}  // namespace

void HappensBefore::add(const TraceEvent& e) {
  events_.push_back(e);
  past_.emplace_back();
  pending_.emplace_back();
  add_program_order();
  const std::size_t n = events_.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    const TraceEvent& old = events_[i];
    if (e.action == Action::join && old.thread == e.other) edge_from(i);
    if (old.address != e.address) continue;
    const bool exclusive = old.action == Action::release, shared = old.action == Action::release_shared;
    if ((e.action == Action::acquire && (exclusive || shared)) || (e.action == Action::acquire_shared && exclusive))
      edge_from(i);
  }
  if (e.action == Action::load || e.action == Action::rmw || e.action == Action::failed_cas) add_reads_from();
  if (e.action == Action::fence && acquiring(e.order)) add_fence_edges();
}

void HappensBefore::remove_last() {
  events_.pop_back();
  past_.pop_back();
  pending_.pop_back();
}

// The predecessor in the same thread, or the creation.
void HappensBefore::add_program_order() {
  const TraceEvent& e = events_.back();
  for (std::size_t i = events_.size() - 1; i-- > 0;) {
    if (events_[i].thread == e.thread || (events_[i].action == Action::create && events_[i].other == e.thread)) {
      edge_from(i);
      return;
    }
  }
}

// Index of the first event of the run of commuting operations that the last event continues.
std::size_t HappensBefore::run_begin() const {
  const TraceEvent& e = events_.back();
  std::size_t begin = events_.size() - 1;
  for (std::size_t i = begin; i-- > 0;) {
    const TraceEvent& old = events_[i];
    if (!(atomic(old) || old.action == Action::free_stack) || old.address >= e.address + e.size ||
        e.address >= old.address + old.size)
      continue;
    const bool same =
        old.action == Action::rmw && old.commuting && old.group == e.group && old.address == e.address && old.size == e.size;
    if (!same) break;
    begin = i;
  }
  return begin;
}

// The last writer of the byte before event `end`, in the life of the object that stands there.
std::optional<std::size_t> HappensBefore::writer_before(std::size_t end, std::uint64_t byte) const {
  for (std::size_t i = end; i-- > 0;) {
    if (!contains(events_[i], byte)) continue;
    if (events_[i].action == Action::store || events_[i].action == Action::rmw) return i;
    if (events_[i].action == Action::free_stack) break;
  }
  return std::nullopt;
}

// Everything whose release reaches a reader of `writer`: its own release, or a release fence before it; and since a
// read-modify-write stands in the release sequences of what it read, all that reached it.
void HappensBefore::collect_heads(std::size_t writer, Set& visited, std::vector<std::size_t>& heads) const {
  if (visited[writer]) return;
  visited.set(writer);
  const TraceEvent& w = events_[writer];
  if (releasing(w.order)) heads.push_back(writer);
  for (std::size_t i = writer; i-- > 0 && !releasing(w.order);) {
    if (events_[i].thread != w.thread || events_[i].action != Action::fence || !releasing(events_[i].order)) continue;
    heads.push_back(i);
    break;
  }
  if (w.action != Action::rmw) return;
  for (std::uint64_t byte = w.address; byte < w.address + w.size; ++byte)
    if (const auto before = writer_before(writer, byte)) collect_heads(*before, visited, heads);
}

void HappensBefore::add_reads_from() {
  const TraceEvent e = events_.back();
  const std::size_t end = e.action == Action::rmw && e.commuting ? run_begin() : events_.size() - 1;
  std::vector<std::size_t> heads;
  Set visited;
  for (std::uint64_t byte = e.address; byte < e.address + e.size; ++byte)
    if (const auto writer = writer_before(end, byte)) collect_heads(*writer, visited, heads);
  if (!acquiring(e.order))
    pending_.back() = heads;
  else
    for (const std::size_t head : heads) edge_from(head);
}

void HappensBefore::add_fence_edges() {
  const unsigned thread = events_.back().thread;
  for (std::size_t i = 0; i + 1 < events_.size(); ++i)
    if (events_[i].thread == thread)
      for (const std::size_t head : pending_[i]) edge_from(head);
}

bool HappensBefore::races_with_last(std::size_t i) const {
  const TraceEvent& old = events_[i];
  const TraceEvent& e = events_.back();
  if (!touches(old) || !touches(e) || old.thread == e.thread || past_.back()[i]) return false;
  if (!modifies(old) && !modifies(e)) return false;
  const bool old_plain = !atomic(old) && old.action != Action::object_access,
             plain = !atomic(e) && e.action != Action::object_access;
  if (!old_plain && !plain) return false;
  for (std::uint64_t byte = std::max(old.address, e.address); byte < std::min(old.address + old.size, e.address + e.size);
       ++byte)
    if (!is_new_object_since(i, byte)) return true;
  return false;
}

// The frame that held the byte at event i has ended and its thread has used the byte again: another object stands there now.
bool HappensBefore::is_new_object_since(std::size_t i, std::uint64_t byte) const {
  for (std::size_t k = i; k + 1 < events_.size(); ++k) {
    if (events_[k].action != Action::free_stack || !contains(events_[k], byte)) continue;
    for (std::size_t again = k + 1; again + 1 < events_.size(); ++again)
      if (events_[again].thread == events_[k].thread && touches(events_[again]) && contains(events_[again], byte)) return true;
  }
  return false;
}

std::optional<std::size_t> HappensBefore::race_of_last() const {
  for (std::size_t i = 0; i + 1 < events_.size(); ++i)
    if (races_with_last(i)) return i;
  return std::nullopt;
}

}  // namespace inspect::runtime::test
