// The table of what functions do is there only when asked for; each read keeps its hook then.
// RUN: %ir -O1 %s | FileCheck %s --check-prefix=PLAIN
// RUN: %ir -O1 --inspect-code %s | FileCheck %s
// PLAIN-NOT: inspect_code
// PLAIN-LABEL: define {{.*}}@twice(
// PLAIN: call void @inspect_read4(
// PLAIN-NOT: call void @inspect_read4(
// PLAIN: ret
// CHECK: @.inspect.code = private constant {{.*}} section "inspect_code"
// CHECK-LABEL: define {{.*}}@twice(
// CHECK: call void @inspect_read4(
// CHECK: call void @inspect_read4(
// CHECK: ret
int x;
int twice(void) { return x + x; }
