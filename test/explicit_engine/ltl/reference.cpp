#include "reference.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "explicit_engine/ltl/check.hpp"
#include "explicit_engine/ltl/lasso.hpp"
#include "explicit_engine/ltl/normal_form.hpp"
#include "explicit_engine/ltl/translate.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using C = Connective;

Ref random_part(Random& random, Formula& formula, unsigned operators) {
  if (operators == 0) {
    if (random.chance(6)) return formula.pool.make(random.chance(50) ? C::truth : C::falsehood);
    return formula.pool.make(C::proposition, random.below(static_cast<std::uint32_t>(formula.propositions.size())));
  }
  constexpr C kUnary[] = {C::negation, C::eventually, C::always};
  constexpr C kBinary[] = {C::conjunction, C::disjunction, C::implication, C::equivalence,
                           C::until,       C::weak_until,  C::release,     C::strong_release};
  if (random.chance(45)) {
    const C connective = kUnary[random.below(3)];
    return formula.pool.make(connective, random_part(random, formula, operators - 1));
  }
  const C connective = kBinary[random.chance(50) ? 4 + random.below(4) : random.below(8)];
  const unsigned left = random.below(operators);
  const Ref a = random_part(random, formula, left);
  return formula.pool.make(connective, a, random_part(random, formula, operators - 1 - left));
}

class Definition {
 public:
  Definition(const Word& word, const Formula& formula) : word_(word), formula_(formula) {}

  bool at(Ref f, std::size_t i) {
    if (i >= length()) i = word_.prefix.size() + (i - word_.prefix.size()) % word_.cycle.size();
    const auto [known, fresh] = known_.try_emplace({f, i}, false);
    if (fresh) known_[{f, i}] = fresh_at(formula_.pool[f], i);
    return known_[{f, i}];
  }

 private:
  [[nodiscard]] std::size_t length() const { return word_.prefix.size() + word_.cycle.size(); }
  [[nodiscard]] Valuation letter(std::size_t i) const {
    return i < word_.prefix.size() ? word_.prefix[i] : word_.cycle[i - word_.prefix.size()];
  }
  // After so many letters every suffix has come by.
  bool eventually(Ref f, std::size_t from) {
    for (std::size_t j = from; j < from + 2 * length(); ++j)
      if (at(f, j)) return true;
    return false;
  }
  bool always(Ref f, std::size_t from) {
    for (std::size_t j = from; j < from + 2 * length(); ++j)
      if (!at(f, j)) return false;
    return true;
  }
  bool until(Ref a, Ref b, std::size_t from) {
    for (std::size_t j = from; j < from + 2 * length(); ++j) {
      if (at(b, j)) return true;
      if (!at(a, j)) return false;
    }
    return false;
  }
  // b at every j such that a held at no k < j.
  bool release(Ref a, Ref b, std::size_t from) {
    for (std::size_t j = from; j < from + 2 * length(); ++j) {
      if (!at(b, j)) return false;
      if (at(a, j)) return true;
    }
    return true;
  }
  bool fresh_at(const Node& n, std::size_t i) {
    switch (n.connective) {
      case C::truth:
        return true;
      case C::falsehood:
        return false;
      case C::proposition:
        return (letter(i) >> n.left & 1) != 0;
      case C::negation:
        return !at(n.left, i);
      case C::conjunction:
        return at(n.left, i) && at(n.right, i);
      case C::disjunction:
        return at(n.left, i) || at(n.right, i);
      case C::implication:
        return !at(n.left, i) || at(n.right, i);
      case C::equivalence:
        return at(n.left, i) == at(n.right, i);
      case C::eventually:
        return eventually(n.left, i);
      case C::always:
        return always(n.left, i);
      case C::until:
        return until(n.left, n.right, i);
      case C::weak_until:
        return until(n.left, n.right, i) || always(n.left, i);
      case C::release:
        return release(n.left, n.right, i);
      case C::strong_release:
        return release(n.left, n.right, i) && eventually(n.left, i);
    }
    return false;
  }

  const Word& word_;
  const Formula& formula_;
  std::map<std::pair<Ref, std::size_t>, bool> known_;
};

// A run that grows step by step; wherever it comes back to a state it was in, it can be closed.
class Runs {
 public:
  Runs(const TestGraph& graph, std::size_t length, const std::function<bool(const Lasso&)>& visit)
      : graph_(graph), length_(length), visit_(visit) {}

  bool from(std::uint32_t state) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].state != state) continue;
      const auto middle = steps_.begin() + static_cast<std::ptrdiff_t>(i);
      if (visit_({{steps_.begin(), middle}, {middle, steps_.end()}})) return true;
    }
    if (steps_.size() == length_) return false;
    for (std::uint32_t s = 0; s < graph_.all[state].steps.size(); ++s)
      if (take({state, s}, graph_.all[state].steps[s].target)) return true;
    return graph_.all[state].ends && take({state, RunStep::kStutter}, state);
  }

 private:
  bool take(const RunStep& step, std::uint32_t target) {
    steps_.push_back(step);
    const bool found = from(target);
    steps_.pop_back();
    return found;
  }

  const TestGraph& graph_;
  std::size_t length_;
  const std::function<bool(const Lasso&)>& visit_;
  std::vector<RunStep> steps_;
};

}  // namespace

Formula random_formula(Random& random, unsigned propositions, unsigned operators) {
  Formula formula;
  for (unsigned p = 0; p < propositions; ++p) formula.propositions.push_back({"p" + std::to_string(p), std::nullopt, 0});
  formula.root = random_part(random, formula, operators);
  formula.text = to_text(formula, formula.root);
  return formula;
}

