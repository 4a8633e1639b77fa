// A stack object that others may know ends with its function; others stay untouched.
// RUN: %ir -O1 %s | FileCheck %s
// RUN: %ir -O0 %s | FileCheck %s
void give(int*);

// CHECK-LABEL: define {{.*}}@escapes(
// CHECK: call void @inspect_write4(
// CHECK: call void @give(
// CHECK: call void @inspect_stack_free(ptr {{.*}}, i64 4,
// CHECK: ret
void escapes(int n) {
  int x = n;
  int mine = n;
  give(&x);
}

// CHECK-LABEL: define {{.*}}@keeps(
// CHECK-NOT: inspect_stack_free
// CHECK: ret
int keeps(int n) {
  int x[2] = {n, n};
  return x[n & 1];
}
