// Flags for the compiler that came with a file: which may be used without a look at them?
//
// A schedule file may come from anywhere. Its flags must not make the compiler or the linker run, load or write what is not the
// program's own. Guarantees: a flag that is not listed is not taken for harmless.
#pragma once
#include <string>
#include <vector>

namespace inspect::compile {

// The first word that is not known to be harmless; empty if all are.
std::string first_unlisted(const std::vector<std::string>& cflags);

}  // namespace inspect::compile