Word random_word(Random& random, unsigned propositions) {
  Word word;
  for (unsigned i = random.below(4); i > 0; --i) word.prefix.push_back(random.below(1u << propositions));
  for (unsigned i = 1 + random.below(4); i > 0; --i) word.cycle.push_back(random.below(1u << propositions));
  return word;
}

std::string to_text(const Word& word) {
  std::string text;
  for (const Valuation v : word.prefix) text += std::to_string(v) + ' ';
  text += '(';
  for (const Valuation v : word.cycle) text += ' ' + std::to_string(v);
  return text + " )";
}

bool satisfies(const Word& word, const Formula& formula) { return Definition(word, formula).at(formula.root, 0); }

bool TestGraph::enabled(std::uint32_t state, std::uint32_t thread) const {
  return std::any_of(all[state].steps.begin(), all[state].steps.end(), [&](const Step& s) { return s.thread == thread; });
}

TestGraph random_graph(Random& random, unsigned propositions) {
  TestGraph graph;
  graph.thread_count = 1 + random.below(3);
  graph.all.resize(1 + random.below(4));
  for (TestGraph::State& state : graph.all) {
    state.valuation = random.below(1u << propositions);
    const unsigned steps = random.below(4);
    for (unsigned i = 0; i < steps; ++i)
      state.steps.push_back({random.below(graph.states()), random.below(graph.thread_count)});
    state.ends = steps == 0 && random.chance(80);
  }
  return graph;
}

TestGraph graph_of(const Word& word) {
  TestGraph graph;
  for (const auto* part : {&word.prefix, &word.cycle})
    for (const Valuation letter : *part) graph.all.push_back({letter, {{graph.states() + 1, 0}}, false});
  graph.all.back().steps.front().target = static_cast<std::uint32_t>(word.prefix.size());
  return graph;
}

bool any_run(const TestGraph& graph, std::size_t length, const std::function<bool(const Lasso&)>& visit) {
  return Runs(graph, length, visit).from(0);
}

bool fair_by_definition(const TestGraph& graph, const Lasso& lasso) {
  for (std::uint32_t t = 0; t < graph.thread_count; ++t) {
    bool always_enabled = true, steps = false;
    for (const RunStep& s : lasso.cycle) {
      bool enabled = false;
      for (const Step& other : graph.all[s.state].steps) enabled = enabled || other.thread == t;
      always_enabled = always_enabled && enabled;
      steps = steps || (s.step != RunStep::kStutter && graph.all[s.state].steps[s.step].thread == t);
    }
    if (always_enabled && !steps) return false;
  }
  return true;
}

std::optional<std::string> wrong_about_words(std::uint64_t seed) {
  Random random(seed);
  const unsigned propositions = 1 + random.below(3);
  const Formula formula = random_formula(random, propositions, 1 + random.below(7));
  const Result<Automaton> yes = translate(normal_form(formula, Polarity::as_it_is));
  const Result<Automaton> no = violations(formula);
  if (!yes || !no) return "seed " + std::to_string(seed) + ": too large: " + formula.text;
  for (int i = 0; i < 12; ++i) {
    const Word word = random_word(random, propositions);
    const bool truth = satisfies(word, formula);
    const TestGraph graph = graph_of(word);
    const auto accepted = [&](const Automaton& a) { return find_accepted(graph, a, Fairness::none).value().has_value(); };
    const std::string about = "seed " + std::to_string(seed) + ": " + formula.text + " is " + (truth ? "true" : "false") +
                              " of " + to_text(word) + ", not by ";
    if (holds(formula, word) != truth) return about + "evaluation";
    if (accepted(*yes) != truth) return about + "its automaton\n" + to_text(*yes);
    if (accepted(*no) == truth) return about + "that of its negation\n" + to_text(*no);
  }
  return std::nullopt;
}

std::optional<std::string> wrong_about_graphs(std::uint64_t seed) {
  Random random(seed);
  const unsigned propositions = 1 + random.below(2);
  const TestGraph graph = random_graph(random, propositions);
  const Formula formula = random_formula(random, propositions, 1 + random.below(4));
  const Result<Automaton> automaton = violations(formula);
  if (!automaton) return "seed " + std::to_string(seed) + ": too large: " + formula.text;
  for (const Fairness fairness : {Fairness::none, Fairness::weak}) {
    const auto is_violation = [&](const Lasso& lasso) {
      return !satisfies(word_of(graph, lasso), formula) && (fairness == Fairness::none || fair_by_definition(graph, lasso));
    };
    const std::string about =
        "seed " + std::to_string(seed) + ", " + formula.text + (fairness == Fairness::weak ? ", fair: " : ": ");
    const auto found = find_accepted(graph, *automaton, fairness);
    if (found->has_value()) {
      const Lasso& lasso = **found;
      if (!is_run(graph, lasso) || !is_violation(lasso)) return about + "no violation was found";
      const Lasso shorter = shortened(graph, formula, fairness, lasso);
      if (!is_run(graph, shorter) || !is_violation(shorter)) return about + "shortened to no violation";
      if (shorter.prefix.size() + shorter.cycle.size() > lasso.prefix.size() + lasso.cycle.size()) return about + "grown";
    } else if (any_run(graph, 6, is_violation)) {
      return about + "a violation is missed";
    }
  }
  return std::nullopt;
}

}  // namespace inspect::explicit_engine::ltl
