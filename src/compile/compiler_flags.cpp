#include "compile/compiler_flags.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace inspect::compile {

namespace {

// Their value is the next word, unless it follows at once.
constexpr std::string_view kWithValue[] = {"-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter"};
constexpr std::string_view kAlone[] = {"-pthread",
                                       "-pedantic",
                                       "-pedantic-errors",
                                       "-ansi",
                                       "-w",
                                       "-rdynamic",
                                       "-no-pie",
                                       "-pie",
                                       "-g",
                                       "-static",
                                       "-m64",
                                       "-fPIC",
                                       "-fPIE",
                                       "-fpic",
                                       "-fpie",
                                       "-Wall",
                                       "-fwrapv",
                                       "--inspect-states",
                                       "--inspect-code",
                                       "--inspect-bitcode"};
constexpr std::string_view kBeginnings[] = {"-O",
                                            "-g0",
                                            "-g1",
                                            "-g2",
                                            "-g3",
                                            "-gdwarf",
                                            "-ggdb",
                                            "-std=",
                                            "-march=",
                                            "-mtune=",
                                            "-msse",
                                            "-mavx",
                                            "-mcx16",
                                            "-mfma",
                                            "-mbmi",
                                            "-mpopcnt",
                                            "-maes",
                                            "-mno-",
                                            "-fsanitize=",
                                            "-fno-sanitize=",
                                            "-fvisibility=",
                                            "-fstack-protector"};
// Of language and code generation: "-f" or "-fno-" and one of these.
constexpr std::string_view kFeatures[] = {"strict-aliasing",
                                          "strict-overflow",
                                          "omit-frame-pointer",
                                          "inline",
                                          "inline-functions",
                                          "exceptions",
                                          "rtti",
                                          "builtin",
                                          "fast-math",
                                          "math-errno",
                                          "signed-char",
                                          "unsigned-char",
                                          "short-enums",
                                          "common",
                                          "plt",
                                          "ms-extensions",
                                          "permissive",
                                          "coroutines",
                                          "char8_t",
                                          "unroll-loops",
                                          "vectorize",
                                          "slp-vectorize",
                                          "function-sections",
                                          "data-sections",
                                          "trapv",
                                          "wrapv",
                                          "threadsafe-statics",
                                          "sized-deallocation",
                                          "aligned-allocation",
                                          "signed-zeros",
                                          "freestanding",
                                          "jump-tables",
                                          "delete-null-pointer-checks",
                                          "asynchronous-unwind-tables",
                                          "unwind-tables",
                                          "semantic-interposition",
                                          "gnu89-inline",
                                          "optimize-sibling-calls",
                                          "strict-enums",
                                          "stack-clash-protection"};

bool is_one_of(std::string_view word, const auto& list) { return std::ranges::find(list, word) != std::end(list); }

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '=' || c == '+'; });
}

// A warning, not what is passed on to other tools (-Wl,…).
bool is_warning(std::string_view word) { return word.starts_with("-W") && word.size() > 2 && is_plain(word); }

// A library of the system's: not a file by its name.
bool is_library(std::string_view word) { return word.starts_with("-l") && word.size() > 2 && is_plain(word); }

bool is_feature(std::string_view word) {
  if (!word.starts_with("-f")) return false;
  word.remove_prefix(word.starts_with("-fno-") ? 5 : 2);
  return is_one_of(word, kFeatures);
}

bool has_value(std::string_view word) {
  return std::ranges::any_of(kWithValue, [&](std::string_view option) { return word.starts_with(option); }) &&
         !word.starts_with("-include-pch");
}

bool is_listed(std::string_view word) {
  const auto begins = [&](std::string_view beginning) { return word.starts_with(beginning); };
  return is_one_of(word, kAlone) || is_warning(word) || is_library(word) || is_feature(word) || has_value(word) ||
         (std::ranges::any_of(kBeginnings, begins) && word.find(',') == word.npos) || word.starts_with("-fsanitize=undefined");
}

}  // namespace

std::string first_unlisted(const std::vector<std::string>& cflags) {
  for (std::size_t i = 0; i < cflags.size(); ++i) {
    if (!is_listed(cflags[i])) return cflags[i];
    if (is_one_of(cflags[i], kWithValue)) ++i;
  }
  return {};
}

}  // namespace inspect::compile
