#include "explicit_engine/ltl/word.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using C = Connective;
using Truth = std::vector<bool>;  // by position

class Evaluation {
 public:
  Evaluation(const Formula& formula, const Word& word)
      : formula_(formula), letters_(word.prefix), loop_(word.prefix.size()), known_(formula.pool.size()) {
    letters_.insert(letters_.end(), word.cycle.begin(), word.cycle.end());
  }

  bool run() {
    // Operands come before what is made of them.
    for (Ref f = 0; f <= formula_.root; ++f) known_[f] = truth_of(formula_.pool[f]);
    return known_[formula_.root][0];
  }

 private:
  template <class At>
  Truth each(At at) const {
    Truth truth(letters_.size());
    for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = at(i);
    return truth;
  }

  // value(i) = now(i) || (goes_on(i) && value(i + 1)), the least or the greatest solution. The cycle is walked through twice:
  // what its first letter has after one walk is what its last one waits for.
  template <class Now, class GoesOn>
  Truth solve(bool greatest, Now now, GoesOn goes_on) const {
    Truth truth(letters_.size(), greatest);
    for (int walk = 0; walk < 2; ++walk) {
      bool next = truth[loop_];
      for (std::size_t i = letters_.size(); i-- > 0;) truth[i] = next = now(i) || (goes_on(i) && next);
    }
    return truth;
  }

  [[nodiscard]] Truth truth_of(const Node& node) const {
    const auto a = [&](std::size_t i) -> bool { return known_[node.left][i]; };
    const auto b = [&](std::size_t i) -> bool { return known_[node.right][i]; };
    const auto always = [](std::size_t) { return true; };
    const auto never = [](std::size_t) { return false; };
    const auto both = [&](std::size_t i) { return a(i) && b(i); };
    switch (node.connective) {
      case C::truth:
        return each(always);
      case C::falsehood:
        return each(never);
      case C::proposition:
        return each([&](std::size_t i) { return (letters_[i] >> node.left & 1) != 0; });
      case C::negation:
        return each([&](std::size_t i) { return !a(i); });
      case C::conjunction:
        return each(both);
      case C::disjunction:
        return each([&](std::size_t i) { return a(i) || b(i); });
      case C::implication:
        return each([&](std::size_t i) { return !a(i) || b(i); });
      case C::equivalence:
        return each([&](std::size_t i) { return a(i) == b(i); });
      case C::eventually:
        return solve(false, a, always);
      case C::always:
        return solve(true, never, a);
      case C::until:
        return solve(false, b, a);
      case C::weak_until:
        return solve(true, b, a);
      case C::release:
        return solve(true, both, b);
      case C::strong_release:
        return solve(false, both, b);
    }
    return {};
  }

  const Formula& formula_;
  std::vector<Valuation> letters_;
  std::size_t loop_;
  std::vector<Truth> known_;
};

}  // namespace

bool holds(const Formula& formula, const Word& word) { return Evaluation(formula, word).run(); }

Word word_of(const Graph& graph, const Lasso& lasso) {
  Word word;
  for (const RunStep& step : lasso.prefix) word.prefix.push_back(graph.valuation(step.state));
  for (const RunStep& step : lasso.cycle) word.cycle.push_back(graph.valuation(step.state));
  return word;
}

}  // namespace inspect::explicit_engine::ltl
