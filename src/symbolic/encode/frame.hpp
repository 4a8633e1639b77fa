// A state as literals, and terms read in it.
#pragma once
#include <unordered_map>
#include <vector>

#include "symbolic/solver/gates.hpp"
#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

struct Frame {
  std::vector<Bits> cells;               // by cell
  std::vector<std::vector<Literal>> at;  // by thread and location: exactly one of a thread's holds
};

// The first state: inputs are free.
Frame initial_frame(const System& system, Gates& gates);

// Terms as bits in one frame; each is built once.
class TermBits {
 public:
  TermBits(const System& system, Gates& gates, const Frame& frame) : system_(system), gates_(gates), frame_(frame) {}
  const Bits& operator()(Term term);
  Literal truth(Term term) { return (*this)(term)[0]; }
  // That `target` is its cell number `offset`.
  Literal hits(const Target& target, std::uint32_t offset);

 private:
  // Of a term whose operands are built.
  Bits build(const TermNode& node);
  Bits build_binary(const TermNode& node);

  const System& system_;
  Gates& gates_;
  const Frame& frame_;
  std::unordered_map<std::uint32_t, Bits> known_;
};

}  // namespace inspect::symbolic
