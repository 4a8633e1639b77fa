// Logic gates as clauses, and bit-vector operations made of them: the bit-blaster.
//
// Guarantees: equal gates are one literal; constants are folded. Bits are lowest first. Every operation agrees with apply() of
// system/term.hpp; test/symbolic compares the two.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbolic/solver/sat.hpp"

namespace inspect::symbolic {

using Bits = std::vector<Literal>;

class Gates {
 public:
  explicit Gates(Solver& solver);
  [[nodiscard]] Solver& solver() const { return solver_; }
  [[nodiscard]] Literal truth(bool value) const { return value ? true_ : -true_; }
  [[nodiscard]] bool is_true(Literal l) const { return l == true_; }
  [[nodiscard]] bool is_false(Literal l) const { return l == -true_; }

  // A clause; one that is true is left out, false literals in one are.
  void require(std::vector<Literal> any_of);

  Literal all(std::vector<Literal> of);
  Literal any(std::vector<Literal> of);
  Literal both(Literal a, Literal b) { return all({a, b}); }
  Literal either(Literal a, Literal b) { return any({a, b}); }
  Literal differs(Literal a, Literal b);
  Literal choice(Literal condition, Literal then, Literal otherwise);

  [[nodiscard]] Bits constant(unsigned width, std::uint64_t value) const;
  Bits fresh(unsigned width);
  Bits choice(Literal condition, const Bits& then, const Bits& otherwise);
  // The value whose condition holds, `otherwise` if none does. At most one condition may hold.
  Bits select(const std::vector<std::pair<Literal, Bits>>& values, const Bits& otherwise);
  Literal equal(const Bits& a, const Bits& b);
  Literal equal(const Bits& a, std::uint64_t value);
  Literal less(const Bits& a, const Bits& b);
  Literal signed_less(Bits a, Bits b);
  static Bits inverted(Bits a);
  Bits sum(const Bits& a, const Bits& b, Literal carry);
  Bits sum(const Bits& a, const Bits& b) { return sum(a, b, truth(false)); }
  Bits subtraction(const Bits& a, const Bits& b) { return sum(a, inverted(b), truth(true)); }
  Bits product(const Bits& a, const Bits& b);
  // Quotient and remainder.
  std::pair<Bits, Bits> division(const Bits& a, const Bits& b);
  std::pair<Bits, Bits> signed_division(const Bits& a, const Bits& b);
  Bits shift_left(const Bits& a, const Bits& by);
  Bits shift_right(const Bits& a, const Bits& by, Literal fill);

 private:
  struct Hash {
    std::size_t operator()(const std::vector<int>& key) const;
  };
  enum Kind : int { kAll, kDiffers, kChoice };

  Bits negated_if(Literal condition, const Bits& a);

  Solver& solver_;
  Literal true_;
  std::unordered_map<std::vector<int>, Literal, Hash> known_;
};

}  // namespace inspect::symbolic
