// States on the path of the present execution to which the search may come back: copies of the process that wait there.
//
// A chain: each copy is the child of the one before it, so that they end from the last on, as the search backs up. Requests are
// served by the last one whose path begins what is asked for. Guarantees: what a copy runs on from is the state of its path,
// since it is that state; what the kernel would share is put back (environment/kernel_state.hpp) or no copy is made. Kept only
// for executions that take long compared with a copy. Deliberately unknown here: what a copy costs the kernel; it is measured.
// Measurements: docs/decisions/0018.
#pragma once
#include "runtime/execution/turn.hpp"

namespace inspect::runtime {

// At boot, after the channel is there.
void boot_checkpoints();
// Runs the request by a copy of this process, which is where main begins. False: it is not worth it, and nothing was done.
bool run_in_copy(const Turn& turn);
// Is the next execution that this process runs itself to be measured? While they are short, few are.
bool measures_duration();
// How long an execution took that this process ran itself, in ticks of the processor's clock.
void note_duration(std::uint64_t ticks);

}  // namespace inspect::runtime
