#include "explicit_engine/ltl/formula.hpp"

#include "explicit_engine/ltl/parser.hpp"

namespace inspect::explicit_engine::ltl {

Ref Pool::make(Connective connective, Ref left, Ref right) {
  const auto [at, fresh] = known_.try_emplace({connective, left, right}, static_cast<Ref>(nodes_.size()));
  if (fresh) nodes_.push_back({connective, left, right});
  return at->second;
}

bool is_unary(Connective connective) {
  return connective == Connective::negation || connective == Connective::eventually || connective == Connective::always;
}

bool is_binary(Connective connective) {
  switch (connective) {
    case Connective::truth:
    case Connective::falsehood:
    case Connective::proposition:
    case Connective::negation:
    case Connective::eventually:
    case Connective::always:
      return false;
    case Connective::conjunction:
    case Connective::disjunction:
    case Connective::implication:
    case Connective::equivalence:
    case Connective::until:
    case Connective::weak_until:
    case Connective::release:
    case Connective::strong_release:
      return true;
  }
  return false;
}

const char* symbol_of(Connective connective) {
  switch (connective) {
    case Connective::truth:
      return "true";
    case Connective::falsehood:
      return "false";
    case Connective::proposition:
      return "";
    case Connective::negation:
      return "!";
    case Connective::conjunction:
      return "&&";
    case Connective::disjunction:
      return "||";
    case Connective::implication:
      return "->";
    case Connective::equivalence:
      return "<->";
    case Connective::eventually:
      return "F";
    case Connective::always:
      return "G";
    case Connective::until:
      return "U";
    case Connective::weak_until:
      return "W";
    case Connective::release:
      return "R";
    case Connective::strong_release:
      return "M";
  }
  return "";
}

bool Comparison::holds(std::int64_t value) const {
  switch (kind) {
    case Kind::equal:
      return value == constant;
    case Kind::unequal:
      return value != constant;
    case Kind::less:
      return value < constant;
    case Kind::at_most:
      return value <= constant;
    case Kind::greater:
      return value > constant;
    case Kind::at_least:
      return value >= constant;
  }
  return false;
}

std::string to_text(const Proposition& proposition) {
  std::string text = is_plain_name(proposition.name) ? proposition.name : '"' + proposition.name + '"';
  if (!proposition.comparison) return text;
  constexpr const char* kSymbols[] = {"==", "!=", "<", "<=", ">", ">="};
  return text + ' ' + kSymbols[static_cast<std::size_t>(proposition.comparison->kind)] + ' ' +
         std::to_string(proposition.comparison->constant);
}

namespace {

// How tightly it binds; what stands alone binds most.
int tightness(Connective connective) {
  switch (connective) {
    case Connective::implication:
    case Connective::equivalence:
      return 1;
    case Connective::disjunction:
      return 2;
    case Connective::conjunction:
      return 3;
    case Connective::until:
    case Connective::weak_until:
    case Connective::release:
    case Connective::strong_release:
      return 4;
    case Connective::negation:
    case Connective::eventually:
    case Connective::always:
      return 5;
    case Connective::truth:
    case Connective::falsehood:
    case Connective::proposition:
      return 6;
  }
  return 0;
}

bool is_chain(Connective connective) {
  return connective == Connective::conjunction || connective == Connective::disjunction ||
         connective == Connective::equivalence;
}

void write(const Formula& formula, Ref part, std::string& text) {
  const Node node = formula.pool[part];
  const auto operand = [&](Ref of) {
    const Connective inner = formula.pool[of].connective;
    const bool bare = tightness(inner) > tightness(node.connective) || (inner == node.connective && is_chain(inner)) ||
                      (is_unary(inner) && is_unary(node.connective));
    if (!bare) text += '(';
    write(formula, of, text);
    if (!bare) text += ')';
  };
  if (node.connective == Connective::proposition) {
    // "!turn == 1" would be read as in C by some.
    text += to_text(formula.propositions[node.left]);
  } else if (is_unary(node.connective)) {
    text += symbol_of(node.connective);
    if (node.connective != Connective::negation) text += ' ';
    operand(node.left);
  } else if (is_binary(node.connective)) {
    operand(node.left);
    text += std::string(" ") + symbol_of(node.connective) + ' ';
    operand(node.right);
  } else {
    text += symbol_of(node.connective);
  }
}

}  // namespace

std::string to_text(const Formula& formula, Ref part) {
  std::string text;
  write(formula, part, text);
  return text;
}

}  // namespace inspect::explicit_engine::ltl
