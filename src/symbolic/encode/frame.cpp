#include "symbolic/encode/frame.hpp"

#include "base/check.hpp"

namespace inspect::symbolic {

Frame initial_frame(const System& system, Gates& gates) {
  Frame frame;
  for (const Cell& cell : system.cells)
    frame.cells.push_back(cell.is_input ? gates.fresh(cell.width) : gates.constant(cell.width, cell.initial));
  for (const Thread& thread : system.threads) {
    auto& at = frame.at.emplace_back(thread.locations.size(), gates.truth(false));
    at[thread.start] = gates.truth(true);
  }
  return frame;
}

const Bits& TermBits::operator()(Term term) {
  visit_terms(
      system_.terms, term, [&](Term of) { return known_.contains(of.id); },
      [&](Term of) { known_.emplace(of.id, build(system_.terms[of])); });
  return known_.at(term.id);
}

Literal TermBits::hits(const Target& target, std::uint32_t offset) {
  return target.index ? gates_.equal((*this)(*target.index), offset) : gates_.truth(offset == 0);
}

Bits TermBits::build(const TermNode& node) {
  const auto first = static_cast<CellId>(node.value);
  switch (node.kind) {
    case TermKind::constant:
      return gates_.constant(node.width, node.value);
    case TermKind::cell:
      return frame_.cells[first];
    case TermKind::element: {
      std::vector<std::pair<Literal, Bits>> values;
      for (std::uint32_t i = 0; i < node.extent; ++i)
        values.emplace_back(gates_.equal((*this)(node.a), i), frame_.cells[first + i]);
      return gates_.select(values, gates_.constant(node.width, 0));
    }
    case TermKind::inverted:
      return Gates::inverted((*this)(node.a));
    case TermKind::choice: {
      const Bits condition = (*this)(node.a), then = (*this)(node.b), otherwise = (*this)(node.c);
      return gates_.choice(condition[0], then, otherwise);
    }
    case TermKind::extended:
    case TermKind::signed_extended: {
      Bits bits = (*this)(node.a);
      bits.resize(node.width, node.kind == TermKind::extended ? gates_.truth(false) : bits.back());
      return bits;
    }
    case TermKind::extracted: {
      const Bits& of = (*this)(node.a);
      const auto low = of.begin() + static_cast<std::ptrdiff_t>(node.value);
      return {low, low + node.width};
    }
    default:
      return build_binary(node);
  }
}

Bits TermBits::build_binary(const TermNode& node) {
  const Bits a = (*this)(node.a), b = (*this)(node.b);
  const auto each = [&](auto gate) {
    Bits bits(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) bits[i] = gate(a[i], b[i]);
    return bits;
  };
  switch (node.kind) {
    case TermKind::conjunction:
      return each([&](Literal x, Literal y) { return gates_.both(x, y); });
    case TermKind::disjunction:
      return each([&](Literal x, Literal y) { return gates_.either(x, y); });
    case TermKind::difference:
      return each([&](Literal x, Literal y) { return gates_.differs(x, y); });
    case TermKind::sum:
      return gates_.sum(a, b);
    case TermKind::subtraction:
      return gates_.subtraction(a, b);
    case TermKind::product:
      return gates_.product(a, b);
    case TermKind::quotient:
      return gates_.division(a, b).first;
    case TermKind::remainder:
      return gates_.division(a, b).second;
    case TermKind::signed_quotient:
      return gates_.signed_division(a, b).first;
    case TermKind::signed_remainder:
      return gates_.signed_division(a, b).second;
    case TermKind::shift_left:
      return gates_.shift_left(a, b);
    case TermKind::shift_right:
      return gates_.shift_right(a, b, gates_.truth(false));
    case TermKind::signed_shift_right:
      return gates_.shift_right(a, b, a.back());
    case TermKind::equal:
      return {gates_.equal(a, b)};
    case TermKind::less:
      return {gates_.less(a, b)};
    case TermKind::signed_less:
      return {gates_.signed_less(a, b)};
    default:
      CHECK(false, "a term without an encoding");
      return {};
  }
}

}  // namespace inspect::symbolic
