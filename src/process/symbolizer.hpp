// Source places of code addresses: a running llvm-symbolizer, asked line by line.
//
// Guarantees: started at the first question, once; what cannot be found, or a symbolizer that is not there, is an empty answer.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace inspect::process {

struct Place {
  std::string file, function, expression;  // file empty: unknown
  unsigned line = 0, column = 0;
};

class Symbolizer {
 public:
  explicit Symbolizer(std::string program) : program_(std::move(program)) {}
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;
  ~Symbolizer();

  // Of the code at `offset` from the program's load address: innermost first, then the calls it was inlined into.
  std::vector<Place> places(std::uint64_t offset);

 private:
  bool start();

  std::string program_;
  bool started_ = false;
  pid_t pid_ = -1;
  FILE* questions_ = nullptr;
  FILE* answers_ = nullptr;
};

}  // namespace inspect::process
