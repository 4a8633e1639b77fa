// The TARGET of a check as an instrumented executable that is ready to run.
//
// Guarantees: what cannot be checked is refused in one line, with the command that fixes it where there is one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"

namespace inspect::compile {

struct Target {
  std::string executable;  // path to run
  std::string name;        // for people: as the user wrote it
  std::string recorded;    // path for the schedule file
  std::string build_id;
  bool states = false;               // it can tell the identities of its states
  bool code = false;                 // and what its functions do
  std::string base;                  // folder that relative sources are below; empty: the working directory
  std::vector<std::string> sources;  // when inspect compiled it
  std::vector<std::string> cflags;
  std::unique_ptr<TemporaryFolder> folder;  // holds the executable when inspect compiled it
};

// `base`: see Target.
Result<Target> make_target(const std::vector<std::string>& words, const std::vector<std::string>& cflags, bool quiet,
                           const std::string& base = {});

}  // namespace inspect::compile
