// Happens-before by definition: the list of all events, the direct edges that C++20 and SEMANTICS C name, their transitive
// closure as bit sets. No clocks, no summaries, nothing forgotten: the oracle for the race checker.
#pragma once
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "hooks/operation.h"

namespace inspect::runtime::test {

enum class Action {
  access,
  object_access,
  free_stack,
  free_heap,
  load,
  store,
  rmw,
  failed_cas,
  fence,
  acquire,
  release,
  acquire_shared,
  release_shared,
  create,
  join,
  end
};

struct TraceEvent {
  Action action;
  unsigned thread;
  std::uint64_t address = 0;  // or the synchronisation object
  unsigned size = 0;
  bool write = false;  // of accesses
  inspect_order order = INSPECT_PLAIN;
  bool commuting = false;
  unsigned group = 0;
  unsigned other = 0;  // thread created or joined
  std::uint32_t site = 0;
};

class HappensBefore {
 public:
  static constexpr std::size_t kMost = 256;
  using Set = std::bitset<kMost>;

  // Appends an event and its edges.
  void add(const TraceEvent& e);
  void remove_last();
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] const TraceEvent& operator[](std::size_t i) const { return events_[i]; }
  // Does i race with the last event (or: is unordered with it and one ends the life of bytes of both)?
  [[nodiscard]] bool races_with_last(std::size_t i) const;
  [[nodiscard]] std::optional<std::size_t> race_of_last() const;

 private:
  void edge_from(std::size_t i) { past_.back() |= past_[i] | Set().set(i); }
  void add_program_order();
  void add_reads_from();
  [[nodiscard]] std::optional<std::size_t> writer_before(std::size_t end, std::uint64_t byte) const;
  void collect_heads(std::size_t writer, Set& visited, std::vector<std::size_t>& heads) const;
  void add_fence_edges();
  [[nodiscard]] std::size_t run_begin() const;
  [[nodiscard]] bool is_new_object_since(std::size_t i, std::uint64_t byte) const;

  std::vector<TraceEvent> events_;
  std::vector<Set> past_;
  // For each event, the writers whose release sequences it read without acquiring itself.
  std::vector<std::vector<std::size_t>> pending_;
};

}  // namespace inspect::runtime::test
