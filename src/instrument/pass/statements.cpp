#include "instrument/pass/statements.hpp"

#include <string>
#include <utility>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace inspect::pass {

namespace {

// Reads characters, and keeps account of where they stand.
class Source {
 public:
  explicit Source(StringRef text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] StringRef rest() const { return text_.substr(at_); }
  [[nodiscard]] std::uint64_t position() const { return source_position(line_, unsigned(at_ - line_begin_) + 1); }

  char next() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      line_begin_ = at_;
    }
    return c;
  }
  void pass(size_t count) {
    while (count-- && !done()) next();
  }
  void pass_until(StringRef end) {
    while (!done() && !rest().starts_with(end)) next();
    pass(end.size());
  }
  // Behind the opening mark.
  void pass_quoted(char mark) {
    while (!done()) {
      const char c = next();
      if (c == '\\')
        pass(1);
      else if (c == mark || c == '\n')
        return;
    }
  }

 private:
  StringRef text_;
  size_t at_ = 0, line_begin_ = 0;
  unsigned line_ = 1;
};

// What is no code: true if something was passed over.
bool pass_comment(Source& source) {
  if (source.rest().starts_with("//")) return source.pass_until("\n"), true;
  if (!source.rest().starts_with("/*")) return false;
  source.pass(2);
  source.pass_until("*/");
  return true;
}

// Which braces are those of blocks, and which hold the values of an array or a structure? Which parentheses are heads?
class Punctuation {
 public:
  bool ends_statement(char c) {
    if (isAlnum(c) || c == '_') {
      if (!in_word_) word_.clear();
      in_word_ = true;
      word_ += c;
    } else {
      in_word_ = false;
    }
    if (isSpace(c)) return false;
    const char before = std::exchange(before_, c);
    if (c == '(') {
      ++parentheses_;
      if (isAlnum(before) && is_contained({"if", "while", "for", "switch"}, word_)) head_ = parentheses_;
    }
    if (c == ')' && parentheses_ && parentheses_-- == head_) return head_ = 0, true;
    if (c == '{') {
      const bool holds_values = values_ || before == '=' || before == ',' || (before == ')' && parentheses_);
      if (holds_values) return ++values_, false;
    }
    if (c == '}' && values_) return --values_, false;
    if (c == '{' || c == '}') parentheses_ = head_ = 0;
    return c == ';' || c == '{' || c == '}';
  }

 private:
  char before_ = ';';  // the last that is no space
  std::string word_;   // the last one
  bool in_word_ = false;
  unsigned parentheses_ = 0, head_ = 0, values_ = 0;
};

}  // namespace

std::optional<Statement> statement_at(const DILocation& place) {
  const DIFile* const file = place.getFile();
  SmallString<128> path(file->getFilename());
  if (sys::path::is_relative(path)) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  const auto read = MemoryBuffer::getFile(path);
  if (!read) return std::nullopt;
  const std::uint64_t wanted = source_position(place.getLine(), place.getColumn());
  Statement found{file, source_position(1, 1), 0};
  Punctuation punctuation;
  for (Source source((*read)->getBuffer()); !source.done();) {
    if (pass_comment(source)) continue;
    const std::uint64_t at = source.position();
    const char c = source.next();
    if (c == '"' || c == '\'') source.pass_quoted(c);
    if (!punctuation.ends_statement(c)) continue;
    if (at >= wanted) return found.end = at, found;
    found.begin = source.position();
  }
  return std::nullopt;
}

}  // namespace inspect::pass
