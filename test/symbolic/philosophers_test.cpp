// The MPOR paper's example: its two properties, at its numbers of steps, and what the interpreter says of them.
#include <gtest/gtest.h>

#include <iostream>

#include "philosophers.hpp"
#include "symbolic/encode/check.hpp"
#include "symbolic/system/dump.hpp"

namespace inspect::symbolic {
namespace {

CheckResult ask(const System& system, std::size_t property, OrderKind order, std::size_t bound) {
  CheckOptions options;
  options.order = order;
  options.bound = bound;
  options.at_once = true;
  options.checks = options.deadlocks = options.races = false;
  options.proposition = property;
  return check(system, options);
}

TEST(Philosophers, AnswersAreThePapers) {
  for (unsigned count = 2; count <= 3; ++count)
    for (const LocalSteps local_steps : {LocalSteps::apart, LocalSteps::merged}) {
      const System system = philosophers(count, local_steps);
      ASSERT_EQ(validate(system), "");
      for (const OrderKind order : {OrderKind::none, OrderKind::ppor, OrderKind::mpor, OrderKind::lex}) {
        EXPECT_EQ(ask(system, 0, order, 7 * count + 1).verdict, CheckVerdict::inconclusive) << count << word_of(order);
        EXPECT_EQ(ask(system, 1, order, 7 * count + 1).verdict, CheckVerdict::bug) << count << word_of(order);
      }
    }
}

// By events thirty are no more trouble than three.
TEST(Philosophers, ByEventsThereMayBeThirty) {
  for (const unsigned count : {2u, 3u, 7u, 30u})
    for (const std::size_t property : {0u, 1u}) {
      const System system = philosophers(count, LocalSteps::merged);
      CheckOptions options;
      options.encoding = EncodingKind::event;
      options.bound = 7;
      options.checks = options.deadlocks = options.races = false;
      options.proposition = property;
      const CheckResult result = check(system, options);
      EXPECT_EQ(result.verdict, property == 0 ? CheckVerdict::inconclusive : CheckVerdict::bug) << count;
      std::cout << count << " philosophers, property " << property << ": " << result.depth << " events, " << result.seconds
                << " s, " << result.conflicts << " conflicts\n";
    }
}

// All have eaten after 5 transitions each, less what the last one leaves out; not before.
TEST(Philosophers, NoneEatsInFewerSteps) {
  const System system = philosophers(2, LocalSteps::apart);
  for (const OrderKind order : {OrderKind::none, OrderKind::ppor, OrderKind::mpor, OrderKind::lex}) {
    EXPECT_EQ(ask(system, 1, order, 11).verdict, CheckVerdict::inconclusive) << word_of(order);
    EXPECT_EQ(ask(system, 1, order, 12).verdict, CheckVerdict::bug) << word_of(order);
  }
}

TEST(Philosophers, ThereIsNoDeadlock) {
  const System system = philosophers(3, LocalSteps::merged);
  CheckOptions options;
  options.bound = 14;
  const CheckResult result = check(system, options);
  EXPECT_EQ(result.verdict, CheckVerdict::inconclusive);
  EXPECT_EQ(result.reason, "executions of more than 14 transitions were not looked at");
}

TEST(Dump, NamesWhatIsReadAndWritten) {
  const std::string text = to_text(philosophers(2, LocalSteps::merged));
  EXPECT_NE(text.find("cell chopstick1: 1 bit = 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("cell eats0: 1 bit = 0, of philosopher0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  1: take the second, eat\n"
                      "      when !chopstick1\n"
                      "      reads | writes: chopstick1 | chopstick1\n"
                      "      chopstick1 := 1\n"
                      "      eats0 := 1\n"
                      "      goto 2\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace inspect::symbolic
