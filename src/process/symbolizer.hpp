// Source places of code addresses, from the debug information of an executable or shared library (libdw).
//
// Guarantees: read at the first question, once; what cannot be found, or a file without debug information, is an empty answer.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inspect::process {

struct Place {
  std::string file, function, expression;  // file empty: unknown
  unsigned line = 0, column = 0;
};

class DebugInformation;

class Symbolizer {
 public:
  explicit Symbolizer(std::string program);
  ~Symbolizer();

  // Of the code at `offset` from the program's load address: innermost first, then the calls it was inlined into. Functions
  // have the linker's names, as in the site table, to be compared with them.
  std::vector<Place> places(std::uint64_t offset);

 private:
  std::string program_;
  std::unique_ptr<DebugInformation> information_;
};

}  // namespace inspect::process
