// Accesses beyond a variable: compared with its size where they may be, and nothing where they cannot.
//
// RUN: %ir -O1 %s | FileCheck %s
int table[8];
extern int elsewhere[8];
extern char begin_of_set[];
__attribute__((section("set"))) int of_set = 1;

// CHECK-LABEL: define {{.*}}@within(
// CHECK-NOT: inspect_out_of_bounds
// CHECK: ret
int within(unsigned i) { return table[i & 7] + table[3]; }

// CHECK-LABEL: define {{.*}}@walks(
// CHECK-NOT: inspect_out_of_bounds
// CHECK: ret
int walks(void) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += table[i];
  return sum;
}

// CHECK-LABEL: define {{.*}}@may_lie_outside(
// CHECK: call void @inspect_out_of_bounds(i64 %{{.*}}, i64 4, i64 32,
// CHECK: call void @inspect_read4(
// CHECK: ret
int may_lie_outside(int i) { return table[i]; }

// Its size is the business of the file that defines it.
// CHECK-LABEL: define {{.*}}@of_another_file(
// CHECK-NOT: inspect_out_of_bounds
// CHECK: ret
int of_another_file(int i) { return elsewhere[i] + begin_of_set[i]; }

// Objects of a section are walked as an array.
// CHECK-LABEL: define {{.*}}@of_a_section(
// CHECK-NOT: inspect_out_of_bounds
// CHECK: ret
int of_a_section(int i) { return (&of_set)[i]; }
