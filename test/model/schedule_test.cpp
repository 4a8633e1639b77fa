#include "model/schedule.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

ScheduleFile example() {
  ScheduleFile file;
  file.program = "bank";
  file.build_id = "0123abcd";
  file.sources = {"bank.c", "my teller.c"};
  file.cflags = {"-DN=3", "-DNAME=\"x y\""};
  file.args = {"", "a\nb", "\x01\\"};
  file.options = {"--visible=sync"};
  file.bug = {"deadlock", "0.1", "bank.c:12:3", "-", "every thread waits"};
  file.steps = {{"0", INSPECT_OP_ThreadStart, "thread 0", "?", ""},
                {"0", INSPECT_OP_ThreadCreate, "thread 0.0", "bank.c:30", ""},
                {"0", INSPECT_OP_ThreadCreate, "thread 0.1", "bank.c:31", ""},
                {"0.1", INSPECT_OP_ThreadCreate, "thread 0.1.0", "bank.c:20", ""},
                {"0.1.0", INSPECT_OP_CondWait, "c", "bank.c:21", ""},
                {"0.0", INSPECT_OP_CondSignal, "c", "bank.c:22", "0.1.0"},
                {"0.0", INSPECT_OP_Choice, "-", "bank.c:23", "2"}};
  return file;
}

std::string error_of(const std::string& text) {
  const auto file = parse_schedule(text);
  return file ? "" : file.error();
}

