// Lines of source files for reports.
//
// Guarantees: an unreadable file gives empty lines, never an error; each file is read once.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace inspect::report {

class SourceLines {
 public:
  // `roots` are the folders tried in order for relative names.
  explicit SourceLines(std::vector<std::string> roots = {""}) : roots_(std::move(roots)) {}

  // The line at "file:line" without the blanks around it; empty when it cannot be read.
  std::string at(const std::string& place);

 private:
  const std::vector<std::string>& file(const std::string& name);

  std::vector<std::string> roots_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace inspect::report
