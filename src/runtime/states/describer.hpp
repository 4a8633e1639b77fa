// The description of a state, but for memory: its threads by their frame records (hooks/frame.h), and what the runtime keeps of
// threads and process.
//
// Guarantees: what is described the same way goes on the same way, memory being the same; a state that cannot be described is
// said to be none. Deliberately unknown here: which threads are called what, where objects of the heap lie, what becomes of it.
#pragma once
#include "hooks/frame.h"
#include "runtime/platform/state.hpp"
#include "runtime/states/canonical_heap.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/thread_names.hpp"

namespace inspect::runtime {

class Describer {
 public:
  // What may be an address goes to `addresses`, or, where that is null, is described as it is. With `names` threads are called
  // so, and what they need no longer is left out.
  Describer(const State& s, StateHash& hash, Addresses* addresses = nullptr, const ThreadNames* names = nullptr)
      : s_(s), hash_(hash), addresses_(addresses), names_(names) {}

  // False if one of them cannot be described. `joining`: told when main begins and ends, if it is about to join in a row.
  bool threads(CanonicalHeap* joining = nullptr);
  bool thread(const Thread& t);
  void process();
  [[nodiscard]] inspect_no_identity why() const { return why_; }

  // Where the thread is: its operation, and the places of its functions, without any values.
  void place(const Thread& t);

 private:
  bool fails(inspect_no_identity why) {
    why_ = why;
    return false;
  }
  // What may be an address of the heap, or hold some.
  void word(std::uint64_t value) { addresses_ ? addresses_->word(value) : hash_.word(value); }
  void bytes(const void* from, std::size_t size) { addresses_ ? addresses_->bytes(from, size) : hash_.bytes(from, size); }
  [[nodiscard]] unsigned name(unsigned thread) const { return names_ ? names_->of[thread] : thread; }
  [[nodiscard]] bool ends_process(const Thread& t) const;
  void pending(const Thread& t);
  void object(const Thread& t, std::uint64_t value);
  void kept(const Thread& t);
  bool frames(const Thread& t);
  void values(const inspect_frame& frame, const inspect_point& point);

  const State& s_;
  StateHash& hash_;
  Addresses* addresses_;
  const ThreadNames* names_;
  inspect_no_identity why_ = INSPECT_HAS_IDENTITY;
};

// Is main about to join, in a function of its own, where handles serve for nothing but joins in a row?
bool main_joins_in_row(const State& s);

}  // namespace inspect::runtime
