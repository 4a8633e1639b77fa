#include "explicit_engine/ltl/parser.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/shown.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

// Longest first: "<->" before "<>", "<=" and "<".
struct Word {
  const char* text;
  Connective connective;
};
constexpr Word kSymbols[] = {
    {"<->", Connective::equivalence}, {"<=>", Connective::equivalence}, {"&&", Connective::conjunction},
    {"/\\", Connective::conjunction}, {"||", Connective::disjunction},  {"\\/", Connective::disjunction},
    {"->", Connective::implication},  {"=>", Connective::implication},  {"[]", Connective::always},
    {"<>", Connective::eventually},   {"&", Connective::conjunction},   {"|", Connective::disjunction},
    {"!", Connective::negation},      {"~", Connective::negation},
};
constexpr Word kWords[] = {
    {"G", Connective::always},         {"F", Connective::eventually}, {"U", Connective::until},
    {"R", Connective::release},        {"V", Connective::release},    {"W", Connective::weak_until},
    {"M", Connective::strong_release}, {"true", Connective::truth},   {"false", Connective::falsehood},
};
struct ComparisonWord {
  const char* text;
  Comparison::Kind kind;
};
constexpr ComparisonWord kComparisons[] = {
    {"==", Comparison::Kind::equal},    {"!=", Comparison::Kind::unequal}, {"<=", Comparison::Kind::at_most},
    {">=", Comparison::Kind::at_least}, {"<", Comparison::Kind::less},     {">", Comparison::Kind::greater},
};

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The bytes of the name that `text` begins with: words joined by "::" and ".", each with indices. 0: it begins with none.
std::size_t name_length(std::string_view text) {
  const auto word = [&](std::size_t at) {
    if (at >= text.size() || !starts_name(text[at])) return at;
    while (at < text.size() && (starts_name(text[at]) || is_digit(text[at]))) ++at;
    return at;
  };
  std::size_t end = word(0);
  if (end == 0) return 0;
  while (end < text.size()) {
    std::size_t next = end;
    if (text.substr(end, 2) == "::") {
      next = word(end + 2);
      if (next == end + 2) break;
    } else if (text[end] == '.') {
      next = word(end + 1);
      if (next == end + 1) break;
    } else if (text[end] == '[') {
      next = end + 1;
      while (next < text.size() && is_digit(text[next])) ++next;
      if (next == end + 1 || next == text.size() || text[next] != ']') break;
      ++next;
    } else {
      break;
    }
    end = next;
  }
  return end;
}

const Word* keyword(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return name == w.text; });
  return found == std::end(kWords) ? nullptr : found;
}

// "GF p" is G F p; with X in it, the place of X is found when its turn comes.
bool is_run_of_prefixes(std::string_view name) {
  return !name.empty() && name.find_first_not_of("GFX") == std::string_view::npos;
}

bool groups_apart(Connective c) {
  return c == Connective::until || c == Connective::release || c == Connective::weak_until || c == Connective::strong_release ||
         c == Connective::implication;
}

constexpr const char* kNoNext =
    "X (next) is not offered: which state of a program comes next depends on how its steps are counted, and on what other "
    "threads do in between; say it with U, R or W";

