// A call of a function that is only declared and in no table has an entry that the runtime resolves once.
// RUN: %ir -O1 %s | FileCheck %s
#include <pthread.h>
#include <stdio.h>
#include <string.h>
void unknown(int);
int here(void) { return 1; }

// CHECK-DAG: @.inspect.external = private global { ptr, ptr, ptr, i64 } { ptr @unknown, ptr {{.*}}, ptr {{.*}}, i64 0 }, section "inspect_externals", align 8
// CHECK-LABEL: define {{.*}}@calls(
// CHECK: load i64, ptr getelementptr {{.*}}@.inspect.external,
// CHECK: icmp {{eq|ne}} i64 {{.*}}, 1
// CHECK: call void @inspect_external_call(ptr {{.*}}@.inspect.external
// CHECK: call void @unknown(
void calls(void) { unknown(1); }

// CHECK-LABEL: define {{.*}}@known(
// A known one has it too, for the program may have a function of its own by the name.
// CHECK: icmp {{eq|ne}} i64 {{.*}}, 2
// CHECK: call i32 @puts(
// CHECK: ret
int known(pthread_mutex_t* m) {
  pthread_mutex_lock(m);
  puts("x");
  return here();
}
