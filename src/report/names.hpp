// What numbers and addresses of an execution are called: places in the source, threads, objects.
//
// Guarantees: names hold no addresses, so that two runs of one schedule print the same text.
// Deliberately unknown here: where names come from (a live executor, or a table in a test).
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "model/execution.hpp"

namespace inspect::report {

struct Site {
  std::string file;  // empty: unknown
  std::string function, expression;
  unsigned line = 0, column = 0;

  [[nodiscard]] std::string place() const { return file.empty() ? "?" : file + ':' + std::to_string(line); }
  // In a header of the system: not what a user looks for.
  [[nodiscard]] bool in_library() const { return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/"); }
  [[nodiscard]] std::string location() const { return file.empty() ? "?" : place() + ':' + std::to_string(column); }
};

class Names {
 public:
  virtual ~Names() = default;
  [[nodiscard]] virtual Site site(std::uint32_t number) const = 0;      // 0: unknown
  [[nodiscard]] virtual std::string thread(ThreadId number) const = 0;  // creation path, "0.1"
  // "counter", "buffer[+12]", "heap object allocated at f.c:12"; empty when nothing is known to stand there.
  [[nodiscard]] virtual std::string object(std::uint64_t address) const = 0;
};

}  // namespace inspect::report
