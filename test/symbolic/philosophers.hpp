// The dining philosophers of the MPOR paper as a transition system. The paper describes them in words: no deadlock, own local
// variables, a shared array of chopsticks, properties pa and pb; that each takes the chopstick of the lower number first is
// ours.
#pragma once
#include <algorithm>
#include <string>

#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

// Thinking and eating as transitions of their own, or as part of the one before (the paper's "important optimization").
enum class LocalSteps { apart, merged };

// Propositions: 0 is pa, all eat at the same time; 1 is pb, all have eaten.
inline System philosophers(unsigned count, LocalSteps local_steps) {
  System s;
  for (unsigned i = 0; i < count; ++i) s.add_cell({"chopstick" + std::to_string(i), 1});
  Term all_eat = Terms::truth(true), all_ate = Terms::truth(true);
  for (unsigned i = 0; i < count; ++i) {
    const CellId eats = s.add_cell({"eats" + std::to_string(i), 1, 0, false, i});
    const CellId ate = s.add_cell({"ate" + std::to_string(i), 1, 0, false, i});
    all_eat = s.terms.both(all_eat, s.read(eats));
    all_ate = s.terms.both(all_ate, s.read(ate));
    const CellId first = std::min(i, (i + 1) % count), second = std::max(i, (i + 1) % count);
    Thread thread{"philosopher" + std::to_string(i), {}};
    const auto then = [&](Transition t, LocationId next) {
      t.branches = {{Terms::truth(true), next}};
      thread.locations.push_back({LocationKind::runs, std::move(t)});
    };
    const auto set = [](CellId cell, bool value) { return Update{{cell}, Terms::truth(value)}; };
    const Term first_free = s.terms.negation(s.read(first)), second_free = s.terms.negation(s.read(second));
    if (local_steps == LocalSteps::apart) {
      then({.what = "think"}, 1);
      then({.guard = first_free, .updates = {set(first, true)}, .what = "take the first"}, 2);
      then({.guard = second_free, .updates = {set(second, true)}, .what = "take the second"}, 3);
      then({.updates = {set(eats, true)}, .what = "eat"}, 4);
      then({.updates = {set(eats, false), set(ate, true)}, .what = "end of the meal"}, 5);
      then({.updates = {set(second, false)}, .what = "put the second down"}, 6);
      then({.updates = {set(first, false)}, .what = "put the first down"}, 0);
    } else {
      then({.guard = first_free, .updates = {set(first, true)}, .what = "take the first"}, 1);
      then({.guard = second_free, .updates = {set(second, true), set(eats, true)}, .what = "take the second, eat"}, 2);
      then({.updates = {set(second, false), set(eats, false), set(ate, true)}, .what = "put the second down"}, 3);
      then({.updates = {set(first, false)}, .what = "put the first down, think"}, 0);
    }
    s.threads.push_back(std::move(thread));
  }
  s.propositions = {{"pa", all_eat}, {"pb", all_ate}};
  return s;
}

}  // namespace inspect::symbolic
