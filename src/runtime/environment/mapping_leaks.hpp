// Mappings that the libraries make behind our back and that a reset does not undo (locale files, loaded modules, catalogues).
//
// Guarantees: a process is given up before it runs out of mappings, at which point an execution would go another way.
// Deliberately unknown here: who made them.
#pragma once

namespace inspect::runtime {

// At the snapshot.
void boot_mapping_leaks();
// After each execution: is it time for a new process?
bool has_leaked_mappings();

}  // namespace inspect::runtime
