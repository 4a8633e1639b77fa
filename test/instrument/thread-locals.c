// thread_local variables live in blocks of the runtime: a descriptor each, no native access where one exists.
// RUN: %ir -O1 %s | FileCheck %s
_Thread_local int defined = 5;
static _Thread_local long zero;
extern _Thread_local int elsewhere;
_Thread_local int* pointer = &(int){3};

// CHECK-DAG: @__inspect_tls.defined = dso_local global { i64, i64, ptr, i64 } { i64 4, i64 4, ptr @.inspect.tls_image{{.*}}, i64 0 }
// CHECK-DAG: @__inspect_tls.zero = internal global { i64, i64, ptr, i64 } { i64 8, i64 8, ptr null, i64 0 }
// CHECK-DAG: @__inspect_tls.elsewhere = extern_weak global
// CHECK-DAG: @.inspect.tls_variables = private constant [3 x ptr] {{.*}} section "inspect_tls_variables", align 8

// CHECK-LABEL: define {{.*}}@use(
// CHECK-NOT: threadlocal.address
// CHECK: call {{.*}}@inspect_thread_local(ptr {{.*}}@__inspect_tls.defined)
// CHECK: call {{.*}}@inspect_thread_local(ptr {{.*}}@__inspect_tls.zero)
// CHECK-NOT: threadlocal.address
// CHECK: ret
long use(void) { return defined++ + zero++; }

// CHECK-LABEL: define {{.*}}@other(
// CHECK: icmp {{eq|ne}} ptr @__inspect_tls.elsewhere, null
// CHECK: call {{.*}}@inspect_thread_local(ptr {{.*}}@__inspect_tls.elsewhere)
// CHECK: call {{.*}}@llvm.threadlocal.address.p0(ptr {{.*}}@elsewhere)
int other(void) { return elsewhere; }
