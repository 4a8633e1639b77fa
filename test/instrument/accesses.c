// Plain accesses of every size have a hook before them, with the place and the source expression.
// RUN: %ir -O1 %s | FileCheck %s
// RUN: %ir -O0 %s | FileCheck %s
// RUN: %ir -O3 %s | FileCheck %s
#include <string.h>

struct pair { char c; short s; int i; long l; long double d; struct pair* next; } *p;
int table[10], h;
volatile int v;
struct big { long words[6]; } one, two;
const int constant = 7;

// CHECK-LABEL: define {{.*}}@sizes(
// CHECK: call void @inspect_read1(
// CHECK: call void @inspect_write1(
// CHECK: call void @inspect_read2(
// CHECK: call void @inspect_write2(
// CHECK: call void @inspect_read4(
// CHECK: call void @inspect_write4(
// CHECK: call void @inspect_read8(
// CHECK: call void @inspect_write8(
// CHECK: call void @inspect_read_range({{.*}}, i64 10,
// CHECK: call void @inspect_write_range({{.*}}, i64 10,
void sizes(struct pair* a) { a->c++, a->s++, a->i++, a->l++, a->d++; }

// The value is not used; the access is one nonetheless.
// CHECK-LABEL: define {{.*}}@unused(
// CHECK: call void @inspect_read4(
int unused(int* x) {
  int ignored = *x;
  return 0;
}

// Two writes, two hooks: what is between them can be seen.
// CHECK-LABEL: define {{.*}}@volatiles(
// CHECK: call void @inspect_write4(ptr {{.*}}@v
// CHECK: store volatile i32 1
// CHECK: store volatile i32 2
void volatiles(void) { v = 1, v = 2; }

// CHECK-LABEL: define {{.*}}@copies(
// CHECK: call void @inspect_read_range(ptr {{.*}}@two, i64 48,
// CHECK: call void @inspect_write_range(ptr {{.*}}@one, i64 48,
// CHECK: call void @inspect_write_range(ptr {{.*}}, i64 40,
void copies(void* out) {
  one = two;
  memset(out, 0, 40);
}

// CHECK-LABEL: define {{.*}}@nothing_shared(
// CHECK-NOT: call {{.*}}@inspect_read
// CHECK-NOT: call {{.*}}@inspect_write
// CHECK: {{^}}}
int nothing_shared(int n) {
  int local[4] = {n, 1, 2, 3};
  return local[n & 3] + constant;
}
