// The bit-blaster against apply(): the same operation on the same numbers, all widths, without constants to fold.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "symbolic/encode/frame.hpp"
#include "symbolic/system/interpreter.hpp"

namespace inspect::symbolic {
namespace {

constexpr TermKind kBinary[] = {TermKind::conjunction,
                                TermKind::disjunction,
                                TermKind::difference,
                                TermKind::sum,
                                TermKind::subtraction,
                                TermKind::product,
                                TermKind::quotient,
                                TermKind::remainder,
                                TermKind::signed_quotient,
                                TermKind::signed_remainder,
                                TermKind::shift_left,
                                TermKind::shift_right,
                                TermKind::signed_shift_right,
                                TermKind::equal,
                                TermKind::less,
                                TermKind::signed_less};

// A number that is often at an edge.
std::uint64_t number(Random& random, unsigned width) {
  static constexpr std::uint64_t kEdges[] = {0, 1, 2, ~std::uint64_t{0}};
  if (random.chance(30)) return truncated(kEdges[random.below(4)], width);
  if (random.chance(15)) return truncated(std::uint64_t{1} << (width - 1), width);
  if (random.chance(30)) return truncated(random.below(70), width);
  return truncated(random.next(), width);
}

// Two inputs of a width; compares one term's bits with its value.
class Pair {
 public:
  explicit Pair(unsigned width) : gates_(solver_) {
    system_.add_cell({"a", width, 0, true});
    system_.add_cell({"b", width, 0, true});
    frame_ = initial_frame(system_, gates_);
  }
  System& system() { return system_; }
  Term a() { return system_.read(0); }
  Term b() { return system_.read(1); }

  ::testing::AssertionResult agrees(Term term, std::uint64_t a, std::uint64_t b, std::uint64_t expected) {
    TermBits bits(system_, gates_, frame_);
    const Bits result = bits(term);
    std::vector<Literal> given;
    for (std::size_t i = 0; i < frame_.cells[0].size(); ++i) {
      given.push_back(a >> i & 1 ? frame_.cells[0][i] : -frame_.cells[0][i]);
      given.push_back(b >> i & 1 ? frame_.cells[1][i] : -frame_.cells[1][i]);
    }
    const Literal differs = -gates_.equal(result, expected);
    if (solver_.solve(given) != Answer::satisfiable) return ::testing::AssertionFailure() << "no value at all";
    given.push_back(differs);
    if (solver_.solve(given) == Answer::unsatisfiable) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "a " << a << ", b " << b << ", expected " << expected;
  }

 private:
  System system_;
  Solver solver_;
  Gates gates_;
  Frame frame_;
};

TEST(Bits, BinaryOperationsAreThoseOfApply) {
  Random random(1);
  for (const unsigned width : {1u, 2u, 3u, 5u, 7u, 8u, 13u, 16u, 31u, 32u, 63u, 64u})
    for (const TermKind kind : kBinary) {
      Pair pair(width);
      const Term term = pair.system().terms.binary(kind, pair.a(), pair.b());
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t a = number(random, width), b = number(random, width);
        // The constants are folded by apply().
        Terms& terms = pair.system().terms;
        const Term value = terms.binary(kind, terms.constant(width, a), terms.constant(width, b));
        ASSERT_TRUE(pair.agrees(term, a, b, terms[value].value)) << word_of(kind) << ", " << width << " bits";
      }
    }
}

TEST(Bits, WidthsChangeAsApplySays) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const unsigned width = 1 + random.below(64), to = width + random.below(65 - width);
    const unsigned low = random.below(width), part = 1 + random.below(width - low);
    Pair pair(width);
    Terms& terms = pair.system().terms;
    const std::uint64_t a = number(random, width);
    const Term constant = terms.constant(width, a);
    for (const bool is_signed : {false, true})
      ASSERT_TRUE(pair.agrees(terms.extend(pair.a(), to, is_signed), a, 0, terms[terms.extend(constant, to, is_signed)].value));
    ASSERT_TRUE(pair.agrees(terms.extract(pair.a(), low, part), a, 0, terms[terms.extract(constant, low, part)].value));
    ASSERT_TRUE(pair.agrees(terms.unary(TermKind::inverted, pair.a()), a, 0, truncated(~a, width)));
  }
}

