// Calls through pointers: instrumented targets are known, others are announced, virtual ones too; of the library's the runtime
// finds out whether they are harmless, which the stub does not.
// RUN: clang++-19 -c %S/inputs/uninstrumented.cpp -o %t.o
// RUN: %cxx -w -O0 %s %t.o -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
// RUN: %cxx -w -O2 %s %t.o -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
#include <cstdlib>
#include <new>
int outside(int);
int inside(int x) { return x + 1; }
struct operations {
  int (*run)(int);
  void (*drop)(void*);
  int (*foreign)(int);
} table = {inside, std::free, outside};
struct base {
  virtual int f() { return 1; }
};
base object;
base* pointer = &object;
std::exception* error = new std::bad_alloc;

int main() {
  // CHECK: external table.run (a function pointer): instrumented at
  // CHECK: external table.drop (a function pointer): unknown at
  // CHECK: external table.foreign (a function pointer): unknown at
  table.run(1);
  table.drop(std::malloc(1));
  table.foreign(2);
  for (int i = 0; i < 2; ++i) (i ? table.foreign : table.run)(i);
  // CHECK: external {{.*}}function pointer{{.*}}: instrumented at
  // CHECK: external {{.*}}function pointer{{.*}}: unknown at
  pointer->f();
  error->what();
  outside(1);
  // CHECK: external {{.*}}virtual function{{.*}}: instrumented at
  // CHECK: external {{.*}}virtual function{{.*}}: unknown at
  // CHECK: external outside(int): unknown
}
