#include "symbolic/system/term.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/check.hpp"

namespace inspect::symbolic {

namespace {

bool is_comparison(TermKind kind) { return kind == TermKind::equal || kind == TermKind::less || kind == TermKind::signed_less; }

bool is_commutative(TermKind kind) {
  switch (kind) {
    case TermKind::conjunction:
    case TermKind::disjunction:
    case TermKind::difference:
    case TermKind::sum:
    case TermKind::product:
    case TermKind::equal:
      return true;
    default:
      return false;
  }
}

std::uint64_t signed_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return a < 0 ? 1 : ~std::uint64_t{0};
  if (b == -1) return std::uint64_t{0} - static_cast<std::uint64_t>(a);
  return static_cast<std::uint64_t>(a / b);
}

std::uint64_t signed_remainder(std::int64_t a, std::int64_t b) {
  if (b == 0) return static_cast<std::uint64_t>(a);
  return b == -1 ? 0 : static_cast<std::uint64_t>(a % b);
}

std::uint64_t apply_binary(TermKind kind, unsigned width, std::uint64_t a, std::uint64_t b) {
  const std::int64_t sa = sign_extended(a, width), sb = sign_extended(b, width);
  switch (kind) {
    case TermKind::conjunction:
      return a & b;
    case TermKind::disjunction:
      return a | b;
    case TermKind::difference:
      return a ^ b;
    case TermKind::sum:
      return a + b;
    case TermKind::subtraction:
      return a - b;
    case TermKind::product:
      return a * b;
    case TermKind::quotient:
      return b == 0 ? ~std::uint64_t{0} : a / b;
    case TermKind::remainder:
      return b == 0 ? a : a % b;
    case TermKind::signed_quotient:
      return signed_quotient(sa, sb);
    case TermKind::signed_remainder:
      return signed_remainder(sa, sb);
    case TermKind::shift_left:
      return b >= width ? 0 : a << b;
    case TermKind::shift_right:
      return b >= width ? 0 : a >> b;
    case TermKind::signed_shift_right:
      return static_cast<std::uint64_t>(sa >> (b >= width ? width - 1 : b));
    case TermKind::equal:
      return a == b;
    case TermKind::less:
      return a < b;
    case TermKind::signed_less:
      return sa < sb;
    default:
      CHECK(false, "no operation of two operands");
      return 0;
  }
}

}  // namespace

unsigned operand_count(TermKind kind) {
  switch (kind) {
    case TermKind::constant:
    case TermKind::cell:
      return 0;
    case TermKind::element:
    case TermKind::inverted:
    case TermKind::extended:
    case TermKind::signed_extended:
    case TermKind::extracted:
      return 1;
    case TermKind::choice:
      return 3;
    default:
      return 2;
  }
}

const char* word_of(TermKind kind) {
  switch (kind) {
    case TermKind::constant:
      return "constant";
    case TermKind::cell:
      return "cell";
    case TermKind::element:
      return "element";
    case TermKind::inverted:
      return "~";
    case TermKind::conjunction:
      return "&";
    case TermKind::disjunction:
      return "|";
    case TermKind::difference:
      return "^";
    case TermKind::sum:
      return "+";
    case TermKind::subtraction:
      return "-";
    case TermKind::product:
      return "*";
    case TermKind::quotient:
      return "/u";
    case TermKind::remainder:
      return "%u";
    case TermKind::signed_quotient:
      return "/s";
    case TermKind::signed_remainder:
      return "%s";
    case TermKind::shift_left:
      return "<<";
    case TermKind::shift_right:
      return ">>u";
    case TermKind::signed_shift_right:
      return ">>s";
    case TermKind::equal:
      return "==";
    case TermKind::less:
      return "<u";
    case TermKind::signed_less:
      return "<s";
    case TermKind::choice:
      return "?";
    case TermKind::extended:
      return "zext";
    case TermKind::signed_extended:
      return "sext";
    case TermKind::extracted:
      return "extract";
  }
  return "?";
}

std::uint64_t apply(const TermNode& node, unsigned width_of_a, std::span<const std::uint64_t> operands) {
  switch (node.kind) {
    case TermKind::constant:
      return node.value;
    case TermKind::inverted:
      return truncated(~operands[0], node.width);
    case TermKind::choice:
      return operands[0] ? operands[1] : operands[2];
    case TermKind::extended:
      return operands[0];
    case TermKind::signed_extended:
      return truncated(static_cast<std::uint64_t>(sign_extended(operands[0], width_of_a)), node.width);
    case TermKind::extracted:
      return truncated(operands[0] >> node.value, node.width);
    default:
      return truncated(apply_binary(node.kind, width_of_a, operands[0], operands[1]), node.width);
  }
}

Terms::Terms() {
  // truth() relies on these two being the first.
  constant(1, 0);
  constant(1, 1);
}

Term Terms::intern(const TermNode& node) {
  const auto [it, is_new] = known_.try_emplace(node, Term{static_cast<std::uint32_t>(nodes_.size())});
  if (is_new) nodes_.push_back(node);
  return it->second;
}

Term Terms::constant(unsigned width, std::uint64_t value) {
  CHECK(width >= 1 && width <= 64);
  return intern({TermKind::constant, static_cast<std::uint8_t>(width), {}, {}, {}, truncated(value, width)});
}

