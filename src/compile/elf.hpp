// What inspect must know of an executable file before it runs it.
//
// Guarantees: reads, never runs; a damaged file is an error, not a crash.
#pragma once
#include <string>

#include "base/result.hpp"

namespace inspect::compile {

struct ElfFacts {
  bool instrumented = false;  // it has the runtime's section: the wrappers linked it
  bool states = false;        // its functions keep frame records: --inspect-states
  bool code = false;          // it has a table of what functions do: --inspect-code
  bool other_hooks = false;   // an object in it was made for other hooks than those of this build of inspect
  std::string build_id;       // hexadecimal; of the whole content when the linker wrote none
};

// Error: not an x86-64 ELF executable; the message completes "FILE is …".
Result<ElfFacts> read_elf(const std::string& path);

}  // namespace inspect::compile
