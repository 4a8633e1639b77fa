#include "compile/target.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "compile/build.hpp"
#include "compile/elf.hpp"

namespace inspect::compile {
namespace {

namespace fs = std::filesystem;

// What is wrong with a path before its content is looked at.
std::optional<Error> unusable(const fs::path& path, const std::string& name, int mode) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return Error{fmt::format("{}: {}", name, system_reason())};
  if (S_ISDIR(status.st_mode)) return Error{fmt::format("{} is a directory; TARGET is an executable or source files", name)};
  if (!S_ISREG(status.st_mode)) return Error{fmt::format("{} is not a regular file", name)};
  if (access(path.c_str(), mode) != 0)
    return mode == X_OK
               ? Error{fmt::format("{} is not executable (chmod +x {}), nor a source file (.c .cc .cpp .cxx)", name, name)}
               : Error{fmt::format("{}: {}", name, system_reason())};
  return std::nullopt;
}

Result<Target> executable_target(const std::string& path) {
  if (auto error = unusable(path, path, X_OK)) return *error;
  const auto facts = read_elf(path);
  if (!facts)
    return Error{fmt::format("{} is {}; TARGET is an executable built with inspect-cc, or source files", path, facts.error())};
  if (!facts->instrumented)
    return Error{fmt::format("{} is not instrumented; build it with the wrappers: CC={} CXX={} make", path,
                             beside_executable("inspect-cc"), beside_executable("inspect-c++"))};
  if (facts->other_hooks)
    return Error{
        fmt::format("{} was compiled with another version of inspect, all of it or some objects: compile it again", path)};
  Target target;
  target.executable = path.find('/') == std::string::npos ? "./" + path : path;
  target.name = target.recorded = path;
  target.build_id = facts->build_id;
  target.states = facts->states;
  target.code = facts->code;
  return target;
}

Result<Target> compiled_target(const std::vector<std::string>& sources, const std::vector<std::string>& cflags, bool quiet,
                               const std::string& base) {
  for (const auto& source : sources)
    if (auto error = unusable(fs::path(base) / source, source, R_OK)) return *error;
  auto folder = TemporaryFolder::create();
  if (!folder) return Error{folder.error()};
  const auto program = build_program({sources, cflags, (*folder)->path(), base, quiet});
  if (!program) return Error{program.error()};
  const auto facts = read_elf(*program);
  if (!facts || !facts->instrumented) return Error{"the compiler wrappers built a program that is not instrumented"};
  Target target;
  target.executable = *program;
  target.name = fmt::format("{}", fmt::join(sources, " "));
  target.recorded = fs::path(*program).filename().string();
  target.build_id = facts->build_id;
  target.states = facts->states;
  target.code = facts->code;
  target.base = base;
  target.sources = sources;
  target.cflags = cflags;
  target.folder = std::move(*folder);
  return target;
}

}  // namespace

Result<Target> make_target(const std::vector<std::string>& words, const std::vector<std::string>& cflags, bool quiet,
                           const std::string& base) {
  if (words.empty() || words[0].empty())
    return Error{fmt::format("{}: give an executable built with inspect-cc, or source files",
                             words.empty() ? "no TARGET" : "TARGET is an empty word")};
  const auto sources = std::count_if(words.begin(), words.end(), [](const auto& word) { return source_language(word) != 0; });
  if (sources == static_cast<std::ptrdiff_t>(words.size())) return compiled_target(words, cflags, quiet, base);
  if (sources > 0) return Error{"TARGET is one executable or source files, not both; the program's arguments follow --"};
  if (words.size() > 1)
    return Error{fmt::format("more than one executable ({}, {}); the program's arguments follow --", words[0], words[1])};
  if (!cflags.empty()) return Error{fmt::format("--cflags is for source files, but {} is an executable", words[0])};
  return executable_target(words[0]);
}

}  // namespace inspect::compile
