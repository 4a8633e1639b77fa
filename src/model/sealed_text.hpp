// What all files of ours are made of (schedules, checkpoints): a first line with the version, lines of words, and a last line
// that tells whether the file is whole.
//
// Words that hold blanks, quotes or control characters, and empty ones, stand in double quotes with C escapes. The last line
// is "end <count> <digest of all lines before>". Guarantees: quoting and splitting undo each other; a file that was cut or
// edited does not end in its end_line(). What stands before the last line has sums of its own parts, in a line "sums
// <digest>...", so that who edits a file and writes its last line anew is refused too. Digests guard against accidents, not
// against intent.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace inspect {

std::string quote_word(std::string_view word);
std::string quote_words(const std::vector<std::string>& words);
Result<std::vector<std::string>> split_words(std::string_view line);

// "sums" and a digest of each part.
std::string sums_line(std::initializer_list<std::string_view> parts);
// What the file that begins with `text` must end with; `count` of what it consists of.
std::string end_line(std::string_view text, std::size_t count);
// The text with its last line.
std::string sealed(std::string text, std::size_t count);

}  // namespace inspect
