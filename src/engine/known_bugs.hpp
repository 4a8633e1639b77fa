// Bugs that the user knows already: --suppressions, in ThreadSanitizer's syntax, and --baseline, the report of an earlier
// check.
//
// A fingerprint is made of the bug's kind and of its places: of each the function, the file name without its folder, and the
// expression (of a deadlock the place of each waiting thread). Of a race the object is part of it, of an assertion, an
// exception or an exit status the message. Line, address and thread are not, so it survives changes elsewhere in the file.
// Guarantees: a suppressions file with a wrong line is refused, with the line's number; so is a baseline that no check has
// written. Deliberately unknown here: searches; how a bug was found.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hooks/execution.h"

namespace inspect::engine {

struct BugFrame {
  std::string function, file, expression;
};

// What a bug is compared by.
struct BugIdentity {
  inspect_bug kind = INSPECT_BUG_NONE;
  std::vector<std::vector<BugFrame>> stacks;  // innermost frame first
  std::string object;                         // of a race; empty: it has no name
  std::string message;

  [[nodiscard]] std::string fingerprint() const;
};

class KnownBugs {
 public:
  // Empty paths: no such file was given. A baseline that does not exist yet is an empty one.
  static Result<KnownBugs> read(const std::string& suppressions, const std::string& baseline);

  [[nodiscard]] bool any() const { return given_; }
  // Why the bug is known: "suppressed by FILE:3" or "in the baseline FILE"; none if it is new.
  [[nodiscard]] std::optional<std::string> find(const BugIdentity& bug) const;
  // Counts a known bug as met.
  void count(const BugIdentity& bug);
  // Lines for the report: how often each suppression was met, and how many bugs of the baseline were met or not seen.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Suppression {
    std::string type, pattern;
    unsigned line = 0;
    unsigned met = 0;
  };

  std::optional<Error> read_suppressions();
  std::optional<Error> read_baseline();
  [[nodiscard]] const Suppression* suppression_of(const BugIdentity& bug) const;

  bool given_ = false, no_baseline_yet_ = false;
  std::string suppressions_path_, baseline_path_;
  std::vector<Suppression> suppressions_;
  std::map<std::string, unsigned> baseline_;  // fingerprints, and how often each was met
};

// As ThreadSanitizer compares: the pattern may match anywhere in the text; * is any text, ^ its beginning, $ its end.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace inspect::engine