// What C computes, where C defines it: apply() itself against the compiler.
TEST(Bits, ApplyIsWhatTheCompilerComputes) {
  Random random(3);
  Terms terms;
  const auto value = [&](TermKind kind, std::uint64_t a, std::uint64_t b) {
    return terms[terms.binary(kind, terms.constant(32, a), terms.constant(32, b))].value;
  };
  for (int i = 0; i < 2000; ++i) {
    const auto a = static_cast<std::uint32_t>(number(random, 32)), b = static_cast<std::uint32_t>(number(random, 32));
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    EXPECT_EQ(value(TermKind::sum, a, b), std::uint32_t{a + b});
    EXPECT_EQ(value(TermKind::subtraction, a, b), std::uint32_t{a - b});
    EXPECT_EQ(value(TermKind::product, a, b), std::uint32_t{a * b});
    EXPECT_EQ(value(TermKind::less, a, b), a < b);
    EXPECT_EQ(value(TermKind::signed_less, a, b), sa < sb);
    if (b != 0) {
      EXPECT_EQ(value(TermKind::quotient, a, b), a / b);
      EXPECT_EQ(value(TermKind::remainder, a, b), a % b);
    }
    if (b != 0 && !(sa == std::numeric_limits<std::int32_t>::min() && sb == -1)) {
      EXPECT_EQ(value(TermKind::signed_quotient, a, b), static_cast<std::uint32_t>(sa / sb));
      EXPECT_EQ(value(TermKind::signed_remainder, a, b), static_cast<std::uint32_t>(sa % sb));
    }
    if (b < 32) {
      EXPECT_EQ(value(TermKind::shift_left, a, b), std::uint32_t{a << b});
      EXPECT_EQ(value(TermKind::shift_right, a, b), a >> b);
      EXPECT_EQ(value(TermKind::signed_shift_right, a, b), static_cast<std::uint32_t>(sa >> b));
    }
  }
}

TEST(Bits, AnIndexBeyondTheLastElementIsNone) {
  System s;
  for (int i = 0; i < 3; ++i) s.add_cell({"x" + std::to_string(i), 8, static_cast<std::uint64_t>(10 + i)});
  s.add_cell({"index", 8, 0, true});
  Solver solver;
  Gates gates(solver);
  const Frame frame = initial_frame(s, gates);
  TermBits bits(s, gates, frame);
  const Term element = s.terms.element(0, 3, s.read(3), 8);
  const Literal wrong =
      gates.any({gates.both(gates.equal(frame.cells[3], 2), -gates.equal(bits(element), 12)),
                 gates.both(-gates.less(frame.cells[3], gates.constant(8, 3)), -gates.equal(bits(element), 0))});
  EXPECT_EQ(solver.solve(std::vector{wrong}), Answer::unsatisfiable);
  EXPECT_EQ(solver.solve(), Answer::satisfiable);
}

// A million operations, each on the one before: deeper than the stack of whoever would call itself for each.
TEST(Bits, TermsMayBeAMillionDeep) {
  constexpr std::uint64_t kDepth = 1'000'000;
  System s;
  s.add_cell({"x", 1, 0, true});
  const CellId sum = s.add_cell({"sum", 32, 0, true});
  Term deep_sum = s.read(sum), deep_bit = s.read(0);
  for (std::uint64_t i = 0; i < kDepth; ++i) {
    deep_sum = s.terms.binary(TermKind::sum, deep_sum, s.terms.constant(32, 1 + i % 3));
    deep_bit = s.terms.negation(s.terms.both(deep_bit, s.read(0)));
  }
  Thread thread{"t", {}};
  Transition t;
  t.guard = deep_bit;
  t.updates = {{{sum}, deep_sum}};
  t.branches = {{Terms::truth(true), 1}};
  thread.locations = {{LocationKind::runs, t}, {LocationKind::ended, {}}};
  s.threads = {thread};
  EXPECT_EQ(validate(s), "");
  const Interpreter interpreter(s);
  State state = interpreter.start({1, 7});
  // An even number of negations of a bit that is one.
  ASSERT_TRUE(interpreter.enabled(state, 0));
  interpreter.take(state, 0);
  EXPECT_EQ(state.values[sum], 7 + 2 * (kDepth - 1) + 1);

  Solver solver;
  Gates gates(solver);
  const Frame frame = initial_frame(s, gates);
  TermBits bits(s, gates, frame);
  const Literal holds = bits.truth(deep_bit);
  EXPECT_EQ(solver.solve(std::vector{frame.cells[0][0], holds}), Answer::satisfiable);
}

}  // namespace
}  // namespace inspect::symbolic
