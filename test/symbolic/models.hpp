// All models of a step encoding, and what is wrong with them by the classes of an enumeration.
#pragma once
#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/encode/events.hpp"
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

// By input: what the cells hold, then where threads are.
using States = std::set<std::pair<std::uint64_t, std::vector<std::uint64_t>>>;

// All states that the interpreter can reach, of a program without loops.
inline States reachable_states(const Program& program) {
  const TinyInterpreter interpreter(program);
  States states;
  for (std::uint64_t input = 0; input < (program.has_input ? 1u << kWidth : 1u); ++input) {
    std::vector<TinyState> open{interpreter.start(input)};
    while (!open.empty()) {
      const TinyState state = std::move(open.back());
      open.pop_back();
      std::vector<std::uint64_t> key = state.cells;
      key.insert(key.end(), state.at.begin(), state.at.end());
      if (!states.insert({input, key}).second) continue;
      for (std::size_t t = 0; t < program.threads.size(); ++t)
        if (interpreter.enabled(state, t)) interpreter.take(open.emplace_back(state), t);
    }
  }
  return states;
}

// The last states of all models of the event encoding.
inline States states_by_events(const Program& program, std::size_t ordered_at_once) {
  const System system = to_system(program);
  std::size_t most = 0;
  for (const Thread& t : system.threads) most = std::max(most, longest_path(t).value_or(0));
  Events events(system, {.transitions = most, .ordered_at_once = ordered_at_once});
  States states;
  while (events.solve({}) == Answer::satisfiable) {
    std::vector<Literal> other;
    const auto number = [&](const Bits& bits) {
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const bool is_one = events.solver().value(bits[i]);
        value |= std::uint64_t{is_one} << i;
        other.push_back(is_one ? -bits[i] : bits[i]);
      }
      return value;
    };
    const std::uint64_t input = program.has_input ? number(events.first().cells[0]) : 0;
    std::vector<std::uint64_t> key;
    for (const Bits& cell : events.last().cells) key.push_back(number(cell));
    for (const auto& at : events.last().at) {
      const std::uint64_t where = number(at);
      key.push_back(static_cast<std::uint64_t>(std::countr_zero(where)));
    }
    states.insert({input, key});
    events.gates().require(std::move(other));
  }
  return states;
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
