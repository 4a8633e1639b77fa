// What all files of ours are made of (schedules, checkpoints): a first line with the version, lines of words, and a last line
// that tells whether the file is whole.
//
// Words that hold blanks, quotes or control characters, and empty ones, stand in double quotes with C escapes. The last line
// is "end <count> <checksum of all lines before>". Guarantees: quoting and splitting undo each other; a file that was cut or
// edited does not end in its end_line(). The checksum guards against accidents, not against intent.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace inspect {

std::string quote_word(std::string_view word);
std::string quote_words(const std::vector<std::string>& words);
Result<std::vector<std::string>> split_words(std::string_view line);

// 16 hexadecimal digits.
std::string checksum_of(std::string_view text);
// What the file that begins with `text` must end with; `count` of what it consists of.
std::string end_line(std::string_view text, std::size_t count);
// The text with its last line.
std::string sealed(std::string text, std::size_t count);

}  // namespace inspect
