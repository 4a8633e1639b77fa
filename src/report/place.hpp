// A place in a source file, as texts name it: "file:line" or "file:line:column".
//
// Guarantees: a file's name may hold colons itself. Deliberately unknown here: what stands there.
#pragma once
#include <string>
#include <string_view>

namespace inspect::report {

struct Place {
  std::string file;
  unsigned line = 0, column = 0;  // from 1; 0: not known
};
Place parse_place(std::string_view text);

}  // namespace inspect::report
