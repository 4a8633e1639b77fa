// Instrumented C behaves as it would: variable arguments, setjmp, arrays of variable length, structures by value, computed gotos.
// RUN: %cc -O0 %s -o %t && %t | FileCheck %s
// RUN: %cc -O1 %s -o %t && %t | FileCheck %s
// RUN: %cc -O2 -fPIC -pie %s -o %t && %t | FileCheck %s
// RUN: %cc -O3 -fno-pic -no-pie %s -o %t && %t | FileCheck %s
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double sum(int n, ...) {
  va_list a;
  va_start(a, n);
  double s = 0;
  for (int i = 0; i < n; ++i) s += i % 2 ? va_arg(a, double) : va_arg(a, int);
  va_end(a);
  return s;
}

static jmp_buf place;
static void leap(volatile int* count) {
  ++*count;
  longjmp(place, 3);
}

static int variable(int n) {
  int squares[n];
  for (int i = 0; i < n; ++i) squares[i] = i * i;
  int* on_stack = __builtin_alloca(sizeof(int));
  *on_stack = squares[n - 1];
  return *on_stack;
}

struct large { int a[20]; };
static struct large twice(struct large x) {
  for (int i = 0; i < 20; ++i) x.a[i] *= 2;
  return x;
}

static int interpret(const char* code) {
  static const void* const table[] = {&&add, &&twofold, &&end};
  int value = 0;
  goto *table[*code++ - '0'];
add:
  ++value;
  goto *table[*code++ - '0'];
twofold:
  value *= 2;
  goto *table[*code++ - '0'];
end:
  return value;
}

struct bits { unsigned a : 3, b : 7; _Bool c : 1; };

int main(void) {
  printf("%g\n", sum(4, 1, 2.5, 3, 4.5));  // CHECK: 11
  volatile int jumps = 0;
  int back = setjmp(place);
  if (back == 0) leap(&jumps);
  printf("%d %d\n", back, jumps);     // CHECK: 3 1
  printf("%d\n", variable(9));        // CHECK: 64
  struct large x = {{1, 2, 3}};
  printf("%d\n", twice(twice(x)).a[2]);  // CHECK: 12
  printf("%d\n", interpret("001012"));   // CHECK: 10
  struct bits* b = calloc(1, sizeof *b);
  b->a = 5, b->b = 100, b->c = 1;
  printf("%d\n", b->a + b->b + b->c);  // CHECK: 106
  long double l = 1.5L;
  __int128 i = (__int128)1 << 100;
  printf("%Lg %d\n", l * 2, (int)(i >> 98));  // CHECK: 3 4
}
