// What the C++ library's own code does with strings, trees and lists is seen where it is done: that code is instrumented too.
// RUN: %cxx -w -std=gnu++17 -O0 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
// RUN: %cxx -w -std=gnu++17 -O1 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
// RUN: %cxx -w -std=gnu++20 -O2 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
#include <inspect/inspect.h>
#include <list>
#include <map>
#include <string>

std::string text = "a string long enough to live on the heap";
std::map<int, int> tree;
std::list<int> list;

int main() {
  inspect_proposition("append", 1);
  text += "!";
  // CHECK: proposition append
  // CHECK: {{write.* at (char_traits|basic_string).*}}
  // CHECK: proposition insert
  inspect_proposition("insert", 1);
  tree[3] = 4;
  // CHECK: write8 at tree.cpp
  // CHECK: proposition push
  inspect_proposition("push", 1);
  list.push_back(5);
  // CHECK: write8 at list.cpp
  // CHECK: proposition end
  inspect_proposition("end", 1);
}
