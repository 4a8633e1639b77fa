// Terms: expressions over the cells of a transition system, as bit-vectors of 1 to 64 bits.
//
// Guarantees: equal terms have equal numbers (hash-consing), so that a term is compared and remembered by its number; constants
// are folded by the same apply() that the interpreter uses. Every operation has a value for every argument: division by zero
// and shifts by the width and more are as in SMT-LIB. What C leaves undefined is for whoever builds the terms to check
// beforehand.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace inspect::symbolic {

using CellId = std::uint32_t;

struct Term {
  std::uint32_t id = 0;
  friend bool operator==(Term, Term) = default;
  friend auto operator<=>(Term, Term) = default;
};

enum class TermKind : std::uint8_t {
  constant,     // value
  cell,         // what cell number `value` holds
  element,      // what cell number `value` + a holds, a < extent; 0 otherwise
  inverted,     // every bit of a
  conjunction,  // bitwise and, or, exclusive or of a and b
  disjunction,
  difference,
  sum,  // modulo 2^width
  subtraction,
  product,
  quotient,          // unsigned; all ones if b is 0
  remainder,         // unsigned; a if b is 0
  signed_quotient,   // towards zero
  signed_remainder,  // with the sign of a
  shift_left,
  shift_right,         // zeros move in
  signed_shift_right,  // copies of the highest bit move in
  equal,               // one bit
  less,                // one bit; unsigned
  signed_less,
  choice,    // a ? b : c
  extended,  // a with zeros above
  signed_extended,
  extracted,  // `width` bits of a from bit `value` on
};

struct TermNode {
  TermKind kind;
  std::uint8_t width;  // in bits
  Term a, b, c;
  std::uint64_t value = 0;
  std::uint32_t extent = 0;  // of an element: how many cells there are
  friend auto operator<=>(const TermNode&, const TermNode&) = default;
};

// The lowest `width` bits of `value`.
constexpr std::uint64_t truncated(std::uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}
constexpr std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

// How many operands a term of this kind has: a, then b, then c.
unsigned operand_count(TermKind kind);
const char* word_of(TermKind kind);
// The value of a node that is neither cell nor element, given those of its operands; `width_of_a` is that of operand a.
std::uint64_t apply(const TermNode& node, unsigned width_of_a, std::span<const std::uint64_t> operands);

class Terms {
 public:
  Terms();
  [[nodiscard]] const TermNode& operator[](Term t) const { return nodes_[t.id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] unsigned width(Term t) const { return nodes_[t.id].width; }
  [[nodiscard]] bool is_constant(Term t) const { return nodes_[t.id].kind == TermKind::constant; }
  [[nodiscard]] bool is_true(Term t) const { return t == truth(true); }
  [[nodiscard]] bool is_false(Term t) const { return t == truth(false); }
  [[nodiscard]] static Term truth(bool value) { return {value ? 1u : 0u}; }

  Term constant(unsigned width, std::uint64_t value);
  Term cell(CellId cell, unsigned width);
  Term element(CellId first, std::uint32_t extent, Term index, unsigned width);
  Term unary(TermKind kind, Term a);
  Term binary(TermKind kind, Term a, Term b);
  Term choice(Term condition, Term then, Term otherwise);
  Term extend(Term a, unsigned width, bool is_signed);
  Term extract(Term a, unsigned low, unsigned width);
  // Of one bit.
  Term negation(Term a) { return unary(TermKind::inverted, a); }
  Term both(Term a, Term b) { return binary(TermKind::conjunction, a, b); }
  Term either(Term a, Term b) { return binary(TermKind::disjunction, a, b); }
  Term equal(Term a, Term b) { return binary(TermKind::equal, a, b); }
  Term equal(Term a, std::uint64_t value) { return equal(a, constant(width(a), value)); }

 private:
  Term intern(const TermNode& node);
  [[nodiscard]] bool are_opposite(Term a, Term b) const {
    return (nodes_[a.id].kind == TermKind::inverted && nodes_[a.id].a == b) ||
           (nodes_[b.id].kind == TermKind::inverted && nodes_[b.id].a == a);
  }
  [[nodiscard]] Term simplified_binary(const TermNode& node);

  std::vector<TermNode> nodes_;
  std::map<TermNode, Term> known_;
};

// Calls visit(t) for `root` and all terms that it is made of, operands first; not for those that is_known(t), nor for what only
// they are made of. After its visit a term is known. Loops that were unrolled make terms deeper than any stack.
template <class IsKnown, class Visit>
void visit_terms(const Terms& terms, Term root, const IsKnown& is_known, const Visit& visit) {
  std::vector<Term> open{root};
  while (!open.empty()) {
    const Term t = open.back();
    if (is_known(t)) {
      open.pop_back();
      continue;
    }
    const TermNode& node = terms[t];
    const unsigned count = operand_count(node.kind);
    const std::size_t before = open.size();
    if (count > 0 && !is_known(node.a)) open.push_back(node.a);
    if (count > 1 && !is_known(node.b)) open.push_back(node.b);
    if (count > 2 && !is_known(node.c)) open.push_back(node.c);
    if (open.size() > before) continue;
    open.pop_back();
    visit(t);
  }
}

}  // namespace inspect::symbolic
