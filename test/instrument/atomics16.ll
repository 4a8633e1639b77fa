; What the performing hooks cannot carry stays behind a point; unordered is plain.
; RUN: %mark %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wide(
; CHECK: call void @inspect_atomic_point(ptr %p, i32 16, i32 3, i32 [[LOAD:[0-9]+]],
; CHECK-NEXT: load atomic i128
; CHECK: call void @inspect_atomic_point(ptr %p, i32 16, i32 6, i32 [[RMW:[0-9]+]],
; CHECK-NEXT: atomicrmw xchg ptr %p, i128
; CHECK: call void @inspect_atomic_point(ptr %p, i32 16, i32 6, i32 [[CAS:[0-9]+]],
; CHECK-NEXT: cmpxchg ptr %p, i128
define i128 @wide(ptr %p) {
  %a = load atomic i128, ptr %p acquire, align 16
  %b = atomicrmw xchg ptr %p, i128 %a seq_cst
  %c = cmpxchg ptr %p, i128 %a, i128 %b seq_cst seq_cst
  ret i128 %b
}

; CHECK-LABEL: @floating(
; CHECK: call void @inspect_atomic_point(ptr %p, i32 8,
; CHECK-NEXT: atomicrmw fadd
; CHECK: call i64 @inspect_atomic_rmw(ptr %p, i32 8, i32 6, i32 0,
; CHECK: bitcast i64 %{{.*}} to double
define double @floating(ptr %p) {
  %a = atomicrmw fadd ptr %p, double 1.0 seq_cst
  %b = atomicrmw xchg ptr %p, double %a seq_cst
  ret double %b
}

; CHECK-LABEL: @unordered(
; CHECK: call void @inspect_read4(ptr %p
; CHECK-NEXT: load atomic i32, ptr %p unordered
; CHECK-NOT: @inspect_atomic_load
; CHECK: ret i32
define i32 @unordered(ptr %p) {
  %a = load atomic i32, ptr %p unordered, align 4
  ret i32 %a
}
