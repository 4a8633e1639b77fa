#include "oracle/model.hpp"

#include <cctype>
#include <charconv>
#include <sstream>

#include "base/check.hpp"

namespace inspect::oracle {

namespace {

constexpr std::string_view kTexts[] = {
#define INSTRUCTION(name, text) text,
    INSPECT_MODEL_INSTRUCTIONS(INSTRUCTION)
#undef INSTRUCTION
};

int operand(const Instruction& i, char which) {
  switch (which) {
    case 'o':
      return i.object;
    case 'p':
      return i.other;
    case 'r':
      return i.reg;
    case 'v':
      return i.value;
    case 'e':
      return i.expected;
    default:
      return i.target;
  }
}

void set_operand(Instruction& i, char which, int value) {
  switch (which) {
    case 'o':
      i.object = static_cast<std::uint8_t>(value);
      break;
    case 'p':
      i.other = static_cast<std::uint8_t>(value);
      break;
    case 'r':
      i.reg = static_cast<std::uint8_t>(value);
      break;
    case 'v':
      i.value = static_cast<std::int8_t>(value);
      break;
    case 'e':
      i.expected = static_cast<std::int8_t>(value);
      break;
    default:
      i.target = static_cast<std::uint8_t>(value);
  }
}

// Matches `line` with a pattern like "lock m{o}"; fills the operands.
bool match(std::string_view line, std::string_view pattern, Instruction& out) {
  while (!pattern.empty()) {
    if (pattern[0] != '{') {
      if (line.empty() || line[0] != pattern[0]) return false;
      line.remove_prefix(1);
      pattern.remove_prefix(1);
      continue;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc()) return false;
    set_operand(out, pattern[1], value);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    pattern.remove_prefix(3);
  }
  return line.empty();
}

Instruction parse_instruction(std::string_view line) {
  for (std::size_t code = 0; code < std::size(kTexts); ++code) {
    Instruction i{.code = static_cast<Code>(code)};
    if (match(line, kTexts[code], i)) return i;
  }
  CHECK(false, "not an instruction of the model language: " + std::string(line));
  return {};
}

std::string text_of(const Instruction& i) {
  const std::string_view pattern = kTexts[static_cast<std::size_t>(i.code)];
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '{') {
      out += pattern[at];
      continue;
    }
    out += std::to_string(operand(i, pattern[at + 1]));
    at += 2;
  }
  return out;
}

// "semaphores 0 1", "barrier 2", "main_returns", "spurious"; bits, the lowest for the first object: "writers 1", "recursive 1",
// "checking 1".
bool parse_setting(std::string_view line, ModelProgram& p) {
  std::istringstream in{std::string(line)};
  std::string word;
  in >> word;
  if (word == "semaphores") {
    for (std::uint8_t& s : p.semaphores) {
      int value = 0;
      in >> value;
      s = static_cast<std::uint8_t>(value);
    }
  } else if (word == "barrier") {
    int value = 2;
    in >> value;
    p.barrier_size = static_cast<std::uint8_t>(value);
  } else if (word == "main_returns") {
    p.main_returns = true;
  } else if (word == "writers" || word == "recursive" || word == "checking") {
    int locks = 0;
    in >> locks;
    (word == "writers" ? p.prefers_writers : word == "recursive" ? p.recursive : p.checking) = static_cast<std::uint8_t>(locks);
  } else if (word == "spurious") {
    p.spurious_wakeups = true;
  } else {
    return false;
  }
  return true;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

}  // namespace

std::string to_text(const ModelProgram& p) {
  std::string out = "semaphores";
  for (const std::uint8_t s : p.semaphores) out += ' ' + std::to_string(s);
  out += "\nbarrier " + std::to_string(p.barrier_size) + '\n';
  if (p.main_returns) out += "main_returns\n";
  if (p.spurious_wakeups) out += "spurious\n";
  if (p.prefers_writers) out += "writers " + std::to_string(p.prefers_writers) + '\n';
  if (p.recursive) out += "recursive " + std::to_string(p.recursive) + '\n';
  if (p.checking) out += "checking " + std::to_string(p.checking) + '\n';
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    out += "thread " + std::to_string(t) + ":\n";
    for (const Instruction& i : p.threads[t]) out += "  " + text_of(i) + '\n';
  }
  return out;
}

// "thread N:" (or "thread:") starts a thread; the number is not looked at.
ModelProgram parse_model(std::string_view text) {
  ModelProgram p;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(";\n");
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("thread ") || line.starts_with("thread:")) {
      p.threads.emplace_back();
      const std::size_t colon = line.find(':');
      line = colon == std::string_view::npos ? std::string_view{} : trimmed(line.substr(colon + 1));
    }
    if (line.empty() || (p.threads.empty() && parse_setting(line, p))) continue;
    CHECK(!p.threads.empty(), "instruction before the first thread");
    p.threads.back().push_back(parse_instruction(line));
  }
  return p;
}

}  // namespace inspect::oracle
