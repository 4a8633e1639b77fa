#include "symbolic/encode/order.hpp"

#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

const char* word_of(OrderKind kind) {
  switch (kind) {
    case OrderKind::none:
      return "none";
    case OrderKind::ppor:
      return "ppor";
    case OrderKind::mpor:
      return "mpor";
    case OrderKind::lex:
      return "lex";
  }
  return "?";
}

std::optional<OrderKind> order_of(std::string_view word) {
  for (const OrderKind kind : {OrderKind::none, OrderKind::ppor, OrderKind::mpor, OrderKind::lex})
    if (word == word_of(kind)) return kind;
  return std::nullopt;
}

Order::Order(Gates& gates, OrderKind kind, std::size_t threads, std::size_t cells)
    : gates_(gates), threads_(threads), cells_(cells) {
  const std::vector<Literal> no_thread(threads, gates.truth(false));
  switch (kind) {
    case OrderKind::none:
      break;
    case OrderKind::ppor:
      state_ = Peephole{{}, nothing()};
      break;
    case OrderKind::mpor:
      state_ = Monotonic{std::vector(threads, nothing()), no_thread, std::vector(threads, no_thread)};
      break;
    case OrderKind::lex:
      state_ = Lexicographic{no_thread};
      break;
  }
}

void Order::constrain(const Step& step) {
  std::visit([&](auto& state) { constrain(state, step); }, state_);
}

FootprintBits Order::nothing() const {
  const std::vector<Literal> none(cells_, gates_.truth(false));
  return {none, none};
}

Literal Order::conflict(const FootprintBits& a, const FootprintBits& b) {
  std::vector<Literal> ways;
  for (std::size_t c = 0; c < cells_; ++c) {
    ways.push_back(gates_.both(a.writes[c], gates_.either(b.reads[c], b.writes[c])));
    ways.push_back(gates_.both(a.reads[c], b.writes[c]));
  }
  return gates_.any(std::move(ways));
}

FootprintBits Order::taken(const Step& step) {
  FootprintBits all = nothing();
  for (std::size_t c = 0; c < cells_; ++c) {
    std::vector<Literal> reads, writes;
    for (std::size_t t = 0; t < threads_; ++t) {
      reads.push_back(gates_.both(step.scheduled[t], step.pending[t].reads[c]));
      writes.push_back(gates_.both(step.scheduled[t], step.pending[t].writes[c]));
    }
    all.reads[c] = gates_.any(std::move(reads));
    all.writes[c] = gates_.any(std::move(writes));
  }
  return all;
}

Literal Order::some_later(const std::vector<Literal>& scheduled, std::size_t thread) {
  return gates_.any({scheduled.begin() + static_cast<std::ptrdiff_t>(thread) + 1, scheduled.end()});
}

void Order::constrain(Peephole& state, const Step& step) {
  if (!state.scheduled.empty())
    for (std::size_t i = 0; i + 1 < threads_; ++i) {
      const Literal dependent =
          mutated(Mutation::neighbours_never_depend) ? gates_.truth(false) : conflict(state.taken, step.pending[i]);
      gates_.require({-step.scheduled[i], -some_later(state.scheduled, i), dependent});
    }
  state = {step.scheduled, taken(step)};
}

// [j][i]: a chain leads from j's last transition to i's pending one: through the last transition of some l that the latter
// depends on. A thread's own transitions are dependent.
std::vector<std::vector<Literal>> Order::reaches(const Monotonic& state, const Step& step) {
  std::vector<std::vector<Literal>> reach = state.chains;
  if (mutated(Mutation::chains_off_diagonal)) return reach;
  for (std::size_t i = 0; i < threads_; ++i) {
    std::vector<Literal> depends(threads_);  // by l: i's pending transition on l's last one
    for (std::size_t l = 0; l < threads_; ++l)
      depends[l] = l == i ? gates_.truth(true) : conflict(state.last[l], step.pending[i]);
    for (std::size_t j = 0; j < threads_; ++j) {
      std::vector<Literal> ways;
      for (std::size_t l = 0; l < threads_; ++l)
        if (!mutated(Mutation::chains_do_not_pass) || l == j || l == i)
          ways.push_back(gates_.both(state.chains[j][l], depends[l]));
      reach[j][i] = gates_.any(std::move(ways));
    }
  }
  return reach;
}

void Order::extend_chains(Monotonic& state, const Step& step, const std::vector<std::vector<Literal>>& reach) {
  for (std::size_t j = 0; j < threads_; ++j)
    for (std::size_t i = 0; i < threads_; ++i) {
      Literal& chain = state.chains[j][i];
      const Literal extended = gates_.either(chain, gates_.both(step.scheduled[i], reach[j][i]));
      chain = i == j ? gates_.either(chain, step.scheduled[j]) : gates_.both(-step.scheduled[j], extended);
    }
  for (std::size_t t = 0; t < threads_; ++t) {
    state.done[t] = gates_.either(state.done[t], step.scheduled[t]);
    state.last[t].reads = gates_.choice(step.scheduled[t], step.pending[t].reads, state.last[t].reads);
    state.last[t].writes = gates_.choice(step.scheduled[t], step.pending[t].writes, state.last[t].writes);
  }
}

void Order::constrain(Monotonic& state, const Step& step) {
  const auto reach = reaches(state, step);
  const auto before = state.chains;
  const auto done = state.done;
  extend_chains(state, step, reach);
  for (std::size_t i = 0; i < threads_; ++i)
    for (std::size_t j = i + 1; j < threads_; ++j) {
      std::vector<Literal> allowed{-step.scheduled[i], -done[j], reach[j][i]};
      if (!mutated(Mutation::no_excuse))
        for (std::size_t l = 0; l < i; ++l) allowed.push_back(before[j][l]);
      gates_.require(std::move(allowed));
    }
}

void Order::constrain(Lexicographic& state, const Step& step) {
  const FootprintBits now = taken(step);
  for (std::size_t i = 0; i < threads_; ++i) {
    gates_.require({-step.scheduled[i], -state.asleep[i]});
    const Literal woken = mutated(Mutation::sleepers_never_wake) ? gates_.truth(false) : conflict(now, step.pending[i]);
    const Literal passed = mutated(Mutation::nobody_falls_asleep) ? gates_.truth(false) : some_later(step.scheduled, i);
    state.asleep[i] = gates_.all({-step.scheduled[i], -woken, gates_.either(state.asleep[i], passed)});
  }
}

}  // namespace inspect::symbolic
