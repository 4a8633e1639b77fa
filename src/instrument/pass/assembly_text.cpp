#include "instrument/pass/assembly_text.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

using namespace llvm;

namespace inspect::pass {

namespace {

// Placeholders stand between these until statements are read.
constexpr char kOpen = '\1', kClose = '\2';

// Chooses between alternatives, `$(att$|intel$)`, and marks placeholders. False: a form that is not known.
class Expander {
 public:
  Expander(StringRef text, bool intel) : text_(text), intel_(intel) {}

  bool run(std::string& out) {
    for (size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c != '$') {
        put(out, c);
        continue;
      }
      if (++i == text_.size()) return false;
      if (!special(out, i)) return false;
    }
    return depth_ == 0;
  }

 private:
  StringRef text_;
  bool intel_;
  unsigned depth_ = 0, alternative_ = 0;

  void put(std::string& out, char c) const {
    if (!depth_ || alternative_ == unsigned(intel_)) out += c;
  }

  void placeholder(std::string& out, StringRef inner) const {
    put(out, kOpen);
    for (const char c : inner) put(out, c);
    put(out, kClose);
  }

  bool special(std::string& out, size_t& i) {
    const char c = text_[i];
    if (c == '$') return put(out, '$'), true;
    if (c == '(') return alternative_ = 0, ++depth_ == 1;
    if (c == '|') return ++alternative_, depth_ == 1;
    if (c == ')') return depth_-- == 1;
    if (c == '{') {
      const size_t end = text_.find('}', i);
      if (end == StringRef::npos) return false;
      const StringRef inner = text_.slice(i + 1, end);
      if (inner == ":uid")
        for (const char u : StringRef("uid")) put(out, u);
      else if (!inner.empty() && isDigit(inner[0]))
        placeholder(out, inner);
      else
        return false;
      i = end;
      return true;
    }
    size_t end = i;
    while (end < text_.size() && isDigit(text_[end])) ++end;
    if (end == i) return false;
    placeholder(out, text_.slice(i, end));
    i = end - 1;
    return true;
  }
};

std::string without_comments(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("/*")) {
      const size_t end = text.find("*/", i + 2);
      i = end == StringRef::npos ? text.size() : end + 1;
      out += ' ';
    } else if (text[i] == '#' || text.substr(i).starts_with("//")) {
      while (i < text.size() && text[i] != '\n') ++i;
      out += '\n';
    } else {
      out += text[i] == '\t' || text[i] == '\r' ? ' ' : text[i];
    }
  }
  return out;
}

