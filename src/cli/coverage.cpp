#include "cli/coverage.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/console.hpp"
#include "compile/build.hpp"
#include "hooks/library_table.hpp"

namespace inspect::cli {
namespace {

// The headers whose functions are listed.
constexpr const char* kHeaders[] = {
    "pthread.h",     "threads.h",   "semaphore.h",  "stdio.h",       "string.h",     "unistd.h",   "stdlib.h",
    "wchar.h",       "time.h",      "signal.h",     "fcntl.h",       "sys/socket.h", "poll.h",     "locale.h",
    "ctype.h",       "wctype.h",    "search.h",     "setjmp.h",      "sys/stat.h",   "sys/mman.h", "sys/epoll.h",
    "sys/eventfd.h", "arpa/inet.h", "regex.h",      "sched.h",       "dirent.h",     "dlfcn.h",    "fenv.h",
    "sys/uio.h",     "sys/time.h",  "sys/random.h", "sys/timerfd.h", "sys/wait.h"};

const auto& table() {
  static const auto rows = [] {
    std::string error;
    return library::read_rows(error);
  }();
  return rows;
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char block[65536];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) text.append(block, n);
  return pclose(pipe) == 0 ? text : std::string();
}

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The function that a declaration declares: the word before the first bracket. Empty: it declares none.
std::string declared_name(std::string_view declaration) {
  const std::size_t bracket = declaration.find('(');
  if (bracket == declaration.npos) return {};
  std::size_t end = bracket;
  while (end && (declaration[end - 1] == ' ' || declaration[end - 1] == '\n')) --end;
  std::size_t begin = end;
  while (begin && is_word(declaration[begin - 1])) --begin;
  if (begin == end && declaration.substr(bracket).starts_with("(*")) {  // one that returns a pointer to a function
    const std::string_view inner = declaration.substr(bracket + 2);
    return inner.find('(') < inner.find(')') ? declared_name(inner) : std::string();
  }
  return std::string(declaration.substr(begin, end - begin));
}

// Of something declared at the outermost level, without bodies. Empty: it is no function that a library has.
std::string function_of(std::string_view declaration) {
  declaration.remove_prefix(std::min(declaration.find_first_not_of(' '), declaration.size()));
  for (const std::string_view no : {"typedef ", "struct ", "union ", "enum ", "static ", "_Static_assert"})
    if (declaration.starts_with(no) && !(no == "struct " && declaration.find('(') != declaration.npos)) return {};
  if (declaration.find("static ") != declaration.npos) return {};
  const std::string name = declared_name(declaration);
  return name.starts_with("__") && (name == "__attribute__" || name == "__asm__") ? std::string() : name;
}

// As programs include it: without the folder of all headers, or of this machine's.
std::string header_name(std::string file) {
  for (const std::string_view folder : {"/include/", "x86_64-linux-gnu/"})
    if (const std::size_t at = file.find(folder); at != file.npos) file.erase(0, at + folder.size());
  return file;
}

std::string shell_quoted(const std::string& text) { return "'" + text + "'"; }

}  // namespace

std::string_view coverage_of(std::string_view function) {
  const auto row = table().find(function);
  if (row == table().end()) return "unknown";
  return row->second.modelled ? "modelled" : "described";
}

std::vector<std::pair<std::string, std::string>> declared_functions(const std::string& preprocessed) {
  std::vector<std::pair<std::string, std::string>> found;
  std::set<std::string> seen;
  std::string header, declaration, line;
  int depth = 0;  // of braces
  std::istringstream text(preprocessed);
  while (std::getline(text, line)) {
    if (line.starts_with("# ")) {  // # LINE "FILE" FLAGS
      const std::size_t begin = line.find('"') + 1, end = line.find('"', begin);
      const std::string file = header_name(line.substr(begin, end - begin));
      if (std::ranges::find(kHeaders, file) != std::end(kHeaders)) header = file;  // else it is a part of the one before
      continue;
    }
    for (const char c : line + " ") {
      depth += (c == '{') - (c == '}');
      if (depth == 0 && (c == ';' || c == '}')) {
        if (std::string name = function_of(declaration); !name.empty() && seen.insert(name).second)
          found.emplace_back(header, name);
        declaration.clear();
      } else if (depth == 0) {
        declaration += c;
      }
    }
  }
  return found;
}

std::vector<std::string> exported_functions(const std::string& library) {
  std::ifstream file(library, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> names;
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return names;
  std::memcpy(&head, bytes.data(), sizeof head);
  const auto section = [&](std::size_t i) {
    Elf64_Shdr s{};
    const std::size_t at = head.e_shoff + i * sizeof s;
    if (at + sizeof s <= bytes.size()) std::memcpy(&s, bytes.data() + at, sizeof s);
    return s;
  };
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr texts = section(symbols.sh_link);
    for (std::size_t at = symbols.sh_offset; at + sizeof(Elf64_Sym) <= symbols.sh_offset + symbols.sh_size;
         at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (at + sizeof symbol > bytes.size()) return names;
      std::memcpy(&symbol, bytes.data() + at, sizeof symbol);
      const std::size_t name = texts.sh_offset + symbol.st_name;
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) && name < bytes.size())
        names.emplace_back(bytes.c_str() + name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

int list_coverage() {
  std::string includes;
  for (const char* header : kHeaders) includes += fmt::format("#include <{}>\\n", header);
  const std::string compiler = shell_quoted(compile::beside_executable("inspect-cc"));
  const auto functions =
      declared_functions(output_of(fmt::format("printf '{}' | {} -E -D_GNU_SOURCE -x c -", includes, compiler)));
  std::string library = output_of(compiler + " -print-file-name=libstdc++.so.6");
  while (!library.empty() && library.back() == '\n') library.pop_back();
  const auto symbols = exported_functions(library);
  if (functions.empty() || symbols.empty()) {
    Console::error("the system's headers or its C++ library cannot be read");
    return static_cast<int>(ExitStatus::usage);
  }
  std::string text;
  for (const auto& [header, name] : functions) text += fmt::format("{} {} {}\n", header, name, coverage_of(name));
  for (const std::string& name : symbols) text += fmt::format("libstdc++ {} {}\n", name, coverage_of(name));
  Console console;
  console.print(text);
  return console.exit_status(ExitStatus::verified);
}

}  // namespace inspect::cli
