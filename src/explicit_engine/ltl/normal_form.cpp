#include "explicit_engine/ltl/normal_form.hpp"

#include <optional>

#include "explicit_engine/ltl/mutation.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using C = Connective;

// Makes formulas in normal form from formulas in normal form. F a is true U a, G a is false R a.
class Maker {
 public:
  explicit Maker(Pool& pool) : pool_(pool), truth_(pool.make(C::truth)), falsehood_(pool.make(C::falsehood)) {}

  [[nodiscard]] Ref constant(bool value) const { return value ? truth_ : falsehood_; }
  Ref literal(Ref proposition, bool value) {
    const Ref positive = pool_.make(C::proposition, proposition);
    return value ? positive : pool_.make(C::negation, positive);
  }
  Ref conjunction(Ref a, Ref b) { return lattice(C::conjunction, a, b, truth_, falsehood_); }
  Ref disjunction(Ref a, Ref b) { return lattice(C::disjunction, a, b, falsehood_, truth_); }

  Ref until(Ref a, Ref b) {
    if (is_constant(b) || a == falsehood_ || a == b) return b;
    const Node right = pool_[b];
    // What stays true once it is reached, or what is put off already: F F b, F G F b, a U (a U b), F(a U b).
    if (right.connective == C::until && (right.left == a || a == truth_)) return until(a, right.right);
    if (a == truth_ && is_always_eventually(b)) return b;
    return pool_.make(C::until, a, b);
  }
  Ref release(Ref a, Ref b) {
    if (is_constant(b) || a == truth_ || a == b) return b;
    const Node right = pool_[b];
    if (right.connective == C::release && (right.left == a || a == falsehood_)) return release(a, right.right);
    if (a == falsehood_ && is_eventually_always(b)) return b;
    return pool_.make(C::release, a, b);
  }

 private:
  [[nodiscard]] bool is_constant(Ref f) const { return f == truth_ || f == falsehood_; }
  [[nodiscard]] bool is(Ref f, C connective, Ref left) const {
    return pool_[f].connective == connective && pool_[f].left == left;
  }
  [[nodiscard]] bool is_always_eventually(Ref f) const {
    return is(f, C::release, falsehood_) && is(pool_[f].right, C::until, truth_);
  }
  [[nodiscard]] bool is_eventually_always(Ref f) const {
    return is(f, C::until, truth_) && is(pool_[f].right, C::release, falsehood_);
  }
  [[nodiscard]] bool contradict(Ref a, Ref b) const {
    return (pool_[a].connective == C::negation && pool_[a].left == b) ||
           (pool_[b].connective == C::negation && pool_[b].left == a);
  }
  Ref lattice(C connective, Ref a, Ref b, Ref neutral, Ref absorbing) {
    if (a == neutral || a == b) return b;
    if (b == neutral) return a;
    if (a == absorbing || b == absorbing || contradict(a, b)) return absorbing;
    return a < b ? pool_.make(connective, a, b) : pool_.make(connective, b, a);
  }

  Pool& pool_;
  Ref truth_, falsehood_;
};

class Normaliser {
 public:
  Normaliser(const Pool& from, Pool& to) : from_(from), make_(to), done_(from.size()) {}

  Ref normal(Ref f, bool value) {
    std::optional<Ref>& known = done_[f][value];
    if (!known) {
      const Ref made = fresh(from_[f], value);
      known = made;
    }
    return *known;
  }

 private:
  // The formula if `value`, else its negation.
  Ref fresh(const Node& node, bool value) {
    const auto left = [&](bool v) { return normal(node.left, v); };
    const auto right = [&](bool v) { return normal(node.right, v); };
    const Ref always = make_.constant(false), ever = make_.constant(true);
    switch (node.connective) {
      case C::truth:
        return make_.constant(value);
      case C::falsehood:
        return make_.constant(!value);
      case C::proposition:
        return make_.literal(node.left, value);
      case C::negation:
        return left(!value);
      case C::conjunction:
        return both(value, left(value), right(value));
      case C::disjunction:
        return both(!value, left(value), right(value));
      case C::implication:
        return both(!value, left(!value), right(value));
      case C::equivalence:
        return make_.disjunction(make_.conjunction(left(true), right(value)), make_.conjunction(left(false), right(!value)));
      case C::eventually:
        return value ? make_.until(ever, left(true)) : make_.release(always, left(false));
      case C::always:
        return value ? make_.release(always, left(true)) : make_.until(ever, left(false));
      case C::until:
        if (value || mutated(Mutation::dual_of_until)) return make_.until(left(value), right(value));
        return make_.release(left(false), right(false));
      case C::release:
        return value ? make_.release(left(true), right(true)) : make_.until(left(false), right(false));
      case C::weak_until:  // a W b is b R (a || b)
        return value ? make_.release(right(true), make_.disjunction(left(true), right(true)))
                     : make_.until(right(false), make_.conjunction(left(false), right(false)));
      case C::strong_release:  // a M b is b U (a && b)
        return value ? make_.until(right(true), make_.conjunction(left(true), right(true)))
                     : make_.release(right(false), make_.disjunction(left(false), right(false)));
    }
    return make_.constant(false);
  }
  Ref both(bool value, Ref a, Ref b) { return value ? make_.conjunction(a, b) : make_.disjunction(a, b); }

  const Pool& from_;
  Maker make_;
  struct Known {
    std::optional<Ref> negated, as_it_is;
    std::optional<Ref>& operator[](bool value) { return value ? as_it_is : negated; }
  };
  std::vector<Known> done_;
};

}  // namespace

Formula normal_form(const Formula& formula, Polarity polarity) {
  Formula result{formula.text, {}, 0, formula.propositions};
  result.root = Normaliser(formula.pool, result.pool).normal(formula.root, polarity == Polarity::as_it_is);
  return result;
}

}  // namespace inspect::explicit_engine::ltl