bool is_name(StringRef text) {
  return !text.empty() && all_of(text, [](char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@'; });
}

bool read_number(StringRef text, int64_t& number) {
  text = text.trim();
  const bool negative = text.consume_front("-");
  text.consume_front("+");
  uint64_t value = 0;
  if (text.empty() || !isDigit(text[0]) || text.getAsInteger(0, value)) return false;
  number = negative ? -int64_t(value) : int64_t(value);
  return true;
}

bool read_placeholder(StringRef text, TextValue& value) {
  if (!text.consume_front(StringRef(&kOpen, 1)) || !text.consume_back(StringRef(&kClose, 1))) return false;
  const auto [number, modifier] = text.split(':');
  value.is_argument = true;
  if (number.getAsInteger(10, value.argument) || modifier.size() > 1) return false;
  value.modifier = modifier.empty() ? char(0) : modifier[0];
  return true;
}

bool read_value(StringRef text, bool intel, TextValue& value) {
  text = text.trim();
  if (read_placeholder(text, value)) return true;
  if (!text.consume_front("%") && !intel) return false;
  const auto reg = register_named(text);
  if (!reg) return false;
  value.reg = *reg;
  return true;
}

// displacement(base, index, scale)
bool read_att_memory(StringRef text, TextOperand& operand) {
  if (!text.consume_back(")")) return false;
  const auto [displacement, inner] = text.split('(');
  if (!displacement.trim().empty() && !read_number(displacement, operand.number)) return false;
  SmallVector<StringRef, 3> parts;
  inner.split(parts, ',');
  if (parts.size() > 3) return false;
  TextValue value;
  if (!parts[0].trim().empty()) {
    if (!read_value(parts[0], false, value)) return false;
    operand.base = value;
  }
  if (parts.size() > 1) {
    value = {};
    if (!read_value(parts[1], false, value)) return false;
    operand.index = value;
  }
  if (parts.size() > 2 && parts[2].trim().getAsInteger(10, operand.scale)) return false;
  operand.kind = TextOperand::memory;
  return true;
}

// [base + index * scale + displacement]
bool read_intel_memory(StringRef text, TextOperand& operand) {
  if (!text.consume_front("[") || !text.consume_back("]")) return false;
  SmallVector<StringRef, 4> parts;
  std::string spread;
  for (const char c : text) (spread += c == '-' ? "+-" : std::string(1, c));
  StringRef(spread).split(parts, '+', -1, false);
  for (StringRef part : parts) {
    part = part.trim();
    TextValue value;
    int64_t number = 0;
    if (const auto [factor, scale] = part.split('*'); !scale.empty()) {
      if (operand.index || !read_value(factor, true, value) || scale.trim().getAsInteger(10, operand.scale)) return false;
      operand.index = value;
    } else if (read_number(part, number)) {
      operand.number += number;
    } else if (read_value(part, true, value)) {
      if (operand.base && operand.index) return false;
      (operand.base ? operand.index : operand.base) = value;
    } else {
      return false;
    }
  }
  operand.kind = TextOperand::memory;
  return true;
}

void read_size(StringRef& text, TextOperand& operand) {
  const std::pair<StringRef, unsigned> sizes[] = {{"byte ptr", 8}, {"dword ptr", 32}, {"qword ptr", 64}, {"word ptr", 16}};
  for (const auto& [name, bits] : sizes)
    if (text.consume_front_insensitive(name)) operand.bits = bits;
  text = text.trim();
}

// A displacement before a placeholder: `8+$0`, `8$0`.
bool read_offset_placeholder(StringRef text, TextOperand& operand) {
  const size_t at = text.find(kOpen);
  if (at == StringRef::npos || at == 0) return false;
  TextValue value;
  if (!read_number(text.take_front(at).trim().rtrim('+'), operand.number) || !read_placeholder(text.substr(at), value))
    return false;
  operand.kind = TextOperand::memory;
  operand.base = value;
  return true;
}

TextOperand read_operand(StringRef text, bool intel) {
  TextOperand operand;
  text = text.trim();
  operand.name = text.str();
  if (intel) read_size(text, operand);
  const StringRef at_segment = text.ltrim('%');
  if (at_segment.size() > 3 && at_segment[2] == ':' && at_segment[1] == 's' && (text[0] == '%' || intel)) {
    operand.segment = at_segment.take_front(2).lower();
    text = at_segment.substr(3).trim();
    if (read_number(text, operand.number)) return operand.kind = TextOperand::memory, operand;
  }
  if (text.starts_with("$")) {
    if (!read_number(text.substr(1), operand.number)) return operand;
    return operand.kind = TextOperand::immediate, operand;
  }
  if (read_value(text, intel, operand.of)) return operand.kind = TextOperand::value, operand;
  if (intel ? read_intel_memory(text, operand) : read_att_memory(text, operand)) return operand;
  if (read_offset_placeholder(text, operand)) return operand;
  if (intel && read_number(text, operand.number)) return operand.kind = TextOperand::immediate, operand;
  if (is_name(text) && operand.segment.empty()) operand.kind = TextOperand::label;
  return operand;
}

SmallVector<StringRef, 3> split_operands(StringRef text) {
  SmallVector<StringRef, 3> parts;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] != ',' || depth) continue;
    parts.push_back(text.slice(begin, i));
    begin = i + 1;
  }
  if (!text.substr(begin).trim().empty()) parts.push_back(text.substr(begin));
  return parts;
}

// Takes prefixes off the front; those that stand alone belong to the statement that follows.
void read_prefixes(StringRef& text, Statement& statement) {
  while (true) {
    const StringRef word = text.take_until([](char c) { return c == ' '; });
    const std::string prefix = word.lower();
    if (prefix == "lock")
      statement.lock = true;
    else if (prefix == "rep" || prefix == "repe" || prefix == "repz")
      statement.repeat = true;
    else if (prefix == "repne" || prefix == "repnz")
      statement.repeat_unequal = true;
    else
      return;
    text = text.substr(word.size()).trim();
  }
}