Term Terms::cell(CellId cell, unsigned width) {
  CHECK(width >= 1 && width <= 64);
  return intern({TermKind::cell, static_cast<std::uint8_t>(width), {}, {}, {}, cell});
}

Term Terms::element(CellId first, std::uint32_t extent, Term index, unsigned of_width) {
  CHECK(extent > 0);
  if (is_constant(index)) {
    const std::uint64_t at = nodes_[index.id].value;
    return at < extent ? cell(first + static_cast<CellId>(at), of_width) : constant(of_width, 0);
  }
  return intern({TermKind::element, static_cast<std::uint8_t>(of_width), index, {}, {}, first, extent});
}

Term Terms::unary(TermKind kind, Term a) {
  CHECK(kind == TermKind::inverted);
  const TermNode& of = nodes_[a.id];
  if (of.kind == TermKind::inverted) return of.a;
  const TermNode node{kind, of.width, a, {}, {}};
  if (!is_constant(a)) return intern(node);
  return constant(node.width, apply(node, node.width, std::array{of.value}));
}

Term Terms::simplified_binary(const TermNode& node) {
  const Term a = node.a, b = node.b;
  const unsigned w = width(a);
  const bool zero = is_constant(b) && nodes_[b.id].value == 0;
  const bool ones = is_constant(b) && nodes_[b.id].value == truncated(~std::uint64_t{0}, w);
  switch (node.kind) {
    case TermKind::conjunction:
      if (a == b || ones) return a;
      if (zero) return b;
      if (are_opposite(a, b)) return constant(w, 0);
      break;
    case TermKind::disjunction:
      if (a == b || zero) return a;
      if (ones) return b;
      if (are_opposite(a, b)) return constant(w, ~std::uint64_t{0});
      break;
    case TermKind::difference:
      if (zero) return a;
      if (ones) return unary(TermKind::inverted, a);
      if (a == b) return constant(w, 0);
      break;
    case TermKind::sum:
    case TermKind::shift_left:
    case TermKind::shift_right:
    case TermKind::signed_shift_right:
      if (zero) return a;
      break;
    case TermKind::subtraction:
      if (zero) return a;
      if (a == b) return constant(w, 0);
      break;
    case TermKind::equal:
      if (a == b) return truth(true);
      if (w == 1) return ones ? a : zero ? unary(TermKind::inverted, a) : intern(node);
      break;
    case TermKind::less:
    case TermKind::signed_less:
      if (a == b) return truth(false);
      break;
    default:
      break;
  }
  return intern(node);
}

Term Terms::binary(TermKind kind, Term a, Term b) {
  CHECK(operand_count(kind) == 2);
  CHECK(width(a) == width(b), "operands of one width");
  if (is_commutative(kind) && (is_constant(a) || (!is_constant(b) && b < a))) std::swap(a, b);
  const TermNode node{kind, is_comparison(kind) ? std::uint8_t{1} : nodes_[a.id].width, a, b, {}};
  if (!is_constant(a) || !is_constant(b)) return simplified_binary(node);
  return constant(node.width, apply(node, width(a), std::array{nodes_[a.id].value, nodes_[b.id].value}));
}

Term Terms::choice(Term condition, Term then, Term otherwise) {
  CHECK(width(condition) == 1 && width(then) == width(otherwise));
  if (is_true(condition) || then == otherwise) return then;
  if (is_false(condition)) return otherwise;
  const TermNode& on = nodes_[condition.id];
  if (on.kind == TermKind::inverted) return choice(on.a, otherwise, then);
  if (width(then) == 1) {
    if (is_true(then)) return either(condition, otherwise);
    if (is_false(otherwise)) return both(condition, then);
    if (is_false(then)) return both(negation(condition), otherwise);
    if (is_true(otherwise)) return either(negation(condition), then);
  }
  return intern({TermKind::choice, nodes_[then.id].width, condition, then, otherwise});
}

Term Terms::extend(Term a, unsigned to, bool is_signed) {
  CHECK(to >= width(a) && to <= 64);
  if (to == width(a)) return a;
  const TermNode node{is_signed ? TermKind::signed_extended : TermKind::extended, static_cast<std::uint8_t>(to), a, {}, {}};
  if (!is_constant(a)) return intern(node);
  return constant(to, apply(node, width(a), std::array{nodes_[a.id].value}));
}

Term Terms::extract(Term a, unsigned low, unsigned of_width) {
  CHECK(of_width >= 1 && low + of_width <= width(a));
  if (of_width == width(a)) return a;
  const TermNode& of = nodes_[a.id];
  if (of.kind == TermKind::extended || of.kind == TermKind::signed_extended) {
    const unsigned inner = width(of.a);
    if (low + of_width <= inner) return extract(of.a, low, of_width);
    if (low == 0) return extend(of.a, of_width, of.kind == TermKind::signed_extended);
  }
  const TermNode node{TermKind::extracted, static_cast<std::uint8_t>(of_width), a, {}, {}, low};
  if (!is_constant(a)) return intern(node);
  return constant(of_width, apply(node, of.width, std::array{of.value}));
}

}  // namespace inspect::symbolic
