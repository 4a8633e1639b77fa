#include "explicit_engine/ltl/parser.hpp"

#include <gtest/gtest.h>

#include "explicit_engine/ltl/word.hpp"
#include "reference.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

// As it is written out again.
std::string read(std::string_view text) {
  const Result<Formula> formula = parse(text);
  return formula ? to_text(*formula, formula->root) : "error: " + formula.error();
}

TEST(Parser, WordsOfBothTools) {
  EXPECT_EQ(read("[](p -> <>q)"), "G (p -> F q)");
  EXPECT_EQ(read("G(p=>F q)"), "G (p -> F q)");
  EXPECT_EQ(read("p V q"), "p R q");
  EXPECT_EQ(read("~p /\\ q \\/ r"), "!p && q || r");
  EXPECT_EQ(read("p & q | r <=> 1"), "p && q || r <-> true");
  EXPECT_EQ(read("GF p"), "G F p");
  EXPECT_EQ(read("FGFp"), "FGFp");  // a name
  EXPECT_EQ(read("[]<>p && <>[]q"), "G F p && F G q");
}

TEST(Parser, Binding) {
  EXPECT_EQ(read("p || q && r U s"), "p || q && r U s");
  EXPECT_EQ(read("(p || q) && r"), "(p || q) && r");
  EXPECT_EQ(read("!p U q"), "!p U q");
  EXPECT_EQ(read("!(p U q)"), "!(p U q)");
  EXPECT_EQ(read("G p U q"), "G p U q");
  EXPECT_EQ(read("(p U q) U r"), "(p U q) U r");
  EXPECT_EQ(read("(p -> q) -> r"), "(p -> q) -> r");
  EXPECT_EQ(read("p <-> q <-> r"), "p <-> q <-> r");
  EXPECT_EQ(read("p && q && r && s && t"), "p && q && r && s && t");
}

TEST(Parser, Comparisons) {
  EXPECT_EQ(read("G (turn==1 -> F done)"), "G (turn == 1 -> F done)");
  EXPECT_EQ(read("!turn == -1"), "!turn == -1");
  EXPECT_EQ(read("x<-1 && y>=2"), "x < -1 && y >= 2");
  EXPECT_EQ(read("x<->y"), "x <-> y");
  EXPECT_EQ(read("x<=>y"), "x <-> y");
  EXPECT_EQ(read("a.b[3].c != 0 || n::s::x > 5"), "a.b[3].c != 0 || n::s::x > 5");
  const Formula formula = *parse("x == 1 && x == 1 && x == 2 && x");
  EXPECT_EQ(formula.propositions.size(), 3u);
  EXPECT_TRUE((Comparison{Comparison::Kind::at_most, 3}.holds(3)));
  EXPECT_FALSE((Comparison{Comparison::Kind::less, 3}.holds(3)));
}

TEST(Parser, NamesThatAreWords) {
  EXPECT_EQ(read("G \"G\""), "G \"G\"");
  EXPECT_EQ(read("\"X\" U \"true\""), "\"X\" U \"true\"");
  EXPECT_EQ(read("\"GF\""), "\"GF\"");
  EXPECT_EQ(read("\"größer\" && Xp && trueish && _U"), "\"größer\" && Xp && trueish && _U");
}

TEST(Parser, NextIsRefusedWithAReason) {
  for (const char* const text : {"X p", "G X p", "p U (X q)", "GX p", "XX p", "X", "p X q"})
    EXPECT_NE(read(text).find("X (next) is not offered"), std::string::npos) << text;
  EXPECT_NE(read("p && X q").find("\n  p && X q\n       ^"), std::string::npos) << read("p && X q");
}

