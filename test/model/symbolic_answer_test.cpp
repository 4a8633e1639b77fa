#include "model/symbolic_answer.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

SymbolicAnswer parsed(const std::string& text, std::optional<SymbolicFigures>& progress) {
  SymbolicAnswer answer;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_FALSE(take_line(std::string_view(text).substr(begin, end - begin), answer, progress))
        << text.substr(begin, end - begin);
  return answer;
}

TEST(SymbolicAnswer, SurvivesItsLines) {
  SymbolicAnswer answer;
  answer.verdict = "bug";
  answer.reason = "a \"reason\"\nof two lines";
  answer.bug = SymbolicBug{"assertion", "assertion failed", "folder with blanks/a.c:7"};
  answer.steps = {{"0", "create thread1", "a.c:3", ""}, {"0.0", "signal", "", "0.1"}};
  answer.inputs = {{"0.0", "x", "__VERIFIER_nondet_int", "a.c:4", 1, 32, 0xffffffff, 0},
                   {"0", "", "inspect_nondet", "", 0, 32, 3, 10}};
  answer.uninitialised = {"x at a.c:2"};
  answer.assumptions = {"sequential consistency"};
  answer.transitions = "cell x\n\n  0: start\n";
  answer.encoding = "event";
  answer.figures = {4, 17, 3, 20, 1000, 5000, 12, 1.5};
  std::optional<SymbolicFigures> progress;
  const SymbolicAnswer again = parsed(dump_lines(answer.transitions) + answer_lines(answer), progress);
  EXPECT_FALSE(progress);
  EXPECT_TRUE(again.is_whole);
  answer.is_whole = true;
  EXPECT_EQ(again, answer);
}

TEST(SymbolicAnswer, ProgressIsNoAnswer) {
  const SymbolicFigures figures{2, 5, 3, 9, 10, 20, 7, 0.25};
  std::optional<SymbolicFigures> progress;
  EXPECT_EQ(parsed(progress_line(figures), progress), SymbolicAnswer{});
  EXPECT_EQ(progress, figures);
}

TEST(SymbolicAnswer, WhatIsCutIsNotWhole) {
  SymbolicAnswer answer;
  answer.verdict = "verified";
  const std::string text = answer_lines(answer);
  std::optional<SymbolicFigures> progress;
  EXPECT_FALSE(parsed(text.substr(0, text.rfind("end")), progress).is_whole);
}

TEST(SymbolicAnswer, RefusesOtherLines) {
  for (const char* const line : {"", "verdict", "verdict verified", "step 0 lock", "figures 1 2 3", "input 0 x f p 1 65 0 0",
                                 "input 0 x f p 1 8 -1 0", "what", "\"open", "end end", "progress 1 2 3 4 5 6 7 x"}) {
    SymbolicAnswer answer;
    std::optional<SymbolicFigures> progress;
    EXPECT_TRUE(take_line(line, answer, progress)) << line;
  }
  SymbolicAnswer whole;
  std::optional<SymbolicFigures> progress;
  EXPECT_FALSE(take_line("end", whole, progress));
  EXPECT_TRUE(take_line("verdict verified \"\"", whole, progress)) << "after the end";
}

}  // namespace
}  // namespace inspect
