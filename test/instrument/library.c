// What library calls read and write, as hooks around them.
// RUN: %cc -w -O1 %s -lm -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
// RUN: %cc -w -O0 -fno-builtin %s -lm -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
char from[32] = "seven77", to[32], *end, *none;
int fd[2], number, position;
double whole;
volatile int k;

static int compare(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }

void log_line(char* line, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(line, 8, format, list);
  va_end(list);
}
void read_line(const char* line, const char* format, ...) {
  va_list list;
  va_start(list, format);
  k = vsscanf(line, format, list);
  va_end(list);
}

int main(void) {
  k = strlen(from);             // CHECK: read_string 7 at library.c:[[@LINE]]:{{[0-9]+}} main from
  strcpy(to, from);             // CHECK: read_string 7 at {{.*}} main from
                                // CHECK: write_range 8 at {{.*}} main to
                                // CHECK-NOT: text_size
  strcpy(to, "four");           // CHECK: write_range 5 at {{.*}} main to
  strncpy(to, from, 3);         // CHECK: read_string 3 at {{.*}} main from
                                // CHECK: write_range 3 at {{.*}} main to
  k = memcmp(to, from, 5);      // CHECK: read_range 5 at {{.*}} main to
                                // CHECK: read_range 5 at {{.*}} main from
  k = strtol("12x", &end, 10);  // CHECK: act {{[0-9]+}} at
  k = strtol("12x", 0, 10);     // CHECK: act {{[0-9]+}} at
  number = 1;                   // CHECK: write4 at {{.*}}:[[@LINE]]:{{.*}} number
  pipe(fd);                     // CHECK: write_range 8 at {{.*}} main fd
  write(fd[1], from, 4);        // CHECK: read_range 4 at {{.*}} main from
  read(fd[0], to, 30);          // CHECK: write_range 4 at {{.*}} main to
  snprintf(to, 16, "%s %.*s|%d", from, 2, from, k);
                                // CHECK: read_string 7 at {{.*}} main from
                                // CHECK: read_string 2 at {{.*}} main from
                                // CHECK: write_range 14 at {{.*}} main to
  snprintf(to, 16, number ? "%s" : "", from);
                                // CHECK: print_words 1 %s at
  log_line(to, "%s", from);     // CHECK: print_list %s at {{.*}} log_line
  read_line(from, "%*s");       // CHECK: scanned_list 0 %*s at {{.*}} read_line
  strtok(to, ",");              // CHECK: write_range 8 at {{.*}} main library state: strtok
                                // CHECK: act {{[0-9]+}} at
  printf("%s", none);           // CHECK: read_string 0
  sscanf("5 word", "%d %s%n", &number, to, &position);
                                // CHECK: write_range 4 at {{.*}} main number
                                // CHECK: write_range 5 at {{.*}} main to
                                // CHECK: write_range 4 at {{.*}} main position
  sscanf("x", "%d", &number);   // CHECK: write_range 0 at {{.*}} main number
  qsort(from, 7, 1, compare);   // CHECK: act {{[0-9]+}} at
  k = rand();                   // CHECK: write_range 8 at {{.*}} main library state: rand
  end = getenv("HOME");         // CHECK: read_range 8 at {{.*}} main library state: environment
  modf(1.5, &whole);            // CHECK: write_range 8 at {{.*}} main whole
}
// CHECK-NOT: external
