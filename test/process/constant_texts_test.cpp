#include "process/constant_texts.hpp"

#include <gtest/gtest.h>

#include "subject.hpp"

namespace inspect::process {
namespace {

using test::kSubject;

TEST(ConstantTexts, AWholeTextIsFound) { EXPECT_EQ(find_constant_text(kSubject, "the text of the subject"), TextMatch::whole); }

TEST(ConstantTexts, OfTheEndOfOneNoMoreIsCertain) {
  EXPECT_EQ(find_constant_text(kSubject, "of the subject"), TextMatch::ending);
}

TEST(ConstantTexts, ABeginningIsNone) {
  EXPECT_EQ(find_constant_text(kSubject, "the text of"), TextMatch::none);
  EXPECT_EQ(find_constant_text(kSubject, "the text of another"), TextMatch::none);
}

TEST(ConstantTexts, ADamagedFileHasNone) {
  test::for_each_damaged([](const std::string& path) { (void)find_constant_text(path, "the text of the subject"); });
  EXPECT_EQ(find_constant_text(test::Written("the text of the subject").path(), "the text of the subject"), TextMatch::none);
}

}  // namespace
}  // namespace inspect::process
