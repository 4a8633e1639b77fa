// Functions named __VERIFIER_atomic_* run as one atomic section, however they return.
// RUN: %ir -O1 %s | FileCheck %s
// RUN: %cc -w %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck --check-prefix=LOG %s
#include <inspect/inspect.h>
int x;
// CHECK-LABEL: define {{.*}}@__VERIFIER_atomic_add(
// CHECK: call void @inspect_atomic_begin()
// CHECK: call void @inspect_write4(
// CHECK: call void @inspect_atomic_end()
// CHECK-NEXT: ret
int __VERIFIER_atomic_add(int n) {
  if (n == 0) return x;
  return x += n;
}
int main(void) {
  __VERIFIER_atomic_add(2);
  __VERIFIER_atomic_begin();
  x = 3;
  __VERIFIER_atomic_end();
  inspect_proposition("done", x == 3);
}
// LOG: atomic_begin
// LOG-NEXT: {{.*}} x
// LOG-NEXT: {{.*}} x
// LOG-NEXT: atomic_end
// LOG-NEXT: atomic_begin
// LOG-NEXT: write4 {{.*}} x
// LOG-NEXT: atomic_end
// LOG: proposition done 1