void read_labels(StringRef& text, Statement& statement) {
  while (true) {
    const size_t colon = text.find(':');
    if (colon == StringRef::npos || !is_name(text.take_front(colon).trim())) return;
    statement.labels.push_back(text.take_front(colon).trim().str());
    text = text.substr(colon + 1).trim();
  }
}

// Tables for the linker that some programs put beside a lock prefix.
bool leaves_section(StringRef directive) { return directive.starts_with(".popsection") || directive.starts_with(".previous"); }
bool enters_section(StringRef directive) {
  return directive.starts_with(".pushsection .smp_locks") || directive.starts_with(".section .smp_locks");
}

}  // namespace

std::optional<RegisterName> register_named(StringRef name) {
  const std::string lower = name.lower();
  const StringRef text = lower;
  constexpr const char* kNames[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  constexpr const char* kLow[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};
  constexpr const char* kHigh[] = {"ah", "ch", "dh", "bh"};
  for (unsigned i = 0; i < 8; ++i) {
    if (text == kLow[i]) return RegisterName{i, 8, false};
    if (i < 4 && text == kHigh[i]) return RegisterName{i, 8, true};
    if (text == kNames[i]) return RegisterName{i, 16, false};
    if (text.size() == 3 && text.drop_front() == kNames[i] && (text[0] == 'e' || text[0] == 'r'))
      return RegisterName{i, text[0] == 'r' ? 64u : 32u, false};
  }
  StringRef rest = text;
  unsigned number = 0;
  if (!rest.consume_front("r") || rest.consumeInteger(10, number) || number < kR8 || number > kR15) return std::nullopt;
  const unsigned bits = StringSwitch<unsigned>(rest).Case("", 64).Case("d", 32).Case("w", 16).Cases("b", "l", 8).Default(0);
  return bits ? std::optional(RegisterName{number, bits, false}) : std::nullopt;
}

std::optional<std::vector<Statement>> parse_assembly(const InlineAsm& assembly) {
  const bool intel = assembly.getDialect() == InlineAsm::AD_Intel;
  std::string expanded;
  if (!Expander(assembly.getAsmString(), intel).run(expanded)) return std::nullopt;
  const std::string text = without_comments(expanded);
  SmallVector<StringRef, 8> lines;
  for (StringRef line : split(text, '\n')) line.split(lines, ';');
  std::vector<Statement> statements;
  Statement next;
  bool elsewhere = false;
  for (StringRef line : lines) {
    line = line.trim();
    if (enters_section(line)) elsewhere = true;
    if (elsewhere) {
      if (leaves_section(line)) elsewhere = false;
      continue;
    }
    read_labels(line, next);
    read_prefixes(line, next);
    if (line.empty()) continue;
    const StringRef word = line.take_until([](char c) { return c == ' '; });
    next.mnemonic = word.lower();
    for (StringRef operand : split_operands(line.substr(word.size()))) next.operands.push_back(read_operand(operand, intel));
    if (intel) std::reverse(next.operands.begin(), next.operands.end());
    statements.push_back(std::move(next));
    next = {};
  }
  if (elsewhere) return std::nullopt;
  if (next.repeat || next.lock) next.mnemonic = "nop";  // prefixes of nothing
  if (!next.labels.empty()) statements.push_back(std::move(next));
  return statements;
}

std::optional<size_t> find_label(const std::vector<Statement>& statements, size_t from, StringRef name) {
  const auto stands_at = [&](size_t i, StringRef label) { return is_contained(statements[i].labels, label); };
  const char last = name.empty() ? char(0) : name.back();
  if (name.size() > 1 && isDigit(name[0]) && (last == 'b' || last == 'f')) {
    const StringRef label = name.drop_back();
    if (last == 'f') {
      for (size_t i = from + 1; i < statements.size(); ++i)
        if (stands_at(i, label)) return i;
    } else {
      for (size_t i = from + 1; i-- > 0;)
        if (stands_at(i, label)) return i;
    }
    return std::nullopt;
  }
  for (size_t i = 0; i < statements.size(); ++i)
    if (stands_at(i, name)) return i;
  return std::nullopt;
}

}  // namespace inspect::pass
