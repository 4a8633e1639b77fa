; Uses of a thread_local variable that no intrinsic announces: in constant expressions and phis.
; RUN: %mark %s | FileCheck %s
@t = thread_local global [4 x i32] zeroinitializer

; CHECK-LABEL: @expression(
; CHECK: [[A:%.*]] = {{.*}}call {{.*}}ptr @inspect_thread_local(ptr @__inspect_tls.t)
; CHECK: getelementptr inbounds {{.*}}, ptr [[A]], i64
; CHECK-NOT: @t
; CHECK: ret i32
define i32 @expression() {
  %v = load i32, ptr getelementptr inbounds ([4 x i32], ptr @t, i64 0, i64 2)
  ret i32 %v
}

; CHECK-LABEL: @phi(
; CHECK: switch
; CHECK: phi ptr [ [[B:%.*]], %entry ], [ [[B]], %entry ], [ null, %other ]
define ptr @phi(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 1, label %end
                                i32 2, label %end ]
other:
  br label %end
end:
  %p = phi ptr [ @t, %entry ], [ @t, %entry ], [ null, %other ]
  ret ptr %p
}
