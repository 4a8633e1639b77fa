// Temporaries without marks of lifetime begin and end with their statement, not with the function.
// RUN: %ir -O1 %s | FileCheck %s
// RUN: %ir -O0 %s | FileCheck %s
struct Value {
  int number;
  Value(int n);
  Value(const Value&);
  ~Value();
};
struct Plain {
  int number;
  Plain(int n);
  Plain(const Plain&);
};
void take(Value);
void take_plain(Plain);
int* lend(Plain);
void done();
void use(int);

// CHECK-LABEL: define {{.*}}@_Z5turnsi(
// CHECK-NOT: inspect_stack
// CHECK: br
// CHECK: call void @inspect_stack_begin(ptr {{.*}}[[A:%[a-z0-9.]+]], i64 4,
// CHECK: @_ZN5ValueC1Ei({{.*}}[[A]],
// CHECK: @_Z4take5Value({{.*}}[[A]])
// CHECK: call void @_ZN5ValueD1Ev({{.*}}[[A]])
// CHECK: call void @inspect_stack_free(ptr {{.*}}[[A]], i64 4,
// CHECK: br
void turns(int n) {
  while (n--) take(n);
}

// CHECK-LABEL: define {{.*}}@_Z5plaini(
// CHECK: call void @inspect_stack_begin(ptr {{.*}}[[A:%[a-z0-9.]+]], i64 4,
// CHECK: call void @_Z10take_plain5Plain({{.*}}[[A]])
// CHECK: call void @inspect_stack_free(ptr {{.*}}[[A]], i64 4,
// CHECK: call void @_Z4donev()
void plain(int n) {
  take_plain(n);
  done();
}

// What it returns may point to the argument.
// CHECK-LABEL: define {{.*}}@_Z5lendsi(
// CHECK: call {{.*}}@_Z4lend5Plain(
// CHECK-NOT: inspect_stack_free
// CHECK: call void @_Z3usei(
// CHECK: call void @inspect_stack_free(
void lends(int n) { use(*lend(n)); }
