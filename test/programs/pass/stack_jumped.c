// expect: case=O0 verdict=verified cflags="-O0" algorithms=optimal
// expect: case=O1 verdict=verified cflags="-O1" algorithms=optimal
// expect: case=O2 verdict=verified cflags="-O2" algorithms=optimal
// Variables whose declaration a jump passes live while control is in their block, whichever way it came there.
#include <pthread.h>
#include <stdlib.h>
static volatile int one = 1;
static int *kept;
__attribute__((noinline)) static int look(const int *p) { return *p; }
__attribute__((noinline)) static void keep(int *p) { kept = p; ++*p; }
static void *reader(void *p) { ++*(int *)p; return 0; }

static int cleanup_at_end(int n) {
  int result = -1;
  int buf[4] = {1, 2};
  keep(buf);
  if (n == 1) goto out;
  struct { int a, b; } x = {1, 2};
  keep(&x.a);
  { int *q = malloc(4); int local = 3; if (n == 2) goto fail;
    int more = 4; keep(&local); keep(&more); *q = 1;
    if (look(&local) + look(&more) != 9) abort();
   fail: free(q);
    keep(&more);
    if (n == 2) goto out; }
  result = look(kept = &x.b);
out:
  result += look(buf);
  return result;
}
static int into(int n) {
  int t = 0;
  if (n) goto in;
  {
    int a; a = 1; keep(&a);
   in:;
    int b = 3; keep(&b); a = 5; keep(&a);
    t = look(&a) + look(&b);
    if (n-- > 0) goto in;
    t += look(kept);
  }
  return t;
}
static int falls(int n) {
  int t = 0;
  for (int i = 0; i < 3; i++)
    switch (n + i) {
      case 0:;
        int a = 1; keep(&a); t += look(kept);
      case 1:; a = 2; keep(&a); t += look(kept);
        int b = 2; keep(&b); if (i == 1) continue;
        t += look(kept);
        break;
      default: a = 7; keep(&a); t += look(kept);
    }
  return t;
}
static int before_label(int n) {
  int t = 0;
  for (int i = 0; i < 3; i++)
    switch (n + i) {
      int a, tmp;
      case 0: a = 1; keep(&a); t += look(kept);
      case 1: { a = 2; keep(&a); } t += look(kept); tmp = 4; keep(&tmp); if (i) goto out; break;
      default: tmp = 3; keep(&tmp); t += look(kept);
    }
out:
  return t;
}
static int computed(const int *code) {
  static void *const targets[] = {&&add, &&sub, &&end, &&loop};
  int t = 0;
  for (;;) {
    int v = 1; keep(&v);
    {
      int w = 2; keep(&w);
      goto *targets[*code++];
     add:
      w = 2; v++; keep(&w); t += look(kept);
      { int deep = 3; keep(&deep); goto *targets[*code++];
       sub: deep = 4; keep(&deep); t -= look(kept); }
      t += look(&v);
    }
    if (look(&v) > 100) break;
    goto *targets[*code++];
   loop: continue;
  }
end: return t;
}
static int again(int n) {
  int t = 0;
  {
    int *p = NULL;
    if (n > 5) goto seen;
   seen:;
    int v = 0;
   again:
    if (p && *p > 3) return *p;  // the same object
    if (!p) p = &v;
    v++; keep(&v);
    goto again;
  }
}
static int threads(int n) {
  int t = 0;
  for (int i = 0; i < 2; i++) {
    pthread_t id;
    if (i == n) goto in;
   in:;
    int shared = i;
    pthread_create(&id, NULL, reader, &shared);
    pthread_join(id, NULL);
    t += shared;
    if (i) continue;
    t++;
  }
  return t;
}
static int deep(int n) {
  while (1) {
    int x; x = n; keep(&x);
    do {
      int y = 1; keep(&y);
     here:;
      int z = 2; keep(&z); keep(&y); keep(&x);
      if (look(kept) > 20) goto out;
      if (one > 5) goto here;
      if (one > 6) break;
    } while (look(kept) < 15);
    if (n > 2) break;
    n++;
    if (n == 2) goto here;
  }
out: return n;
}
int main(void) {
  int r = 0;
  for (int i = 0; i < 3; i++) r += cleanup_at_end(i) + into(i) + falls(i) + threads(i) + before_label(i);
  static const int code[] = {0, 0, 1, 3, 1, 3, 0, 1, 0, 2};
  r += computed(code) + again(1) + deep(0);
  return r == 12345;
}
