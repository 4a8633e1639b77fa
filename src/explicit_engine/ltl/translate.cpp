#include "explicit_engine/ltl/translate.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "base/check.hpp"
#include "explicit_engine/ltl/mutation.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using C = Connective;
using Set = std::vector<Ref>;  // sorted

// A transition of the alternating automaton, or a product of some: what is read, and all that must hold afterwards.
struct Move {
  Valuation must = 0, must_not = 0;
  Set next;
  auto operator<=>(const Move&) const = default;
};
using Moves = std::vector<Move>;

bool contains(const Set& larger, const Set& smaller) {
  return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
}
bool has(const Set& set, Ref f) { return std::binary_search(set.begin(), set.end(), f); }
// Whatever is read by `b` is read by `a`.
bool reads_more(const Move& a, const Move& b) { return (a.must & ~b.must) == 0 && (a.must_not & ~b.must_not) == 0; }

void drop_repeated(Moves& moves) {
  std::sort(moves.begin(), moves.end());
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
}

// Those go for which another reads as much and asks for no more. `prefers(a, b)`: a may stand for b.
template <class Item, class Prefers>
void drop_dominated(std::vector<Item>& items, Prefers prefers) {
  std::vector<Item> kept;
  for (Item& item : items) {
    if (std::any_of(kept.begin(), kept.end(), [&](const Item& k) { return prefers(k, item); })) continue;
    std::erase_if(kept, [&](const Item& k) { return prefers(item, k); });
    kept.push_back(std::move(item));
  }
  items = std::move(kept);
}

class Translation {
 public:
  explicit Translation(const Formula& formula) : pool_(formula.pool), root_(formula.root), moves_(formula.pool.size()) {}

  Result<Automaton> run() {
    collect_untils();
    if (untils_.size() > kMostMarks) return too_large();
    number({root_});
    for (std::uint32_t state = 0; state < sets_.size(); ++state) {
      if (!expand(state)) return too_large();
    }
    automaton_.marks = static_cast<unsigned>(untils_.size());
    return reduced(std::move(automaton_));
  }

 private:
  static Error too_large() {
    return {"the automaton of the formula has more than " + std::to_string(kMostTransitions) + " transitions or " +
            std::to_string(kMostMarks) + " conditions: check its parts one by one"};
  }

  void collect_untils() {
    std::vector<bool> seen(pool_.size());
    std::vector<Ref> open{root_};
    while (!open.empty()) {
      const Ref f = open.back();
      open.pop_back();
      if (seen[f]) continue;
      seen[f] = true;
      const Node& node = pool_[f];
      if (node.connective == C::until) untils_.push_back(f);
      if (is_binary(node.connective)) open.insert(open.end(), {node.left, node.right});
    }
  }