// The example's text with one line replaced, and a trailer that fits again unless it is the line replaced.
std::string with_line(std::size_t number, const std::string& line) {
  std::string text = format_schedule(example()), out;
  for (std::size_t i = 1, at = 0; at < text.size(); ++i) {
    const auto end = text.find('\n', at);
    out += (i == number ? line : text.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return out;
}

TEST(Schedule, RoundTrip) {
  const std::string text = format_schedule(example());
  const auto file = parse_schedule(text);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(*file, example());
  EXPECT_EQ(format_schedule(*file), text);
}

TEST(Schedule, RoundTripWithoutSources) {
  ScheduleFile plain = example();
  plain.sources.clear();
  plain.cflags.clear();
  plain.args.clear();
  const auto file = parse_schedule(format_schedule(plain));
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(*file, plain);
}

TEST(Schedule, RoundTripWithPoints) {
  ScheduleFile points = example();
  points.points = {{"heap", "0.1", 16, 8}, {"image", "1", 0, 24}};
  const std::string text = format_schedule(points);
  EXPECT_TRUE(text.starts_with("inspect-schedule 2\n"));
  EXPECT_NE(text.find("\npoints heap:0.1:16:8 image:1:0:24\nbug "), std::string::npos);
  const auto file = parse_schedule(text);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(*file, points);
  EXPECT_EQ(format_schedule(*file), text);
}

TEST(Schedule, PointsAreRefusedUnlessWhole) {
  const std::string head = "inspect-schedule 2\nprogram a b\nargs\noptions\n";
  EXPECT_EQ(error_of(head + "bug deadlock 0 ? - x\n"),
            "line 5: expected 'points <region>:<owner>:<offset>:<bytes>...', found 'bug deadlock 0 ? - x'");
  for (const std::string word : {"heap:0.1:16", "heap:0.1:16:0", "heap:1:16:8", "heap:0:016:8", "image:0.1:0:8", "image:-1:0:8",
                                 "heap:0:-8:8", "heap:0:8:8:8", "pile:0:8:8", ":::", "heap:0:18446744073709551616:8"})
    EXPECT_EQ(error_of(head + "points " + word + "\n"), "line 5: expected a point such as heap:0.1:16:8, found '" + word + "'");
  EXPECT_NE(error_of("inspect-schedule 1\nprogram a b\nargs\noptions\npoints heap:0:8:8\n"), "");
}

TEST(Schedule, RoundTripWithACycle) {
  for (const bool points : {false, true}) {
    ScheduleFile cycle = example();
    cycle.cycle = cycle.steps.size();
    if (points) cycle.points = {{"heap", "0.1", 16, 8}};
    const std::string text = format_schedule(cycle);
    EXPECT_TRUE(text.starts_with("inspect-schedule 3\n"));
    EXPECT_NE(text.find("\ncycle " + std::to_string(cycle.steps.size()) + "\nbug "), std::string::npos);
    const auto file = parse_schedule(text);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(*file, cycle);
    cycle.cycle = cycle.steps.size() + 1;
    EXPECT_NE(error_of(format_schedule(cycle)).find("is longer than the schedule"), std::string::npos);
  }
  const std::string head = "inspect-schedule 3\nprogram a b\nargs\noptions\n";
  for (const std::string line : {"cycle", "cycle -1", "cycle x", "cycle 1 2", "bug deadlock 0 ? - x"})
    EXPECT_EQ(error_of(head + line + "\n"), "line 5: expected 'cycle <steps>', found '" + line + "'");
}

TEST(Schedule, IsTheDocumentedText) {
  EXPECT_EQ(format_schedule(example()).substr(0, 200),
            std::string("inspect-schedule 1\n"
                        "program bank 0123abcd\n"
                        "source bank.c \"my teller.c\" cflags -DN=3 \"-DNAME=\\\"x y\\\"\"\n"
                        "args \"\" \"a\\nb\" \"\\x01\\\\\"\n"
                        "options --visible=sync\n"
                        "bug deadlock 0.1 bank.c:12:3 - \"every thread waits\"\n"
                        "0 ThreadStart \"thread 0\" ?\n")
                .substr(0, 200));
}

TEST(Schedule, EveryTruncationIsRefused) {
  const std::string text = format_schedule(example());
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_NE(error_of(text.substr(0, n)), "") << n;
}

TEST(Schedule, EveryChangedByteIsRefused) {
  const std::string text = format_schedule(example());
  for (std::size_t n = 0; n < text.size(); ++n) {
    std::string edited = text;
    edited[n] = edited[n] == 'x' ? 'y' : 'x';
    EXPECT_NE(error_of(edited), "") << n;
  }
}

TEST(Schedule, EveryRemovedOrRepeatedLineIsRefused) {
  const std::string text = format_schedule(example());
  for (std::size_t at = 0; at < text.size();) {
    const auto next = text.find('\n', at) + 1;
    EXPECT_NE(error_of(text.substr(0, at) + text.substr(next)), "");
    EXPECT_NE(error_of(text.substr(0, next) + text.substr(at)), "");
    at = next;
  }
}

TEST(Schedule, ErrorsNameLineAndExpectation) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("\x7f"
                     "ELF\n"),
            "line 1: expected 'inspect-schedule 1' (is it a schedule file?), found '?ELF'");
  EXPECT_EQ(error_of("inspect-schedule 4\n"), "it has format version 4; this inspect reads versions 1 to 3");
  EXPECT_EQ(error_of(with_line(2, "program bank")), "line 2: expected 'program <path> <build id>', found 'program bank'");
  EXPECT_EQ(error_of(with_line(7, "0 Dance m bank.c:1")), "line 7: expected an operation such as MutexLock, found 'Dance'");
  EXPECT_EQ(error_of(with_line(7, "1 MutexLock m bank.c:1")), "line 7: expected a thread such as 0.1 first, found '1'");
  EXPECT_EQ(error_of(with_line(7, "0 MutexLock m bank.c")), "line 7: expected a place <file:line>, found 'bank.c'");
  EXPECT_EQ(error_of(with_line(13, "0.0 Choice - bank.c:23 0")),
            "line 13: expected a choice (a thread woken, or a number from 1), found '0'");
  EXPECT_EQ(error_of("inspect-schedule 1\nprogram a b\n"),
            "line 3: expected 'source …' or 'args …', found the end of the file (it is truncated)");
  const std::string text = format_schedule(example());
  EXPECT_EQ(error_of(text + "0 MutexLock m bank.c:1\n"),
            "line 16: expected the end of the file, found '0 MutexLock m bank.c:1'");
  EXPECT_EQ(error_of(with_line(2, "program bank 0123abce")),
            "line 14: the digest does not match: the file was changed after it was written");
}

TEST(Schedule, ThreadNumbersFollowFromTheOrderOfCreation) {
  const auto choices = choices_of(example().steps);
  ASSERT_TRUE(choices) << choices.error();
  const std::vector<Choice> expected{{0, 0}, {0, 0}, {0, 0}, {2, 0}, {3, 0}, {1, 4}, {1, 2}};
  EXPECT_EQ(*choices, expected);
}

TEST(Schedule, NumbersThatTheProgramGaveAlreadyStay) {
  const auto choices = choices_of(example().steps, {"0", "0.1", "0.7", "0.1.0"});
  ASSERT_TRUE(choices) << choices.error();
  const std::vector<Choice> expected{{0, 0}, {0, 0}, {0, 0}, {1, 0}, {3, 0}, {4, 4}, {4, 2}};
  EXPECT_EQ(*choices, expected);
}

TEST(Schedule, AStepOfAThreadThatDoesNotExistIsNamed) {
  auto steps = example().steps;
  steps.erase(steps.begin() + 3);
  const auto choices = choices_of(steps);
  ASSERT_FALSE(choices);
  EXPECT_EQ(choices.error(), "step 4: thread 0.1.0 does not exist yet there");
}

}  // namespace
}  // namespace inspect
