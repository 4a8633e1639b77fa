// Formulas of next-free linear temporal logic, as values.
//
// Guarantees: equal subformulas of one pool have equal references, so sets of formulas are sets of numbers. Truth is that of
// infinite words over the propositions: G, F, U, R, W, M as usual (A. Pnueli 1977); there is no X, because "the next state" of
// a program depends on which of its threads' steps one counts, and reductions keep no count. Deliberately unknown here: how
// formulas are written (parser.hpp), and what makes a proposition true.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace inspect::explicit_engine::ltl {

enum class Connective : std::uint8_t {
  truth,
  falsehood,
  proposition,  // left: its index
  negation,
  conjunction,
  disjunction,
  implication,
  equivalence,
  eventually,      // F
  always,          // G
  until,           // U
  weak_until,      // W: U, or the left side for ever
  release,         // R: dual of U
  strong_release,  // M: dual of W
};

using Ref = std::uint32_t;  // a formula of a pool

struct Node {
  Connective connective = Connective::truth;
  Ref left = 0, right = 0;
};

// Formulas are made here, bottom up: the operands of a formula have smaller references than the formula.
class Pool {
 public:
  Ref make(Connective connective, Ref left = 0, Ref right = 0);
  const Node& operator[](Ref formula) const { return nodes_[formula]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  std::vector<Node> nodes_;
  std::map<std::tuple<Connective, Ref, Ref>, Ref> known_;
};

[[nodiscard]] bool is_unary(Connective connective);
[[nodiscard]] bool is_binary(Connective connective);
// As it is written: "&&", "U", …; nothing for propositions.
[[nodiscard]] const char* symbol_of(Connective connective);

// "value compared with a constant", of a variable of the program.
struct Comparison {
  enum class Kind : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  Kind kind = Kind::equal;
  std::int64_t constant = 0;
  bool operator==(const Comparison&) const = default;
  [[nodiscard]] bool holds(std::int64_t value) const;
};

struct Proposition {
  std::string name;                      // of inspect_proposition("name", …), or of a variable
  std::optional<Comparison> comparison;  // nothing: the name alone
  std::size_t place = 0;                 // where it first stands in the text: bytes before it
};

// What it says, as it is written in a formula: "turn == 1".
[[nodiscard]] std::string to_text(const Proposition& proposition);

// A valuation of the propositions: bit i is the truth of proposition i.
using Valuation = std::uint64_t;
inline constexpr std::size_t kMostPropositions = 64;

struct Formula {
  std::string text;  // as it was given
  Pool pool;
  Ref root = 0;
  std::vector<Proposition> propositions;
};

// With as few parentheses as a parse needs that gives the same formula.
[[nodiscard]] std::string to_text(const Formula& formula, Ref part);

}  // namespace inspect::explicit_engine::ltl
