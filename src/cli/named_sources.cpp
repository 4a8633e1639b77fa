#include "cli/named_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files.hpp"
#include "compile/build.hpp"
#include "compile/elf.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeaders[] = {"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm-"};

bool has_source_extension(const std::string& name) {
  constexpr const char* kExtensions[] = {".c",  ".cc",  ".cpp", ".cxx", ".def", ".h",
                                         ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".tcc"};
  return std::ranges::any_of(kExtensions, [&](const char* e) { return fs::path(name).extension() == e; });
}

std::string normal(const std::string& name) { return fs::path(name).lexically_normal().string(); }

// The file between the quotes of a line that includes one; empty: it does not.
std::string included_by(const std::string& line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  auto at = std::find_if_not(line.begin(), line.end(), blank);
  if (at == line.end() || *at++ != '#') return {};
  at = std::find_if_not(at, line.end(), blank);
  constexpr std::string_view kWord = "include";
  if (!std::string_view(at, line.end()).starts_with(kWord)) return {};
  at = std::find_if_not(at + kWord.size(), line.end(), blank);
  if (at == line.end() || *at++ != '"') return {};
  const auto end = std::find(at, line.end(), '"');
  return end == line.end() ? std::string() : std::string(at, end);
}

}  // namespace

NamedSources::NamedSources(const ScheduleFile& file, const std::vector<std::string>& roots) {
  for (const std::string& source : file.sources)
    if (compile::source_language(source)) add_with_includes(normal(source), roots);
  if (!file.sources.empty()) return;
  const auto facts = compile::read_elf(file.program);
  if (!facts || facts->build_id != file.build_id) return;
  if (auto bytes = read_file(file.program)) program_ = std::move(*bytes);
}

void NamedSources::add_with_includes(const std::string& name, const std::vector<std::string>& roots) {
  if (!names_.insert(name).second) return;
  for (const std::string& root : roots) {
    const fs::path path = fs::path(root) / name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) continue;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      if (const std::string other = included_by(line); !other.empty())
        add_with_includes(normal((fs::path(name).parent_path() / other).string()), roots);
    return;
  }
}

bool NamedSources::has(const std::string& name) const {
  const std::string file = normal(name);
  if (names_.contains(file)) return true;
  for (const char* const folder : kHeaders)
    if (file.starts_with(folder)) return true;
  return names_it(name);
}

// As one text, or as a folder and the rest.
bool NamedSources::names_it(const std::string& name) const {
  if (program_.empty() || !has_source_extension(name)) return false;
  // With the bytes that end the text before it and itself.
  const auto holds = [&](const std::string& text) { return program_.find('\0' + text + '\0') != std::string::npos; };
  if (holds(name)) return true;
  for (std::size_t slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1))
    if (holds(name.substr(0, slash)) && holds(name.substr(slash + 1))) return true;
  return false;
}

}  // namespace inspect::cli
