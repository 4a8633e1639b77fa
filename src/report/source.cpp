#include "report/source.hpp"

#include <filesystem>
#include <fstream>

#include "base/shown.hpp"
#include "report/place.hpp"

namespace inspect::report {
namespace {

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(const std::string& line) {
  constexpr auto blanks = " \t\r";
  const auto begin = line.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

std::string SourceLines::at(const std::string& place) {
  const Place at = parse_place(place);
  const std::size_t number = at.line;
  if (!number) return {};
  const auto& lines = file(at.file);
  return number > lines.size() ? std::string() : trimmed(lines[number - 1]);
}

std::optional<std::string> SourceLines::whole(const std::string& name, std::size_t line) {
  const auto& lines = file(name);
  return line == 0 || line > lines.size() ? std::nullopt : std::optional(lines[line - 1]);
}

std::vector<std::string> SourceLines::changed() const {
  std::error_code failed;
  const auto made = std::filesystem::last_write_time(made_, failed);
  std::vector<std::string> out;
  for (const auto& [name, path] : paths_) {
    if (failed) break;
    std::error_code unknown;
    const auto changed = std::filesystem::last_write_time(path, unknown);
    if (!unknown && changed > made)
      out.push_back(shown_line(name) + " was changed after " + making_ + ": the lines shown may not be those that ran");
  }
  return out;
}

const std::vector<std::string>& SourceLines::file(const std::string& name) {
  const auto known = files_.find(name);
  if (known != files_.end()) return known->second;
  std::vector<std::string> lines;
  for (const auto& root : roots_) {
    if (may_quote_ && !may_quote_(name)) break;
    lines = read_lines(std::filesystem::path(root) / name);
    if (lines.empty()) continue;
    paths_[name] = std::filesystem::path(root) / name;
    break;
  }
  return files_.emplace(name, std::move(lines)).first->second;
}

}  // namespace inspect::report
