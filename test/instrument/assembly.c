// Inline assembly that is not known is announced, what is known becomes operations; clocks and random numbers of the machine are replaced.
// RUN: %ir -O1 -mrdrnd -mrdseed %s | FileCheck %s
#include <immintrin.h>
#include <x86intrin.h>
int x;

// CHECK-LABEL: define {{.*}}@touching(
// CHECK: call void @inspect_assembly(
// CHECK-NEXT: call {{.*}} asm
void touching(void) { __asm__ volatile("cvtsi2ssl %0, %%xmm0" : : "m"(x) : "xmm0", "memory"); }

// CHECK-LABEL: define {{.*}}@known(
// CHECK: call i64 @inspect_atomic_rmw(ptr nonnull @x, i32 4, i32 6
// CHECK: call i64 @inspect_atomic_load(ptr nonnull @x, i32 4, i32 3
// CHECK: call void @inspect_atomic_store(ptr nonnull @x, i32 4, i32 4
// CHECK-NOT: asm
// CHECK: ret
void known(void) {
  __asm__ volatile("lock; incl %0" : "+m"(x) : : "memory", "cc");
  __asm__ volatile("incl %0" : "+m"(x) : : "memory", "cc");
}

// CHECK-LABEL: define {{.*}}@harmless(
// CHECK-NOT: @inspect_
// CHECK: ret
int harmless(int n) {
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("pause");
  _mm_pause();
  __asm__("bswap %0" : "+r"(n));
  return n;
}

// CHECK-LABEL: define {{.*}}@fence(
// CHECK: call void @inspect_fence(i32 6,
void fence(void) { __asm__ volatile("mfence" : : : "memory"); }

// CHECK-LABEL: define {{.*}}@machine(
// CHECK: call i64 @inspect_processor_value(i32 0)
// CHECK: call i64 @inspect_processor_value(i32 0)
// CHECK: call i64 @inspect_processor_value(i32 1)
// CHECK-NOT: @llvm.x86.rd
unsigned long long machine(void) {
  unsigned processor;
  unsigned long long number = __rdtsc() + __rdtscp(&processor);
  while (!_rdrand64_step(&number)) {
  }
  return number + __builtin_readcyclecounter();
}
