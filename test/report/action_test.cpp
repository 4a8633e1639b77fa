#include "report/action.hpp"

#include <gtest/gtest.h>

#include "executions.hpp"

namespace inspect::report {
namespace {

TEST(Action, ValuesAreSignedAndOutcomesNamed) {
  const TableNames names;
  EXPECT_EQ(value_text(0, 0xffffffff, 4, names), "-1");
  EXPECT_EQ(value_text(0, 0xffffffffffffffff, 8, names), "-1");
  EXPECT_EQ(value_text(0, 200, 1, names), "-56");
  EXPECT_EQ(value_text(0, kX, 8, names), std::to_string(kX));
  EXPECT_EQ(value_text(0, 0x100000000000, 8, names), "0x100000000000");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_PlainWrite, kX, 1), 0, 7, names), "write x = 7");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_PlainRead, kX, 1), 7, 0, names), "read x: 7");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicRmw, kX, 1), 1, 2, names), "atomic read-modify-write x: 1 -> 2");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicCas, kX, 1, INSPECT_FLAG_FAILED), 1, 2, names),
            "compare-exchange x: 1, fails");
  EXPECT_EQ(memory_text(operation(INSPECT_OP_AtomicLoad, 0x99, 1), 1, 0, names), "atomic load p->x: 1");
  const auto trylock = operation(INSPECT_OP_MutexTryLock, kA, 1, INSPECT_FLAG_FAILED);
  EXPECT_EQ(action_text(event(0, trylock, {}, {}), names), "pthread_mutex_trylock(a) fails");
  auto signal = event(0, operation(INSPECT_OP_CondSignal, kX, 1), {}, {});
  EXPECT_EQ(action_text(signal, names), "pthread_cond_signal(x) wakes nobody");
  signal.choice.alternative = 2;
  EXPECT_EQ(action_text(signal, names), "pthread_cond_signal(x) wakes thread 0.0");
}

TEST(Action, ShortFunctionsHaveNoResultsAndNoArguments) {
  EXPECT_EQ(short_function("void std::call_once<main::$_0::operator()(std::stop_token) const::{lambda()#1}>(std::once_flag&)"),
            "std::call_once");
  EXPECT_EQ(short_function("main::$_0::operator()(std::stop_token) const"), "main::$_0::operator()");
  EXPECT_EQ(short_function("bool std::operator< <int>(std::pair<int, int> const&)"), "std::operator< <int>");
  EXPECT_EQ(short_function("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(short_function("std::vector<int, A<(B)1> >::push_back(int&&)"), "std::vector::push_back");
  EXPECT_EQ(short_function("Widget::area() const"), "Widget::area");
  EXPECT_EQ(short_function("std::sort<int*, S<&A::operator<> >(int*)"), "std::sort");
}

TEST(Action, CallsOnFilesAreNoFailures) {
  const TableNames names;
  const auto open = operation(INSPECT_OP_FileRead, kA, 1, INSPECT_FLAG_FAILED);  // it changed nothing
  EXPECT_EQ(action_text(event(0, open, {}, {}), names), "read of a file: a");
}

}  // namespace
}  // namespace inspect::report
