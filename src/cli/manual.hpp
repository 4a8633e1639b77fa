// Manual pages, written from the tables of options: for man(1), in the macros of man(7).
//
// Guarantees: one page for each program and command; every option of the tables is in one, with the words of its usage text.
#pragma once
#include <string>
#include <vector>

namespace inspect::cli {

struct Document {
  std::string name;  // of the file
  std::string text;
};

std::vector<Document> manual_pages(const std::string& version);

}  // namespace inspect::cli