  std::uint32_t number(const Set& set) {
    const auto [at, fresh] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) {
      sets_.push_back(set);
      automaton_.states.emplace_back();
    }
    return at->second;
  }

  // Products of moves; nothing: too many.
  std::optional<Moves> product(const Moves& a, const Moves& b) {
    Moves all;
    for (const Move& x : a) {
      for (const Move& y : b) {
        Move both{x.must | y.must, x.must_not | y.must_not, {}};
        if (both.must & both.must_not) continue;
        std::set_union(x.next.begin(), x.next.end(), y.next.begin(), y.next.end(), std::back_inserter(both.next));
        all.push_back(std::move(both));
        if (all.size() > kMostTransitions) return std::nullopt;
      }
    }
    drop_repeated(all);
    return all;
  }

  // The moves of the alternating automaton from one formula. Those that others dominate can go here: the automaton is very
  // weak, and to owe less is never worse for it.
  const std::optional<Moves>& moves_of(Ref f) {
    std::optional<std::optional<Moves>>& known = moves_[f];
    if (known) return *known;
    std::optional<Moves> fresh = fresh_moves(f);
    if (fresh && fresh->size() > 2000) fresh = std::nullopt;  // the comparison of all with all would take too long
    if (fresh) {
      drop_repeated(*fresh);
      drop_dominated(*fresh, [](const Move& a, const Move& b) { return reads_more(a, b) && contains(b.next, a.next); });
    }
    known = std::move(fresh);
    return *known;
  }

  std::optional<Moves> fresh_moves(Ref f) {
    const Node node = pool_[f];
    switch (node.connective) {
      case C::truth:
        return Moves{{}};
      case C::falsehood:
        return Moves{};
      case C::proposition:
        return Moves{{Valuation{1} << node.left, 0, {}}};
      case C::negation:
        return Moves{{0, Valuation{1} << pool_[node.left].left, {}}};
      case C::conjunction:
        return combined(moves_of(node.left), moves_of(node.right));
      case C::disjunction:
        return united(moves_of(node.left), moves_of(node.right));
      case C::until: {  // b, or a and the same again
        if (mutated(Mutation::until_without_left)) return united(moves_of(node.right), Moves{{0, 0, {f}}});
        return united(moves_of(node.right), combined(moves_of(node.left), Moves{{0, 0, {f}}}));
      }
      case C::release: {  // b, and a or the same again
        if (mutated(Mutation::release_lets_go)) return combined(moves_of(node.right), united(moves_of(node.left), Moves{{}}));
        return combined(moves_of(node.right), united(moves_of(node.left), Moves{{0, 0, {f}}}));
      }
      case C::implication:
      case C::equivalence:
      case C::eventually:
      case C::always:
      case C::weak_until:
      case C::strong_release:
        break;
    }
    CHECK(false, "a formula that is not in normal form");
    return std::nullopt;
  }

  std::optional<Moves> combined(const std::optional<Moves>& a, const std::optional<Moves>& b) {
    return a && b ? product(*a, *b) : std::nullopt;
  }
  static std::optional<Moves> united(const std::optional<Moves>& a, const std::optional<Moves>& b) {
    if (!a || !b) return std::nullopt;
    Moves all = *a;
    all.insert(all.end(), b->begin(), b->end());
    return all;
  }

  struct Step {
    Move move;
    Marks marks = 0;
  };

  // False: too large.
  bool expand(std::uint32_t state) {
    std::optional<Moves> moves = Moves{{}};
    for (const Ref f : Set(sets_[state])) {
      moves = combined(moves, moves_of(f));
      if (!moves) return false;
    }
    std::vector<Step> steps;
    for (Move& move : *moves) {
      const Marks marks = marks_of(move);
      steps.push_back({std::move(move), marks});
    }
    // Here a mark counts: who owes less may accept less.
    const auto prefers = [](const Step& a, const Step& b) {
      return (b.marks & ~a.marks) == 0 && reads_more(a.move, b.move) && contains(b.move.next, a.move.next);
    };
    if (steps.size() <= 2000) drop_dominated(steps, prefers);
    transitions_ += steps.size();
    if (transitions_ > kMostTransitions) return false;
    for (const Step& step : steps) {
      const std::uint32_t target = number(step.move.next);
      automaton_.states[state].push_back({step.move.must, step.move.must_not, target, step.marks});
    }
    return true;
  }

  // The untils that are not put off by this move, or could have been fulfilled without its owing or reading anything more.
  Marks marks_of(const Move& move) {
    Marks marks = 0;
    for (std::size_t i = 0; i < untils_.size(); ++i) {
      const Ref f = untils_[i];
      bool marked = !has(move.next, f) || mutated(Mutation::until_may_wait_for_ever);
      if (!marked) {
        const std::optional<Moves>& own = moves_of(f);
        CHECK(own.has_value());
        marked = std::any_of(own->begin(), own->end(), [&](const Move& m) {
          const bool owed = contains(move.next, m.next) || mutated(Mutation::fulfilled_for_nothing);
          return reads_more(m, move) && !has(m.next, f) && owed;
        });
      }
      if (marked) marks |= Marks{1} << i;
    }
    return marks;
  }

  const Pool& pool_;
  Ref root_;
  std::vector<std::optional<std::optional<Moves>>> moves_;  // by formula; inner nothing: too many
  std::vector<Ref> untils_;
  std::map<Set, std::uint32_t> numbers_;
  std::vector<Set> sets_;
  Automaton automaton_;
  std::size_t transitions_ = 0;
};

}  // namespace

Result<Automaton> translate(const Formula& formula) { return Translation(formula).run(); }

}  // namespace inspect::explicit_engine::ltl
