#include "process/symbols.hpp"

#include <gtest/gtest.h>

#include "subject.hpp"

namespace inspect::process {
namespace {

using test::kSubject;
using test::offset_of;

TEST(Symbols, ObjectsAreNamedAsTheUserWroteThem) {
  const SymbolTable table = SymbolTable::read(kSubject);
  const std::uint64_t accounts = offset_of("_ZN7subject8accountsE"), counter = offset_of("_ZN7subject7counterE");
  EXPECT_EQ(table.object_at(counter), "subject::counter");
  EXPECT_EQ(table.object_at(accounts), "subject::accounts");
  EXPECT_EQ(table.object_at(accounts + 24), "subject::accounts[+24]");
}

TEST(Symbols, WhatLiesBehindAnObjectIsNotNamedAfterIt) {
  const SymbolTable table = SymbolTable::read(kSubject);
  EXPECT_EQ(table.object_at(0), "");
  EXPECT_NE(table.object_at(offset_of("_ZN7subject8accountsE") + 48), "subject::accounts[+48]");
}

TEST(Symbols, FunctionsKeepTheLinkersNames) {
  const SymbolTable table = SymbolTable::read(kSubject);
  const std::uint64_t add = offset_of("_ZN7subject3addEi");
  EXPECT_EQ(table.function_at(add), "_ZN7subject3addEi");
  EXPECT_EQ(table.function_at(add + 1), "_ZN7subject3addEi");
  EXPECT_EQ(table.object_at(add), "");
  EXPECT_EQ(demangled(table.function_at(add)), "subject::add(int)");
}

TEST(Symbols, OnlyWhatNobodyWritesIsConstant) {
  const SymbolTable table = SymbolTable::read(kSubject);
  EXPECT_TRUE(table.is_constant(offset_of("subject_text")));
  EXPECT_FALSE(table.is_constant(offset_of("_ZN7subject7counterE")));
  EXPECT_FALSE(table.is_constant(offset_of("_ZN7subject3addEi")));
}

TEST(Symbols, OtherNamesStayAsTheyAre) {
  EXPECT_EQ(demangled("a"), "a");
  EXPECT_EQ(demangled("_Z"), "_Z");
  EXPECT_EQ(demangled("_ZN4PoolD2Ev"), "Pool::~Pool()");
}

TEST(Symbols, ASectionComesAsItIs) {
  EXPECT_EQ(section_of(kSubject, ".inspect_types").substr(0, 6), "one\t3\t");
  EXPECT_EQ(section_of(kSubject, ".no_such_section"), "");
  EXPECT_EQ(section_of("/dev/null", ".text"), "");
}

TEST(Symbols, ADamagedFileIsNoError) {
  test::for_each_damaged([](const std::string& path) {
    const SymbolTable table = SymbolTable::read(path);
    (void)table.object_at(offset_of("_ZN7subject7counterE"));
    (void)section_of(path, ".inspect_types");
  });
  EXPECT_EQ(SymbolTable::read("/dev/null").object_at(1), "");
  EXPECT_EQ(SymbolTable::read(testing::TempDir() + "/missing").function_at(1), "");
}

}  // namespace
}  // namespace inspect::process
