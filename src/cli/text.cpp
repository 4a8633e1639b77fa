// Splitting and comparing words of the command line.
#include <algorithm>
#include <numeric>

#include "cli/options.hpp"

namespace inspect::cli {
namespace {

class ShellSplitter {
 public:
  explicit ShellSplitter(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> split() {
    while (i_ < text_.size()) {
      const char c = text_[i_++];
      if (c == ' ' || c == '\t' || c == '\n') {
        finish_word();
      } else if (!character(c)) {
        return Error{"a quote is not closed"};
      }
    }
    finish_word();
    return std::move(words_);
  }

 private:
  void finish_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  bool character(char c) {
    in_word_ = true;
    if (c == '\'' || c == '"') return quoted(c);
    if (c == '\\' && i_ < text_.size()) c = text_[i_++];
    word_ += c;
    return true;
  }

  bool quoted(char quote) {
    while (i_ < text_.size() && text_[i_] != quote) {
      // Inside double quotes a backslash only quotes these; inside single quotes nothing.
      const bool escape = quote == '"' && text_[i_] == '\\' && i_ + 1 < text_.size() &&
                          std::string_view("\"\\$`").find(text_[i_ + 1]) != std::string_view::npos;
      if (escape) ++i_;
      word_ += text_[i_++];
    }
    return i_++ < text_.size();
  }

  std::string_view text_;
  std::size_t i_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
};

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const auto closer = [&](const std::string& a, const std::string& b) {
    return edit_distance(word, a) < edit_distance(word, b);
  };
  const auto best = std::min_element(candidates.begin(), candidates.end(), closer);
  return best == candidates.end() ? std::string() : *best;
}

std::vector<std::string> split_bar(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto bar = text.find('|');
    parts.emplace_back(text.substr(0, bar));
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
  }
  return parts;
}

Result<std::vector<std::string>> shell_split(std::string_view text) { return ShellSplitter(text).split(); }

}  // namespace inspect::cli
