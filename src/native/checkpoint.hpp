// The checkpoint file: a search as text, to go on from.
//
//   inspect-checkpoint 4
//   program <path> <build id>
//   args <word>...
//   options <word>...                      all that decides what is explored
//   around <word>...                       standard input, folder, variables, shared libraries, each with what identifies it
//   knowledge <word>                       of the program: numbers of threads (search::Numbering)
//   record <hexadecimal>                   what was found so far
//   piece <unit> <executions> <redundant> <limited> <transitions>
//   <lines of search/share/frontier.hpp>
//   sums <digest of the lines before the record> <of the record> <of all pieces>
//   end <number of lines> <digest of all lines before>
//
// Guarantees: a file appears whole or not at all, and an older one stays until then; what was cut, edited, or written by
// another version is refused, and so is one of another program, arguments, options, input, folder or libraries.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "distribute/rank.hpp"

namespace inspect::native {

// What must be the same when a search goes on.
struct CheckpointOf {
  std::string program, build_id;
  std::vector<std::string> args, options;
  std::vector<std::string> around;  // known once the program was started; empty: not compared
};

std::string format_checkpoint(const CheckpointOf& of, const distribute::Checkpoint& checkpoint);
// Error: one line that says what does not fit.
Result<distribute::Checkpoint> parse_checkpoint(std::string_view text, const CheckpointOf& of);

std::optional<Error> write_checkpoint(const std::string& path, const std::string& text);

}  // namespace inspect::native
