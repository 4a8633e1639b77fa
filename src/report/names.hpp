// What numbers and addresses of an execution are called: places in the source, threads, objects.
//
// Guarantees: names hold no addresses, so that two runs of one schedule print the same text.
// Deliberately unknown here: where names come from (a live executor, or a table in a test).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// A function under way: the innermost first, what was inlined included.
struct Frame {
  std::string function;  // demangled; empty: unknown
  std::string place;     // "pool.cpp:23", "?" unknown
  bool library = false;  // of the system's headers or libraries, or of what stands in for them
};
using Frames = std::vector<Frame>;

class Names {
 public:
  virtual ~Names() = default;
  [[nodiscard]] virtual Site site(std::uint32_t number) const = 0;      // 0: unknown
  [[nodiscard]] virtual std::string thread(ThreadId number) const = 0;  // creation path, "0.1"
  // "counter", "buffer[+12]", "heap object allocated at f.c:12"; empty when nothing is known to stand there.
  // Schedule files hold it, so it stays as it is.
  [[nodiscard]] virtual std::string object(std::uint64_t address) const = 0;

  // For people. `event`: where in the run that is reported, since one address may be several variables, one after the other.
  // "pool.m", "accounts[3].lock", "Node(queue.cpp:26).next"; empty: as object().
  [[nodiscard]] virtual std::string label(std::uint64_t address, std::uint32_t size, std::size_t event) const {
    (void)size, (void)event;
    return object(address);
  }
  // A value that stands there as its type reads: "true", "State::ready", "'a'". None: nothing is known of the type.
  [[nodiscard]] virtual std::optional<std::string> value(std::uint64_t address, std::uint32_t size, std::uint64_t value,
                                                         std::size_t event) const {
    (void)address, (void)size, (void)value, (void)event;
    return std::nullopt;
  }
  // The function that the call at `site` is of, if it is one that the runtime models: "fopen"; empty: not known.
  [[nodiscard]] virtual std::string called(std::uint32_t site) const {
    (void)site;
    return {};
  }
  // What was under way when the thread was at `site`, at or next to that event; behind the last one, while it waits. Empty: not
  // known.
  [[nodiscard]] virtual Frames frames(ThreadId thread, std::uint32_t at, std::size_t event) const {
    (void)thread, (void)event;
    const Site known = site(at);
    return known.file.empty() ? Frames{} : Frames{{known.function, known.place(), known.in_library()}};
  }
};

// The innermost place of the user's own code; "?" if there is none.
[[nodiscard]] inline std::string user_place(const Frames& frames) {
  for (const Frame& frame : frames)
    if (!frame.library && frame.place != "?") return frame.place;
  return "?";
}

}  // namespace inspect::report
