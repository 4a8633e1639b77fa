#include "explicit_engine/ltl/automaton.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "explicit_engine/ltl/components.hpp"
#include "explicit_engine/ltl/mutation.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using States = std::vector<std::vector<Transition>>;

struct Parts {
  std::vector<std::uint32_t> component;  // by state; those that cannot be reached are in none
  std::vector<bool> accepting;           // by component
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
};

Parts parts_of(const Automaton& automaton) {
  Parts parts;
  parts.component.assign(automaton.states.size(), Parts::kNone);
  const auto successors = [&](std::uint32_t state, std::vector<std::uint32_t>& targets) {
    for (const Transition& t : automaton.states[state]) targets.push_back(t.target);
  };
  const auto complete = [&](std::span<const std::uint32_t> component) {
    const std::uint32_t number = static_cast<std::uint32_t>(parts.accepting.size());
    for (const std::uint32_t state : component) parts.component[state] = number;
    bool cycle = false;
    Marks marks = 0;
    for (const std::uint32_t state : component) {
      for (const Transition& t : automaton.states[state]) {
        if (parts.component[t.target] != number) continue;
        cycle = true;
        marks |= t.marks;
      }
    }
    parts.accepting.push_back(cycle && marks == automaton.all_marks());
    return true;
  };
  Components(successors, complete).search_from(automaton.initial);
  return parts;
}

// Only states that lead to an accepting component stay, and only transitions inside one bear marks: the others are taken
// finitely often by every run that is accepted.
Automaton trimmed(const Automaton& automaton) {
  const Parts parts = parts_of(automaton);
  std::vector<bool> useful(parts.accepting);  // by component; those that it leads to have smaller numbers
  std::vector<std::vector<std::uint32_t>> members(useful.size());
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s)
    if (parts.component[s] != Parts::kNone) members[parts.component[s]].push_back(s);
  for (std::size_t c = 0; c < members.size(); ++c)
    for (const std::uint32_t s : members[c])
      for (const Transition& t : automaton.states[s]) useful[c] = useful[c] || useful[parts.component[t.target]];

  Automaton result{{}, 0, automaton.marks};
  std::vector<std::uint32_t> number(automaton.states.size(), Parts::kNone);
  const auto stays = [&](std::uint32_t s) { return parts.component[s] != Parts::kNone && useful[parts.component[s]]; };
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    if (!stays(s)) continue;
    number[s] = static_cast<std::uint32_t>(result.states.size());
    result.states.emplace_back();
  }
  if (result.states.empty() || !stays(automaton.initial)) return {{}, 0, automaton.marks};
  result.initial = number[automaton.initial];
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    if (!stays(s)) continue;
    for (Transition t : automaton.states[s]) {
      if (!stays(t.target)) continue;
      const std::uint32_t own = parts.component[s];
      if (parts.component[t.target] != own || !parts.accepting[own]) t.marks = 0;
      t.target = number[t.target];
      result.states[number[s]].push_back(t);
    }
  }
  return result;
}

void drop_repeated(std::vector<Transition>& transitions) {
  std::sort(transitions.begin(), transitions.end());
  transitions.erase(std::unique(transitions.begin(), transitions.end()), transitions.end());
}

// The coarsest bisimulation: states are apart as soon as their transitions differ in what they read, bear, or lead to.
Automaton merged(const Automaton& automaton) {
  if (automaton.states.empty()) return automaton;
  std::vector<std::uint32_t> block(automaton.states.size(), 0);
  std::size_t blocks = 1;
  for (;;) {
    std::map<std::pair<std::uint32_t, std::vector<Transition>>, std::uint32_t> numbers;
    std::vector<std::uint32_t> next(block.size());
    for (std::size_t s = 0; s < block.size(); ++s) {
      std::vector<Transition> seen = automaton.states[s];
      for (Transition& t : seen) {
        t.target = block[t.target];
        if (mutated(Mutation::marks_once)) t.marks = 0;
      }
      drop_repeated(seen);
      next[s] = numbers.try_emplace({block[s], std::move(seen)}, static_cast<std::uint32_t>(numbers.size())).first->second;
    }
    block = std::move(next);
    if (numbers.size() == blocks) break;
    blocks = numbers.size();
  }
  Automaton result{States(blocks), block[automaton.initial], automaton.marks};
  for (std::size_t s = 0; s < block.size(); ++s) {
    std::vector<Transition>& transitions = result.states[block[s]];
    if (!transitions.empty()) continue;  // those of another state of the block, which are the same
    transitions = automaton.states[s];
    for (Transition& t : transitions) t.target = block[t.target];
    drop_repeated(transitions);
  }
  return result;
}

// Of two transitions to the same state the one goes that reads less and bears no more.
void drop_dominated(Automaton& automaton) {
  for (std::vector<Transition>& transitions : automaton.states) {
    std::vector<Transition> kept;
    const auto stands_for = [](const Transition& a, const Transition& b) {
      return a.target == b.target && (a.must & ~b.must) == 0 && (a.must_not & ~b.must_not) == 0 && (b.marks & ~a.marks) == 0;
    };
    if (transitions.size() > 2000) continue;  // only a matter of size
    for (const Transition& t : transitions) {
      if (std::any_of(kept.begin(), kept.end(), [&](const Transition& k) { return stands_for(k, t); })) continue;
      std::erase_if(kept, [&](const Transition& k) { return stands_for(t, k); });
      kept.push_back(t);
    }
    transitions = std::move(kept);
  }
}

std::size_t size_of(const Automaton& automaton) {
  std::size_t size = automaton.states.size();
  for (const auto& transitions : automaton.states) size += transitions.size();
  return size;
}

}  // namespace

Automaton reduced(Automaton automaton) {
  for (std::size_t before = size_of(automaton) + 1; !automaton.states.empty() && size_of(automaton) < before;) {
    before = size_of(automaton);
    automaton = merged(trimmed(automaton));
    drop_dominated(automaton);
  }
  return automaton;
}

std::string to_text(const Automaton& automaton) {
  std::string text = "initial " + std::to_string(automaton.initial) + ", marks " + std::to_string(automaton.marks) + '\n';
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    for (const Transition& t : automaton.states[s]) {
      text += std::to_string(s) + " ->";
      for (std::size_t p = 0; p < kMostPropositions; ++p) {
        if (t.must >> p & 1) text += " p" + std::to_string(p);
        if (t.must_not >> p & 1) text += " !p" + std::to_string(p);
      }
      text += " -> " + std::to_string(t.target) + " marks " + std::to_string(t.marks) + '\n';
    }
  }
  return text;
}

}  // namespace inspect::explicit_engine::ltl
