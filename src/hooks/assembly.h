// What inline assembly does that is not known (inspect_assembly in hooks.def).
#pragma once

enum {
  INSPECT_ASSEMBLY_MEMORY = 0,       // it may touch memory
  INSPECT_ASSEMBLY_LOOP = 1,         // it jumps back: threads share a processor, so a wait for another thread would never end
  INSPECT_ASSEMBLY_SYSTEM_CALL = 2,  // it enters the kernel
  INSPECT_ASSEMBLY_THREAD = 3,       // it uses %fs or %gs: threads share these
};
