// States that are alike but for where the objects of their heaps lie (R. Iosif, 2004, Fig. 9), and for what their threads are
// called.
//
// Objects are numbered as they are met: in the data of program and libraries in order of address, then in what is described of
// the threads in order of their names, then in the objects themselves in the order of their numbers. An address in memory is
// described as number and offset; what nothing leads to is garbage and left out. Nothing is moved. Addresses are never reused,
// so an object that was freed stays one for whoever still refers to it. Where threads have names, so have their stacks,
// thread-local variables, handles, and places in synchronisation objects. Guarantees: what is described the same way is the
// same but for addresses of the heap, of which the program has made no other use than to follow, compare for equality and
// subtract them (channel.addresses_used says when it has); a word that looks like an address of the heap and is none, or one
// that is not aligned, is given up, never guessed. Deliberately unknown here: threads and their frames (describer.hpp).
#pragma once
#include "runtime/platform/state.hpp"
#include "runtime/states/addresses.hpp"
#include "runtime/states/object_numbers.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/thread_names.hpp"

namespace inspect::runtime {

class CanonicalHeap final : public Addresses {
 public:
  // `names`: null where threads keep their numbers.
  CanonicalHeap(StateHash& hash, const ThreadNames* names);

  void word(std::uint64_t value) override;
  void bytes(const void* from, std::size_t size) override;
  // From here on it is main, about to join threads in a row, or it is not: which of them is next is left out.
  void joins_in_row(bool joins) { joins_ = joins; }
  // All data that is not on a stack or in the heap; then, once all threads are described, the objects.
  void data();
  void objects();
  void give_up() { given_up_ = true; }
  // Something was met that cannot be described.
  [[nodiscard]] bool given_up() const { return given_up_; }
  // Threads that cannot trade places: their handles are known to somebody, or an address in their stacks leads to no object.
  [[nodiscard]] const Mask& pinned() const { return pinned_; }

 private:
  [[nodiscard]] bool moves(std::uint64_t value) const { return is_of_heap(value) || (names_ && is_of_threads(value)); }
  void address(std::uint64_t value);
  void thread_address(std::uint64_t value);
  void contents(std::uintptr_t begin, std::size_t size, bool of_heap);
  [[nodiscard]] bool hides_address(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end) const;
  [[nodiscard]] std::uint64_t plain(std::uintptr_t at, std::uint64_t word, bool of_heap) const;

  StateHash& hash_;
  const ThreadNames* names_;
  ObjectNumbers numbers_;
  Mask pinned_{};
  bool given_up_ = false, joins_ = false;
};

}  // namespace inspect::runtime
