// What temporal checking is compared with: formulas and words at random, truth by the definition, and runs of small graphs one
// by one. Shares nothing with src/explicit_engine/ltl but formulas and graphs as values.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "explicit_engine/ltl/emptiness.hpp"
#include "explicit_engine/ltl/formula.hpp"
#include "explicit_engine/ltl/graph.hpp"
#include "explicit_engine/ltl/word.hpp"

namespace inspect::explicit_engine::ltl {

// With `operators` operators of all kinds over propositions p0, p1, …
Formula random_formula(Random& random, unsigned propositions, unsigned operators);
Word random_word(Random& random, unsigned propositions);
std::string to_text(const Word& word);

// Looks at as many letters as there are different suffixes of the word.
bool satisfies(const Word& word, const Formula& formula);

class TestGraph final : public Graph {
 public:
  struct State {
    Valuation valuation = 0;
    std::vector<Step> steps;
    bool ends = false;
  };
  std::vector<State> all;
  std::uint32_t thread_count = 1;

  [[nodiscard]] std::uint32_t states() const override { return static_cast<std::uint32_t>(all.size()); }
  [[nodiscard]] std::uint32_t threads() const override { return thread_count; }
  [[nodiscard]] std::uint32_t initial() const override { return 0; }
  [[nodiscard]] std::span<const Step> steps(std::uint32_t state) const override { return all[state].steps; }
  [[nodiscard]] Valuation valuation(std::uint32_t state) const override { return all[state].valuation; }
  [[nodiscard]] bool enabled(std::uint32_t state, std::uint32_t thread) const override;
  [[nodiscard]] bool ends(std::uint32_t state) const override { return all[state].ends; }
};

TestGraph random_graph(Random& random, unsigned propositions);
// Its only run has this word.
TestGraph graph_of(const Word& word);

// Every run of at most `length` steps, the cycle's once, until `visit` says true.
bool any_run(const TestGraph& graph, std::size_t length, const std::function<bool(const Lasso&)>& visit);
// By the definition: no thread is enabled in all states of the cycle and never takes a step in it.
bool fair_by_definition(const TestGraph& graph, const Lasso& lasso);

// The formula's automaton against the definition, on words; and violations of the formula by runs of graphs, fair and not,
// against all short runs. Nothing: all agree.
std::optional<std::string> wrong_about_words(std::uint64_t seed);
std::optional<std::string> wrong_about_graphs(std::uint64_t seed);

}  // namespace inspect::explicit_engine::ltl