// Recursive descent, one function for each level of binding. After an error nothing more is read: `error_` is set, and every
// function returns at once.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { formula_.text = text; }

  Result<Formula> run() {
    if (text_.size() > kLongestFormula)
      return Error{"the formula is longer than " + std::to_string(kLongestFormula) + " bytes"};
    skip();
    if (at_ == text_.size()) return Error{"the formula is empty"};
    const Ref root = implication();
    if (!error_ && at_ < text_.size()) fail(at_, text_[at_] == ')' ? "this parenthesis closes none" : unexpected());
    if (error_) return *error_;
    formula_.root = root;
    return std::move(formula_);
  }

 private:
  Ref implication() {
    return level([&] { return binary(); },
                 [](Connective c) { return c == Connective::implication || c == Connective::equivalence; });
  }
  // || and &&, which are chains in every tool.
  Ref binary() {
    return level([&] { return conjunction(); }, [](Connective c) { return c == Connective::disjunction; });
  }
  Ref conjunction() {
    return level([&] { return temporal(); }, [](Connective c) { return c == Connective::conjunction; });
  }
  Ref temporal() {
    return level([&] { return unary(); }, [](Connective c) { return groups_apart(c) && c != Connective::implication; });
  }

  // Operands of the tighter level, joined by operators of this one.
  template <class Tighter, class Mine>
  Ref level(Tighter tighter, Mine mine) {
    std::vector<Ref> operands{tighter()};
    std::optional<Connective> joined;
    while (!error_) {
      const std::size_t place = at_;
      const auto next = peek_operator();
      if (!next || !mine(next->first)) break;
      if (joined && (groups_apart(next->first) || next->first != *joined)) {
        return fail(place, "parentheses are needed here: SPIN groups such operators to the left, spot to the right");
      }
      joined = next->first;
      at_ += next->second;
      skip();
      operands.push_back(tighter());
    }
    return error_ || !joined ? operands.front() : join(*joined, operands, 0, operands.size());
  }

  // As a balanced tree, so that long chains are not deep.
  Ref join(Connective connective, const std::vector<Ref>& operands, std::size_t from, std::size_t to) {
    if (to - from == 1) return operands[from];
    const std::size_t middle = from + (to - from + 1) / 2;
    const Ref left = join(connective, operands, from, middle);
    return formula_.pool.make(connective, left, join(connective, operands, middle, to));
  }

  Ref unary() {
    if (error_) return 0;
    if (depth_ == kDeepestFormula) return fail(at_, "the formula is nested deeper than " + std::to_string(kDeepestFormula));
    ++depth_;
    const Ref result = unary_inside();
    --depth_;
    return result;
  }

  Ref unary_inside() {
    const auto prefix = peek_operator();
    if (!prefix || !is_unary(prefix->first)) return primary();
    at_ += prefix->second;
    skip();
    const Ref operand = unary();
    return error_ ? 0 : formula_.pool.make(prefix->first, operand);
  }

  Ref primary() {
    if (at_ == text_.size()) return fail(at_, "something is missing at the end");
    const char c = text_[at_];
    if (c == '(') return parenthesis();
    if (c == '"') return quoted();
    if (c == '-' || is_digit(c)) return number();
    const std::size_t place = at_;
    const std::string_view name = text_.substr(at_, name_length(text_.substr(at_)));
    if (name.empty()) return fail(place, unexpected());
    if (is_run_of_prefixes(name) && name.front() == 'X') return fail(place, kNoNext);
    if (const Word* const word = keyword(name)) {
      if (is_unary(word->connective) || is_binary(word->connective)) return fail(place, unexpected());
      advance(name.size());
      return formula_.pool.make(word->connective);
    }
    advance(name.size());
    return proposition(std::string(name), place);
  }

  Ref parenthesis() {
    const std::size_t place = at_;
    advance(1);
    const Ref inside = implication();
    if (error_) return 0;
    if (at_ == text_.size()) return fail(place, "this parenthesis is never closed");
    if (text_[at_] != ')') return fail(at_, unexpected());
    advance(1);
    return inside;
  }

  Ref quoted() {
    const std::size_t place = at_;
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return fail(place, "this quotation mark has no other");
    const std::string name(text_.substr(at_ + 1, end - at_ - 1));
    if (name.empty()) return fail(place, "a proposition without a name");
    advance(name.size() + 2);
    return proposition(name, place);
  }

  // 1 and 0 are true and false, as in spot.
  Ref number() {
    const std::size_t place = at_;
    const auto value = read_number();
    if (error_) return 0;
    if (*value != 0 && *value != 1) return fail(place, "a number says nothing by itself: write a comparison, such as x == 2");
    if (at_ < text_.size() && comparison_here()) return fail(place, "the name comes first in a comparison: x == 2");
    return formula_.pool.make(*value == 1 ? Connective::truth : Connective::falsehood);
  }

  std::optional<std::int64_t> read_number() {
    std::int64_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (problem == std::errc::result_out_of_range) {
      fail(at_, "this number has more than 64 bits");
      return std::nullopt;
    }
    if (problem != std::errc()) {
      fail(at_, at_ == text_.size() ? "something is missing at the end" : "a number is expected here");
      return std::nullopt;
    }
    const std::size_t length = static_cast<std::size_t>(end - begin);
    if (at_ + length < text_.size() && (starts_name(text_[at_ + length]) || text_[at_ + length] == '.')) {
      fail(at_, "this is neither a number nor a name");
      return std::nullopt;
    }
    advance(length);
    return value;
  }

  [[nodiscard]] const ComparisonWord* comparison_here() const {
    const std::string_view rest = text_.substr(at_);
    // "x <-> y" and "x <> y" are no comparisons; "x => y" is an implication.
    if (rest.starts_with("<->") || rest.starts_with("<=>") || rest.starts_with("<>")) return nullptr;
    const auto* const found =
        std::find_if(std::begin(kComparisons), std::end(kComparisons), [&](const auto& c) { return rest.starts_with(c.text); });
    return found == std::end(kComparisons) ? nullptr : found;
  }

  Ref proposition(std::string name, std::size_t place) {
    Proposition fresh{std::move(name), std::nullopt, place};
    if (const auto* const word = comparison_here()) {
      advance(std::string_view(word->text).size());
      const auto value = read_number();
      if (error_) return 0;
      fresh.comparison = Comparison{word->kind, *value};
    }
    auto& all = formula_.propositions;
    auto known = std::find_if(all.begin(), all.end(),
                              [&](const Proposition& p) { return p.name == fresh.name && p.comparison == fresh.comparison; });
    if (known == all.end()) {
      if (all.size() == kMostPropositions)
        return fail(place, "more than " + std::to_string(kMostPropositions) + " different propositions");
      known = all.insert(known, std::move(fresh));
    }
    return formula_.pool.make(Connective::proposition, static_cast<Ref>(known - all.begin()));
  }

  // The operator that stands here, and its length.
  [[nodiscard]] std::optional<std::pair<Connective, std::size_t>> peek_operator() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("!=")) return std::nullopt;
    for (const Word& symbol : kSymbols)
      if (rest.starts_with(symbol.text)) return std::pair{symbol.connective, std::string_view(symbol.text).size()};
    std::string_view name = rest.substr(0, name_length(rest));
    if (is_run_of_prefixes(name)) name = name.substr(0, 1);
    const Word* const word = keyword(name);
    if (!word || word->connective == Connective::truth || word->connective == Connective::falsehood) return std::nullopt;
    return std::pair{word->connective, name.size()};
  }

  [[nodiscard]] std::string unexpected() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) return "something is missing at the end";
    const std::size_t name = name_length(rest);
    if (is_run_of_prefixes(rest.substr(0, name)) && rest.front() == 'X') return kNoNext;
    if (rest.front() == '=' && !rest.starts_with("==")) return "= is no operator: == compares";
    if (static_cast<unsigned char>(rest.front()) >= 0x80) return "names of other letters stand between quotation marks";
    if (const auto symbol = peek_operator())
      return "an operand is missing before " + std::string(rest.substr(0, symbol->second));
    if (name) return "an operator is missing before " + std::string(rest.substr(0, name));
    return shown_line(rest.substr(0, 1)) + " is not expected here";
  }

  void advance(std::size_t bytes) {
    at_ += bytes;
    skip();
  }
  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  Ref fail(std::size_t place, const std::string& message) {
    if (!error_) error_ = error_at(text_, place, message);
    return 0;
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  Formula formula_;
  std::optional<Error> error_;
};

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

Result<Formula> parse(std::string_view text) { return Parser(text).run(); }

bool is_plain_name(std::string_view name) {
  return !name.empty() && name_length(name) == name.size() && !keyword(name) && !is_run_of_prefixes(name);
}

Error error_at(std::string_view text, std::size_t place, const std::string& message) {
  constexpr std::size_t kBefore = 60, kAfter = 40;
  std::size_t begin = place > kBefore ? place - kBefore : 0, end = std::min(text.size(), place + kAfter);
  while (begin > 0 && !begins_character(text[begin])) --begin;
  while (end < text.size() && !begins_character(text[end])) --end;
  const std::string before = (begin ? "… " : "") + shown_line(text.substr(begin, place - begin));
  const std::string after = shown_line(text.substr(place, end - place)) + (end < text.size() ? " …" : "");
  const auto columns = std::count_if(before.begin(), before.end(), begins_character);
  return {message + "\n  " + before + after + "\n  " + std::string(static_cast<std::size_t>(columns), ' ') + '^'};
}

}  // namespace inspect::explicit_engine::ltl
