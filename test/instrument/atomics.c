// Atomics of up to eight bytes become calls that perform them, with the orders of C.
// RUN: %ir -O1 %s | FileCheck %s
#include <stdatomic.h>
#include <stdbool.h>
atomic_int i;
_Atomic char c;
_Atomic short s;
_Atomic long l;
_Atomic(int*) p;
_Atomic float f;
_Atomic bool b;
_Atomic double d;

// CHECK-LABEL: define {{.*}}@loads(
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@i, i32 4, i32 1,
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@l, i32 8, i32 3,
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@c, i32 1, i32 6,
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@s, i32 2, i32 6,
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@p, i32 8, i32 6,
// CHECK: call i64 @inspect_atomic_load(ptr {{.*}}@f, i32 4, i32 6,
// CHECK-NOT: load atomic
long loads(void) {
  return atomic_load_explicit(&i, memory_order_relaxed) + atomic_load_explicit(&l, memory_order_acquire) + c + s + *p + (long)f;
}

// CHECK-LABEL: define {{.*}}@stores(
// CHECK: call void @inspect_atomic_store(ptr {{.*}}@i, i32 4, i32 1, i64 7,
// CHECK: call void @inspect_atomic_store(ptr {{.*}}@l, i32 8, i32 4, i64 8,
// CHECK: call void @inspect_atomic_store(ptr {{.*}}@f, i32 4, i32 6, i64 1065353216,
// CHECK: call void @inspect_atomic_store(ptr {{.*}}@b, i32 1, i32 6, i64 1,
// CHECK-NOT: store atomic
void stores(void) {
  atomic_store_explicit(&i, 7, memory_order_relaxed);
  atomic_store_explicit(&l, 8, memory_order_release);
  f = 1;
  b = true;
}

// The last argument but two says whether the old value is unused.
// CHECK-LABEL: define {{.*}}@updates(
// CHECK: call i64 @inspect_atomic_rmw(ptr {{.*}}@i, i32 4, i32 6, i32 1, i32 1, i64 1,
// CHECK: call i64 @inspect_atomic_rmw(ptr {{.*}}@i, i32 4, i32 5, i32 2, i32 0, i64 1,
// CHECK: call i64 @inspect_atomic_rmw(ptr {{.*}}@l, i32 8, i32 6, i32 5, i32 1,
// CHECK: call i64 @inspect_atomic_rmw(ptr {{.*}}@p, i32 8, i32 6, i32 0, i32 1,
// CHECK-NOT: atomicrmw
int updates(int* q) {
  atomic_fetch_add(&i, 1);
  int old = atomic_fetch_sub_explicit(&i, 1, memory_order_acq_rel);
  atomic_fetch_or(&l, 4);
  (void)atomic_exchange(&p, q);
  return old;
}

// CHECK-LABEL: define {{.*}}@exchanges(
// CHECK: [[OLD:%[0-9]+]] = {{.*}}call i64 @inspect_atomic_cas(ptr {{.*}}@i, i32 4, i32 5, i32 1, i64 {{.*}}, i64 9,
// CHECK: icmp eq i64 [[OLD]]
// CHECK-NOT: cmpxchg
bool exchanges(int expected) {
  return atomic_compare_exchange_weak_explicit(&i, &expected, 9, memory_order_acq_rel, memory_order_relaxed);
}

// There is no hook that adds floating-point numbers: a point before, and the compiler's loop over compare-exchanges stays or becomes hooks.
// CHECK-LABEL: define {{.*}}@floating(
// CHECK: call {{.*}}@inspect_atomic_{{cas|point}}(
void floating(void) { d += 1; }

// CHECK-LABEL: define {{.*}}@fences(
// CHECK: call void @inspect_fence(i32 6,
// CHECK: call void @inspect_fence(i32 3,
// CHECK-NOT: fence {{acquire|seq_cst}}
void fences(void) {
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(memory_order_acquire);
  atomic_signal_fence(memory_order_seq_cst);
}
