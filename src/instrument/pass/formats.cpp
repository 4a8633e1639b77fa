#include "instrument/pass/formats.hpp"

#include <string>

using namespace llvm;

namespace inspect::pass {

std::optional<SmallVector<Conversion, 8>> parse_format(StringRef text, bool scans) {
  const std::string terminated = text.str();
  format::Reader<char> reader(terminated.c_str(), scans);
  SmallVector<Conversion, 8> found;
  unsigned last = 0;
  for (Conversion conversion; reader.next(conversion); found.push_back(conversion)) {
    if (!found.empty() && conversion.argument <= last) return std::nullopt;
    last = conversion.argument;
  }
  if (!reader.ok()) return std::nullopt;
  return found;
}

}  // namespace inspect::pass
