// Within a block, what was reported for a location is not reported again unless something may synchronise in between.
// RUN: %ir -O1 %s | FileCheck %s
int x, y;
void sync(void);

// CHECK-LABEL: define {{.*}}@again(
// CHECK: call void @inspect_read4(ptr {{.*}}@x
// CHECK-NOT: call void @inspect_read4(ptr {{.*}}@x
// CHECK: call void @inspect_read4(ptr {{.*}}@y
// CHECK-NOT: call void @inspect_read4
// CHECK: ret
int again(void) { return x + y + x; }

// CHECK-LABEL: define {{.*}}@read_write(
// CHECK: call void @inspect_read4(ptr {{.*}}@x
// CHECK: call void @inspect_write4(ptr {{.*}}@x
// CHECK-NOT: call void @inspect_
// CHECK: ret
void read_write(void) {
  x = x + 1;
  x = x + 1;
}

// CHECK-LABEL: define {{.*}}@around_a_call(
// CHECK: call void @inspect_read4(ptr {{.*}}@x
// CHECK: call void @sync(
// CHECK: call void @inspect_read4(ptr {{.*}}@x
int around_a_call(void) {
  int first = x;
  sync();
  return first - x;
}

// CHECK-LABEL: define {{.*}}@around_an_atomic(
// CHECK: call void @inspect_write4(ptr {{.*}}@x
// CHECK: call i64 @inspect_atomic_load(
// CHECK: call void @inspect_write4(ptr {{.*}}@x
void around_an_atomic(_Atomic int* a) {
  x = 1;
  if (*a) x = 2;
}
