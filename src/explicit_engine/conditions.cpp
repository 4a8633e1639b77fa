#include "explicit_engine/conditions.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/files.hpp"
#include "explicit_engine/ltl/parser.hpp"
#include "process/constant_texts.hpp"
#include "process/variables.hpp"

namespace inspect::explicit_engine {
namespace {

using Kind = ltl::Comparison::Kind;
static_assert(ltl::kMostPropositions == INSPECT_MAX_CONDITIONS);

inspect_comparison comparison_of(Kind kind) {
  switch (kind) {
    case Kind::equal:
      return INSPECT_COMPARISON_EQUAL;
    case Kind::unequal:
      return INSPECT_COMPARISON_UNEQUAL;
    case Kind::less:
      return INSPECT_COMPARISON_LESS;
    case Kind::at_most:
      return INSPECT_COMPARISON_AT_MOST;
    case Kind::greater:
      return INSPECT_COMPARISON_GREATER;
    case Kind::at_least:
      return INSPECT_COMPARISON_AT_LEAST;
  }
  return INSPECT_COMPARISON_EQUAL;
}

Error error(const ltl::Formula& formula, const ltl::Proposition& p, const std::string& what) {
  return ltl::error_at(formula.text, p.place, "--ltl: " + p.name + ' ' + what);
}
Error is_unknown(const ltl::Formula& formula, const ltl::Proposition& p) {
  return error(formula, p, "is neither a proposition that the program sets (inspect_proposition) nor a global variable");
}
Error is_both(const ltl::Formula& formula, const ltl::Proposition& p) {
  return error(formula, p,
               "is a variable, and a proposition that the program sets: write " + p.name + " != 0 for the variable");
}

inspect_condition variable(const ltl::Proposition& p, const process::GlobalNumber& number) {
  inspect_condition condition{};
  const ltl::Comparison comparison = p.comparison.value_or(ltl::Comparison{Kind::unequal, 0});
  condition.offset = number.offset;
  condition.bytes = static_cast<std::uint8_t>(number.bytes);
  condition.is_signed = number.is_signed;
  condition.comparison = static_cast<std::uint8_t>(comparison_of(comparison.kind));
  condition.constant = comparison.constant;
  return condition;
}

class Resolution {
 public:
  Resolution(const ltl::Formula& formula, const std::string& executable, const std::vector<std::string>& sources)
      : formula_(formula), executable_(executable), variables_(executable) {
    for (const auto& path : sources)
      if (const auto text = read_file(path); text && text_)
        *text_ += *text + '\n';
      else
        text_.reset();
    if (sources.empty()) text_.reset();
  }

  Result<Conditions> run() {
    for (std::size_t i = 0; i < formula_.propositions.size(); ++i)
      if (auto failed = resolve(i)) return *failed;
    // Doubts about variables need conditions of their own; without room for one there is none.
    for (const std::size_t i : variables_in_doubt_) {
      if (conditions_.all.size() == INSPECT_MAX_CONDITIONS) break;
      conditions_.doubts.push_back({i, conditions_.all.size()});
      conditions_.all.push_back(named(formula_.propositions[i]));
    }
    return std::move(conditions_);
  }

 private:
  std::optional<Error> resolve(std::size_t i) {
    const ltl::Proposition& p = formula_.propositions[i];
    const auto text = p.comparison ? process::TextMatch::none : process::find_constant_text(executable_, p.name);
    const auto numbers = variables_.numbers_named(p.name);
    if (p.name.size() >= INSPECT_CONDITION_NAME_BYTES && !p.comparison && numbers.empty())
      return error(formula_, p, "is longer than " + std::to_string(INSPECT_CONDITION_NAME_BYTES - 1) + " bytes");
    if (numbers.size() > 1) return error(formula_, p, "names several variables: give the one that is meant a name of its own");
    if (numbers.empty() && p.comparison)
      return error(formula_, p, "is no global variable with a number's type that the debug information knows");
    if (numbers.empty() && text == process::TextMatch::none) return is_unknown(formula_, p);
    const bool sure = text == process::TextMatch::whole && may_name(p.name);
    if (!sure && numbers.empty()) conditions_.doubts.push_back({i, i});
    // Others than the program may have such a text, too.
    if (text != process::TextMatch::none && !numbers.empty()) variables_in_doubt_.push_back(i);
    conditions_.all.push_back(numbers.empty() ? named(p) : variable(p, numbers.front()));
    return std::nullopt;
  }

  // The runtime's constants are in the executable too, and short ones are many: does a source have the text?
  [[nodiscard]] bool may_name(const std::string& name) const {
    return !text_ || text_->find('"' + name + '"') != std::string::npos;
  }

  static inspect_condition named(const ltl::Proposition& p) {
    inspect_condition condition{};
    std::memcpy(condition.name, p.name.data(), std::min<std::size_t>(p.name.size(), INSPECT_CONDITION_NAME_BYTES - 1));
    return condition;
  }

  const ltl::Formula& formula_;
  const std::string& executable_;
  process::Variables variables_;
  std::optional<std::string> text_ = std::string();  // of all sources; none: they are not known
  Conditions conditions_;
  std::vector<std::size_t> variables_in_doubt_;
};

}  // namespace

Result<Conditions> conditions_of(const ltl::Formula& formula, const std::string& executable,
                                 const std::vector<std::string>& sources) {
  return Resolution(formula, executable, sources).run();
}

std::optional<Error> judge(const ltl::Formula& formula, const Conditions& conditions, std::uint64_t set) {
  for (const Doubt& doubt : conditions.doubts) {
    const ltl::Proposition& p = formula.propositions[doubt.proposition];
    const bool is_set = (set >> doubt.condition & 1) != 0, is_proposition = doubt.proposition == doubt.condition;
    if (is_proposition && !is_set) return is_unknown(formula, p);
    if (!is_proposition && is_set) return is_both(formula, p);
  }
  return std::nullopt;
}

}  // namespace inspect::explicit_engine