TEST(Parser, ErrorsMarkTheirPlace) {
  const struct {
    const char *text, *message;
  } kRows[] = {
      {"", "the formula is empty"},
      {" \t", "the formula is empty"},
      {"p &&", "something is missing at the end\n  p &&\n      ^"},
      {"(p", "this parenthesis is never closed\n  (p\n  ^"},
      {"p)", "this parenthesis closes none\n  p)\n   ^"},
      {"()", ") is not expected here\n  ()\n   ^"},
      {"p q", "an operator is missing before q\n  p q\n    ^"},
      {"GF", "something is missing at the end\n  GF\n    ^"},
      {"&& p", "an operand is missing before &&\n  && p\n  ^"},
      {"p U U q", "an operand is missing before U\n  p U U q\n      ^"},
      {"p = 1", "= is no operator: == compares\n  p = 1\n    ^"},
      {"x == ", "something is missing at the end\n  x == \n       ^"},
      {"x == y", "a number is expected here\n  x == y\n       ^"},
      {"1 == x", "the name comes first in a comparison: x == 2\n  1 == x\n  ^"},
      {"2", "a number says nothing by itself"},
      {"1x", "this is neither a number nor a name"},
      {"x == 99999999999999999999", "this number has more than 64 bits"},
      {"\"p", "this quotation mark has no other\n  \"p\n  ^"},
      {"\"\"", "a proposition without a name"},
      {"é && p", "names of other letters stand between quotation marks\n  é && p\n  ^"},
      {"\"é\" p", "an operator is missing before p\n  \"é\" p\n      ^"},
      {"p U q U r",
       "parentheses are needed here: SPIN groups such operators to the left, spot to the right\n  p U q U r\n        ^"},
      {"p -> q -> r", "parentheses are needed here"},
      {"p -> q <-> r", "parentheses are needed here"},
      {"p U q R r", "parentheses are needed here"},
      {"p @ q", "@ is not expected here"},
      {"a[", "[ is not expected here"},
      {"a.", ". is not expected here"},
  };
  for (const auto& row : kRows)
    EXPECT_NE(read(row.text).find(row.message), std::string::npos) << row.text << ": " << read(row.text);
  EXPECT_EQ(read(std::string_view("p\0q", 3)).find("error: "), 0u);
  EXPECT_EQ(read("p \x1b[31m").find('\x1b'), std::string::npos);
  EXPECT_EQ(read("p \xff").find('\xff'), std::string::npos);
}

TEST(Parser, LongAndDeepFormulas) {
  std::string chain = "p0";
  for (int i = 1; i < 5000; ++i) chain += " && p" + std::to_string(i % 60);
  EXPECT_TRUE(parse(chain).ok());
  EXPECT_NE(read(std::string(kLongestFormula + 1, 'p')).find("longer than"), std::string::npos);
  EXPECT_NE(read(std::string(60000, '(')).find("nested deeper"), std::string::npos);
  EXPECT_NE(read(std::string(60000, '!') + "p").find("nested deeper"), std::string::npos);
  EXPECT_TRUE(parse(std::string(400, '(') + "p" + std::string(400, ')')).ok());
  std::string many = "q0";
  for (int i = 1; i < 65; ++i) many += " || q" + std::to_string(i);
  EXPECT_NE(read(many).find("more than 64 different propositions"), std::string::npos);
}

TEST(Parser, WhatIsWrittenOutIsReadAsTheSame) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const Formula formula = random_formula(random, 3, 1 + random.below(12));
    const Result<Formula> again = parse(formula.text);
    ASSERT_TRUE(again.ok()) << formula.text << ": " << again.error();
    ASSERT_EQ(to_text(*again, again->root), formula.text);
    // Propositions are numbered as they come in the text.
    Word word = random_word(random, 3), renamed = word;
    for (auto [from, to] : {std::pair{&word.prefix, &renamed.prefix}, {&word.cycle, &renamed.cycle}}) {
      for (std::size_t i = 0; i < from->size(); ++i) {
        (*to)[i] = 0;
        for (std::size_t p = 0; p < again->propositions.size(); ++p)
          (*to)[i] |= ((*from)[i] >> (again->propositions[p].name[1] - '0') & 1) << p;
      }
    }
    ASSERT_EQ(holds(formula, word), holds(*again, renamed)) << formula.text;
  }
}

}  // namespace
}  // namespace inspect::explicit_engine::ltl
