// Source expressions as the source could have written them.
// RUN: %cc -w -O1 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
// RUN: %cc -w -O0 %s -o %t && env INSPECT_STUB_LOG=1 %t 2>&1 | FileCheck %s
struct inner { int x, y; };
struct box { int count; struct inner in[3]; struct box* next; union { long l; int parts[2]; } u; } a, b, *p = &a;
int table[8], grid[2][3], h, *q = table;
typedef struct { int v; } wrapped;
wrapped w[2];
static struct box* get(void) { return p; }

int main(void) {
  a.next = &b;             // CHECK: write8 at names.c:[[@LINE]]:10 main a.next
  p->count = 1;            // CHECK: read8 at {{.*}}:[[@LINE]]:3 main p{{$}}
                           // CHECK: write4 at {{.*}} main p->count{{$}}
  p->next->in[2].y = 2;    // CHECK: read8 at {{.*}} main p->next{{$}}
                           // CHECK: write4 at {{.*}} main p->next->in[2].y{{$}}
  h = 3;                   // CHECK: write4 at {{.*}} main h{{$}}
  table[h] = 4;            // CHECK: write4 at {{.*}} main table[h]{{$}}
  table[h + 1] = 4;        // CHECK: write4 at {{.*}} main table[h + 1]{{$}}
  table[5] = 4;            // CHECK: write4 at {{.*}} main table[5]{{$}}
  q[2] = 5;                // CHECK: read8 at {{.*}} main q{{$}}
                           // CHECK: write4 at {{.*}} main q[2]{{$}}
  q[h - 1] = 5;            // CHECK: write4 at {{.*}} main q[h - 1]{{$}}
  *q = 6;                  // CHECK: write4 at {{.*}} main *q{{$}}
  w[1].v = 7;              // CHECK: write4 at {{.*}} main w[1].v{{$}}
  b.in[h - 2].x = 8;       // CHECK: write4 at {{.*}} main b.in[h - 2].x{{$}}
  get()->in[0].y = 9;      // CHECK: write4 at {{.*}} main get()->in[0].y{{$}}
  return 0;
}
