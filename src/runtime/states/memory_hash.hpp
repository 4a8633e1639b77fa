// The part of a state's identity that is memory: a 128-bit hash of the program's data and heap, kept up as memory changes.
//
// It is the sum, over all lines of 64 bytes that are not as they were where main starts, of a hash of place and contents, and
// of one for each object of the heap. To bring it up to date costs what changed since the last state, not what there is of
// memory. Hooks and models say what they change (note_change); what may have changed without a word – code that has no hooks,
// calls that may write anywhere – is found by comparing all memory (note_unseen_changes). Guarantees: a function
// of memory alone, not of how it came to be; dead bytes of the heap count as zeroes. Deliberately not part of it: stacks,
// thread-local variables, what is ours (excluded() of snapshot.hpp).
#pragma once
#include "runtime/memory/arena.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/changes.hpp"

namespace inspect::runtime {

struct MemoryHash {
  std::uint64_t low, high;
};

// An execution begins: memory is as at the snapshot.
void begin_memory_hash();
// Every change since the last call was noted.
MemoryHash memory_hash();
// After it: describes those lines and objects themselves, in order of address.
void describe_memory(StateHash& hash);
// The same from all memory, whatever was noted: what it must be.
MemoryHash memory_hash_from_scratch();

// Instead of memory_hash(), in executions that ask for nothing but where memory holds addresses.
void find_addresses();

// An operation is announced: has the call that it belongs to changes to make of which nobody tells? And when the thread goes
// on.
void leave_interval(Thread& t);
void enter_interval(const Thread& t);

// After one of the two: calls f(begin, bytes) for the parts of the data of program and libraries, and of objects of
// constructors, that are not as they were where main starts and hold addresses. What is as it was then can only hold addresses
// of objects of constructors. False if one of the calls says so, or the parts are not known.
using PartVisitor = bool (*)(void* context, std::uintptr_t begin, std::size_t size);
bool all_parts_with_addresses(PartVisitor f, void* context);

// Instead of memory_hash(): calls f as above, in order of address, and hashes what else there is but for the heap; of that,
// objects of constructors count. A part may also hold what is no address but looks as if part of it were one.
bool memory_hash_but_for_addresses(PartVisitor f, void* context, MemoryHash* rest);
// After it: describes that rest itself.
void describe_memory_but_for_addresses(StateHash& hash);

}  // namespace inspect::runtime
