// States that are alike but for where the objects of their heaps lie (R. Iosif, 2004, Fig. 9).
//
// Objects are numbered as they are met: in the data of program and libraries in order of address, then in what is described of
// the threads in order of their numbers, then in the objects themselves in the order of their numbers. An address in memory is
// described as number and offset; what nothing leads to is garbage and left out. Nothing is moved. Addresses are never reused,
// so an object that was freed stays one for whoever still refers to it. Guarantees: what is described the same way is the same
// but for addresses of the heap, of which the program has made no other use than to follow, compare for equality and subtract
// them (channel.addresses_used says when it has); a word that looks like an address of the heap and is none, or one that is not
// aligned, is given up, never guessed. Deliberately unknown here: threads and their frames (identity.hpp).
#pragma once
#include "runtime/platform/state.hpp"
#include "runtime/states/state_hash.hpp"

namespace inspect::runtime {

class CanonicalHeap {
 public:
  explicit CanonicalHeap(StateHash& hash);
  ~CanonicalHeap();
  CanonicalHeap(const CanonicalHeap&) = delete;
  CanonicalHeap& operator=(const CanonicalHeap&) = delete;

  // May be an address.
  void word(std::uint64_t value);
  // Aligned words of eight bytes in it may be addresses.
  void bytes(const void* from, std::size_t size);
  // All data that is not on a stack or in the heap; then, once all threads are described, the objects.
  void data();
  void objects();
  void give_up() { given_up_ = true; }
  // Something was met that cannot be described.
  [[nodiscard]] bool given_up() const { return given_up_; }

 private:
  [[nodiscard]] static bool is_of_heap(std::uint64_t value);
  void address(std::uint64_t value);
  std::uint32_t number_of(std::uintptr_t begin);
  void contents(std::uintptr_t begin, std::size_t size, bool of_heap);
  static bool hides_address(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end);

  StateHash& hash_;
  std::uint32_t count_ = 0;
  bool given_up_ = false;
};

}  // namespace inspect::runtime
