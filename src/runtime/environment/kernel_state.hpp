// What the kernel keeps of an execution and two copies of its process would share: offsets of open files, what is in a pipe.
//
// Guarantees: the copy for which it is put back finds offsets as they were, and pipes that are its own. Default deny: what
// cannot be put back is not shared. Deliberately unknown here: memory, which is copied.
#pragma once
#include <cstdint>

namespace inspect::runtime {

inline constexpr unsigned kMostOffsets = 64;
struct KernelState {
  struct Offset {
    int fd, flags;
    std::int64_t at;
  } offsets[kMostOffsets];
  unsigned count;
};

// False: something is open or mapped whose state cannot be put back.
bool save_kernel_state(KernelState& to);
void restore_offsets(const KernelState& from);
// In the copy: pipes too become its own.
void restore_kernel_state(const KernelState& from);

}  // namespace inspect::runtime
