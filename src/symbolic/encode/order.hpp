// Scheduler constraints: which of the equivalent orders of transitions are left to the solver.
//
// Two executions are equivalent (Mazurkiewicz) if one becomes the other by swapping neighbours that are independent.
// Guarantees:
//   none  every execution
//   ppor  at least one of each class: two neighbours stand in the order of their threads' numbers unless they are dependent
//   mpor  exactly one: Kahlon, Wang and Gupta, Monotonic Partial Order Reduction (CAV 2009): the quasi-monotonic one
//   lex   exactly one: the one in which no transition could have come right before an independent run of later-numbered ones
// mpor and lex choose different ones, so at most one may be applied. A constraint of a step speaks of this step and those
// before, so that what was chosen of a class's executions is chosen of its beginnings too: every reachable state stays
// reachable, in as many steps. docs/algorithms.md has the argument. Deliberately unknown here: systems; a step is who is
// scheduled, and footprints.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "symbolic/solver/gates.hpp"

namespace inspect::symbolic {

enum class OrderKind : std::uint8_t { none, ppor, mpor, lex };
const char* word_of(OrderKind kind);
std::optional<OrderKind> order_of(std::string_view word);

// What a transition touches: one literal for each cell that threads contend for.
struct FootprintBits {
  std::vector<Literal> reads, writes;
};

// One step: whose transition is taken, and what each thread's pending one touches. At most one thread is scheduled.
struct Step {
  std::vector<Literal> scheduled;
  std::vector<FootprintBits> pending;
};

class Order {
 public:
  Order(Gates& gates, OrderKind kind, std::size_t threads, std::size_t cells);
  // Adds the clauses of the next step.
  void constrain(const Step& step);

 private:
  struct None {};
  struct Peephole {
    std::vector<Literal> scheduled;  // in the step before; empty in the first
    FootprintBits taken;             // its transition
  };
  struct Monotonic {
    std::vector<FootprintBits> last;           // by thread: its last transition
    std::vector<Literal> done;                 // by thread: it has taken one
    std::vector<std::vector<Literal>> chains;  // [j][i]: a dependency chain leads from j's last transition to i's last
  };
  struct Lexicographic {
    std::vector<Literal> asleep;  // by thread
  };

  [[nodiscard]] FootprintBits nothing() const;
  Literal conflict(const FootprintBits& a, const FootprintBits& b);
  FootprintBits taken(const Step& step);
  Literal some_later(const std::vector<Literal>& scheduled, std::size_t thread);
  void constrain(None&, const Step&) {}
  void constrain(Peephole& state, const Step& step);
  void constrain(Monotonic& state, const Step& step);
  void constrain(Lexicographic& state, const Step& step);
  std::vector<std::vector<Literal>> reaches(const Monotonic& state, const Step& step);
  void extend_chains(Monotonic& state, const Step& step, const std::vector<std::vector<Literal>>& reach);

  Gates& gates_;
  std::size_t threads_, cells_;
  std::variant<None, Peephole, Monotonic, Lexicographic> state_;
};

}  // namespace inspect::symbolic
