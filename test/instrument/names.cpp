// Members through `this`, references, and the chain of inlined calls.
// RUN: %cxx -w -O2 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
struct counter {
  int value = 0, other = 0;
  inline __attribute__((always_inline)) void add(int& by) { value += by; }
};
counter shared;
int step = 2;
void twice(counter& c) {
  c.other = 1;     // CHECK: write4 at names.cpp:[[@LINE]]:11 _Z5twiceR7counter c.other
  c.add(step);
}
int main() {
  twice(shared);
  // CHECK: read4 at names.cpp:5:70 _ZN7counter3addERi by @11 _Z5twiceR7counter
  // CHECK: read4 at names.cpp:5:67 _ZN7counter3addERi this->value @11 _Z5twiceR7counter
  // CHECK: write4 at names.cpp:5:67 _ZN7counter3addERi this->value @11 _Z5twiceR7counter
}
