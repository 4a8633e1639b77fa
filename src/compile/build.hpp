// Source files into one instrumented program, by the compiler wrappers beside this executable.
//
// Guarantees: the commands are those of the user's contract (standards, -O1 -g -pthread, then the user's flags, for compiling
// and linking); equal sources and flags give an equal build id wherever they are built; an interruption ends the compiler too.
#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"

namespace inspect::compile {

struct BuildRequest {
  std::vector<std::string> sources;  // as the user wrote them
  std::vector<std::string> cflags;
  std::string folder;  // where objects and program go
  std::string base;    // folder that relative sources are below; empty: the working directory
  bool quiet = false;  // keep warnings to ourselves
};

// .c → 'c', .cc .cpp .cxx → '+', else 0.
char source_language(const std::string& path);

// Path of the program. The compiler's own messages go to standard error. Error: it does not compile, or was interrupted.
Result<std::string> build_program(const BuildRequest& request);

// Path of a file beside this executable, or below its prefix.
std::string beside_executable(const std::string& name);

}  // namespace inspect::compile
