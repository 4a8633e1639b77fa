// What was allocated before main, and where: for reports alone.
//
// Guarantees: bounded, the first ones are kept; nothing that an execution does depends on it. Deliberately unknown here: names.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// An allocation before the snapshot, by whoever called this.
void note_boot_allocation(const void* p);
// An execution that is shown begins: a record with its stack for each of these objects, before that of the first step.
void log_boot_allocations();

}  // namespace inspect::runtime
