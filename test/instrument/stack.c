// A stack object that others may know begins and ends with its block, or with its function; others stay untouched.
// RUN: %ir -O1 %s | FileCheck %s
// RUN: %ir -O0 %s | FileCheck %s
// RUN: %ir -O2 %s | FileCheck %s
#include <setjmp.h>
void give(void*);

// CHECK-LABEL: define {{.*}}@escapes(
// CHECK: call void @inspect_stack_begin(ptr {{.*}}, i64 4,
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
// CHECK-NOT: inspect_stack
// CHECK: ret
int keeps(int n) {
  int x[2] = {n, n};
  return x[n & 1];
}

// One after the other, in places of their own.
// CHECK-LABEL: define {{.*}}@blocks(
// CHECK-NOT: llvm.lifetime
// CHECK: call void @inspect_stack_begin(ptr {{.*}}[[A:%[a-z0-9]+]], i64 4,
// CHECK: call void @inspect_stack_free(ptr {{.*}}[[A]], i64 4,
// CHECK: call void @inspect_stack_begin(ptr {{.*}}[[B:%[a-z0-9]+]], i64 4,
// CHECK: call void @inspect_stack_free(ptr {{.*}}[[B]], i64 4,
// CHECK: ret
void blocks(void) {
  {
    int a = 1;
    give(&a);
  }
  {
    int b = 2;
    give(&b);
  }
}

// CHECK-LABEL: define {{.*}}@grows(
// CHECK: call ptr @llvm.stacksave
// CHECK: call void @inspect_stack_begin(
// CHECK: call void @give(
// CHECK: call void @inspect_stack_cut(
// CHECK: ret
void grows(int n) {
  int x[n];
  give(x);
}

struct large {
  int values[30];
};
// CHECK-LABEL: define {{.*}}@takes(
// CHECK: call void @inspect_stack_begin(ptr {{.*}}, i64 120,
// CHECK: call void @give(
// CHECK: call void @inspect_stack_free(ptr {{.*}}, i64 120,
// CHECK: ret
void takes(struct large x) { give(x.values); }

static jmp_buf back;
// CHECK-LABEL: define {{.*}}@returns(
// CHECK: call {{.*}}@_setjmp(
// CHECK: call void @inspect_stack_left(
// CHECK: ret
int returns(void) { return setjmp(back); }

static void* near[5];
// CHECK-LABEL: define {{.*}}@returns_near(
// CHECK: call {{.*}}@llvm.eh.sjlj.setjmp(
// CHECK: call void @inspect_stack_left(
// CHECK: ret
int returns_near(void) { return __builtin_setjmp(near); }

struct pair {
  int first, second;
};
// A compound literal lives as long as its block.
// CHECK-LABEL: define {{.*}}@literal(
// CHECK-NOT: inspect_stack_free
// CHECK: call void @give(
// CHECK-NOT: inspect_stack_free
// CHECK: call void @give(
// CHECK: call void @inspect_stack_free(
void literal(int n) {
  give(&(struct pair){n, n});
  give(0);
}

// CHECK-LABEL: define {{.*}}@literal_in_block(
// CHECK: call void @inspect_stack_begin(ptr {{.*}}, i64 8,
// CHECK: call void @give(
// CHECK: call void @inspect_stack_free(ptr {{.*}}, i64 8,
// CHECK: call void @give(
// CHECK-NOT: inspect_stack_free
// CHECK: ret
void literal_in_block(int n) {
  { give(&(struct pair){n, n}); }
  give(0);
}

// Without debug information nobody knows its block.
// CHECK-LABEL: define {{.*}}@literal_without_block(
// CHECK: call void @inspect_stack_unknown(
// CHECK: call void @give(
// CHECK-NOT: inspect_stack_free
// CHECK: call void @give(
// CHECK: call void @inspect_stack_free(
__attribute__((nodebug)) void literal_without_block(int n) {
  { give(&(struct pair){n, n}); }
  give(0);
}

// A pointer that dangles within the function.
// CHECK-LABEL: define {{.*}}@dangles(
// CHECK: call void @inspect_stack_free(ptr {{.*}}, i64 4,
// CHECK: call void @inspect_read4(
// CHECK: ret
int dangles(int n) {
  int* p;
  {
    int x = n;
    p = &x;
  }
  return *p;
}
