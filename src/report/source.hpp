// Lines of source files for reports.
//
// Guarantees: an unreadable file gives empty lines, never an error; each file is read once, and none that may not be quoted.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inspect::report {

class SourceLines {
 public:
  // `roots` are the folders tried in order for relative names. `may_quote`: may lines of
  // this file be shown? Not given: of every file, since all names come from a program that ran.
  explicit SourceLines(std::vector<std::string> roots = {""}, std::function<bool(const std::string& name)> may_quote = nullptr)
      : roots_(std::move(roots)), may_quote_(std::move(may_quote)) {}

  // The file that was made of the sources, and what its making is called: "the program was built".
  void set_made(std::string file, std::string event) { made_ = std::move(file), making_ = std::move(event); }

  // The line at "file:line" without the blanks around it; empty when it cannot be read.
  std::string at(const std::string& place);
  // A line as it is; none: it cannot be read.
  std::optional<std::string> whole(const std::string& name, std::size_t line);
  // For people, of each file that lines were taken from so far and that was changed later than the one that was made of it:
  // that what is shown may not be what ran.
  [[nodiscard]] std::vector<std::string> changed() const;

 private:
  const std::vector<std::string>& file(const std::string& name);

  std::vector<std::string> roots_;
  std::string made_, making_;  // empty: not known
  std::function<bool(const std::string& name)> may_quote_;
  std::map<std::string, std::vector<std::string>> files_;
  std::map<std::string, std::filesystem::path> paths_;  // of those that could be read
};

}  // namespace inspect::report
