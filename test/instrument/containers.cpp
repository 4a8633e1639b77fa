// Changes inside the C++ library's own code show on the objects that are changed: strings, trees, lists.
// RUN: %cxx -w -std=gnu++17 -O0 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,COARSE %s
// RUN: %cxx -w -std=gnu++17 -O1 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,FINE %s
// RUN: %cxx -w -std=gnu++20 -O2 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,FINE %s
#include <inspect/inspect.h>
#include <list>
#include <map>
#include <sstream>
#include <string>

std::string text = "a string long enough to live on the heap";
std::map<int, int> tree;
std::list<int> list;

int main() {
  inspect_proposition("append", 1);
  text += "!";
  // CHECK: proposition append
  // COARSE: write_range 32 at {{.*}} text
  // FINE: {{write.* at (char_traits|basic_string).*}}
  // FINE: proposition look
  inspect_proposition("look", 1);
  char c = text[3];
  // COARSE: proposition look
  // COARSE-NOT: write_range 32
  // CHECK: proposition insert
  inspect_proposition("insert", 1);
  tree[3] = 4;
  // CHECK: write_range 32 at
  // CHECK: proposition push
  inspect_proposition("push", 1);
  list.push_back(c);
  // CHECK: write_range 16 at
  // CHECK: proposition end
  inspect_proposition("end", 1);
  std::ostringstream out;
  out << c;
  text = out.str();
}
// CHECK-NOT: external
