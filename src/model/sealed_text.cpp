#include "model/sealed_text.hpp"

#include "base/digest.hpp"

namespace inspect {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool needs_quotes(std::string_view word) {
  if (word.empty()) return true;
  for (const unsigned char c : word)
    if (c <= ' ' || c == '"' || c == '\\' || c == 0x7f) return true;
  return false;
}

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (c >= ' ' && c != 0x7f) {
    out += static_cast<char>(c);
    return;
  }
  out += "\\x";
  out += kHexDigits[c >> 4];
  out += kHexDigits[c & 15];
}

// Reads one escape at text[i] (after the backslash); returns false when it is none of ours.
bool read_escape(std::string_view text, std::size_t& i, std::string& out) {
  switch (text[i]) {
    case '"':
      out += '"';
      return true;
    case '\\':
      out += '\\';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'x':
      break;
    default:
      return false;
  }
  if (i + 2 >= text.size()) return false;
  const auto high = kHexDigits.find(text[i + 1]), low = kHexDigits.find(text[i + 2]);
  if (high == std::string_view::npos || low == std::string_view::npos) return false;
  out += static_cast<char>(high << 4 | low);
  i += 2;
  return true;
}

// Reads the quoted word that starts at text[i] == '"'; i ends behind the closing quote.
bool read_quoted(std::string_view text, std::size_t& i, std::string& out) {
  for (++i; i < text.size(); ++i) {
    if (text[i] == '"') {
      ++i;
      return true;
    }
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i >= text.size() || !read_escape(text, i, out)) return false;
  }
  return false;
}

}  // namespace

std::string quote_word(std::string_view word) {
  if (!needs_quotes(word)) return std::string(word);
  std::string out = "\"";
  for (const char c : word) append_escaped(out, static_cast<unsigned char>(c));
  return out + '"';
}

std::string quote_words(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    out += quote_word(word);
  }
  return out;
}

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < line.size()) {
    std::string word;
    if (line[i] == '"') {
      if (!read_quoted(line, i, word)) return Error{"a quoted word does not end, or holds an unknown escape"};
    } else {
      while (i < line.size() && line[i] != ' ') word += line[i++];
    }
    words.push_back(std::move(word));
    if (i < line.size() && line[i++] != ' ') return Error{"a quoted word is not followed by a blank"};
    if (i == line.size() && line.back() == ' ') return Error{"a blank ends the line"};
  }
  return words;
}

std::string sums_line(std::initializer_list<std::string_view> parts) {
  std::string out = "sums";
  for (const std::string_view part : parts) out += ' ' + digest_of(part);
  return out + '\n';
}

std::string end_line(std::string_view text, std::size_t count) {
  return "end " + std::to_string(count) + ' ' + digest_of(text) + '\n';
}

std::string sealed(std::string text, std::size_t count) {
  const std::string end = end_line(text, count);
  return std::move(text) + end;
}

}  // namespace inspect
