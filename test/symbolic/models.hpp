// All models of a step encoding, and what is wrong with them by the classes of an enumeration.
#pragma once
#include <string>

#include "symbolic/encode/unrolling.hpp"
#include "tiny_program.hpp"

namespace inspect::symbolic::tiny {

struct Census {
  std::size_t models = 0, impossible = 0, missed = 0, repeated = 0;
  // Empty if `order` keeps what it promises.
  [[nodiscard]] std::string wrong(OrderKind order) const {
    if (impossible) return std::to_string(impossible) + " models are no executions";
    if (missed) return std::to_string(missed) + " classes are missed";
    if (repeated && (order == OrderKind::mpor || order == OrderKind::lex))
      return std::to_string(repeated) + " classes have several models";
    return "";
  }
};

inline Census take_census(const Program& program, const Enumeration& truth, std::size_t length, OrderKind order) {
  const System system = to_system(program);
  Unrolling unrolling(system, order);
  for (std::size_t k = 0; k < length; ++k) unrolling.add_step();
  std::vector<std::size_t> times(truth.classes);
  Census census;
  while (unrolling.solver().solve() == Answer::satisfiable) {
    const auto inputs = unrolling.inputs_in_model();
    const auto schedule = unrolling.schedule_in_model();
    std::vector<Literal> other;
    for (std::size_t k = 0; k < schedule.size(); ++k) other.push_back(-unrolling.scheduled(k)[schedule[k]]);
    if (program.has_input)
      for (std::size_t i = 0; i < kWidth; ++i)
        other.push_back(inputs[0] >> i & 1 ? -unrolling.first().cells[0][i] : unrolling.first().cells[0][i]);
    unrolling.gates().require(other);
    ++census.models;
    const auto it = truth.class_of.find({inputs.empty() ? 0 : inputs[0], schedule});
    if (it == truth.class_of.end())
      ++census.impossible;
    else
      ++times[it->second];
  }
  for (const std::size_t n : times) {
    census.missed += n == 0;
    census.repeated += n > 1;
  }
  return census;
}

inline constexpr std::size_t kMostExecutions = 400;

// How many transitions of a program are looked at: all of most, a part of some.
inline std::size_t length_for(const Program& program, std::uint64_t seed) {
  std::size_t total = 0;
  for (const auto& thread : program.threads) total += thread.size();
  Random random(seed * 7919);
  return random.chance(60) ? total : 1 + random.below(static_cast<std::uint32_t>(total));
}

}  // namespace inspect::symbolic::tiny
