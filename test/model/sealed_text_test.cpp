#include "model/sealed_text.hpp"

#include <gtest/gtest.h>

namespace inspect {
namespace {

TEST(SealedText, QuoteAndSplit) {
  const std::vector<std::string> words{"", " ", "\"", "\\", "plain", "tab\t", "new\nline", "\x1b", "umläut"};
  const auto back = split_words(quote_words(words));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, words);
  for (const char* bad : {"\"open", "\"x\"y", "\"\\q\"", "\"\\x1\"", "a ", "\"\\"}) EXPECT_FALSE(split_words(bad)) << bad;
}

}  // namespace
}  // namespace inspect
