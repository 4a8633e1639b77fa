"""Programs in which another thread uses an object on a stack: while it lives, or after its end.

The owner hands an address over and waits until it was used: inside the object's life, or only after it. Which one it is makes the
program right or wrong by construction; AddressSanitizer is asked too, with the user delayed.
"""
import random

# Kind: code of the owner. PUBLISH(address) hands over; INSIDE waits where the object lives, OUTSIDE where it has ended.
C = {
    "block": "{ int x = 1; PUBLISH(&x); INSIDE; } OUTSIDE",
    "nested": "{ int a[4] = {1, 2, 3, 4}; { int y = 2; a[0] += y; PUBLISH(a); } INSIDE; } OUTSIDE",
    "loop": "for (int i = 0; i < 2; ++i) { int x = i; if (i == 0) { PUBLISH(&x); INSIDE; } else OUTSIDE; touch(&x); }",
    "loop_head": "for (int i = 5; i < 6; ++i) { PUBLISH(&i); INSIDE; } OUTSIDE",
    "branch": "if (one) { int x = 1; PUBLISH(&x); INSIDE; } OUTSIDE",
    "switch": "switch (one) { case 1: { int x = 1; PUBLISH(&x); INSIDE; } break; default: break; } OUTSIDE",
    "jump": "{ int x = 1; PUBLISH(&x); INSIDE; if (one) goto out; touch(&x); } out: OUTSIDE",
    "variable_length": "{ int n[one + 3]; n[0] = 1; PUBLISH(n); INSIDE; } OUTSIDE",
    "variable_length_function": "variable(one + 3); OUTSIDE",
    "alloca": "by_alloca(one + 7); OUTSIDE",
    "alloca_branch": "alloca_if(3); OUTSIDE",
    "function": "local(); OUTSIDE",
    "inlined": "inlined(); OUTSIDE",
    "array": "array(); OUTSIDE",
    "value": "struct wide w = {{1, 2}}; by_value(w); OUTSIDE",
    "small_value": "by_small_value(4); OUTSIDE",
    "literal": "{ int* p = (int[2]){1, 2}; PUBLISH(p); INSIDE; } OUTSIDE",
    "literal_argument": "{ take((struct pair*)&(struct pair){1, 2}); INSIDE; } OUTSIDE",
    "statement": "int r = ({ int x = 3; PUBLISH(&x); INSIDE; x; }); (void)r; OUTSIDE",
    "jumped_over": "if (!setjmp(place)) jumps_out(); OUTSIDE",
    "jumped_inlined": "if (!setjmp(place)) jumps_inlined(); OUTSIDE",
    "jumped_by_callee": "if (!setjmp(place)) calls_jump(); OUTSIDE",
    "jumped_block": "if (!setjmp(place)) { int x = 1; PUBLISH(&x); INSIDE; longjmp(place, 1); } OUTSIDE",
    "jumped_array": "if (!setjmp(place)) jumps_from_array(one + 2); OUTSIDE",
    "deep": "deep(3); OUTSIDE",
    "thread_end": "pthread_t t; pthread_create(&t, NULL, ends, NULL); pthread_join(t, NULL); OUTSIDE",
    "thread_return": "pthread_t t; pthread_create(&t, NULL, returns, NULL); pthread_join(t, NULL); OUTSIDE",
    "thread_local": "pthread_t t; pthread_create(&t, NULL, has_local, NULL); pthread_join(t, NULL); OUTSIDE",
    "jumped_into": "if (one) goto in; { int x; in: x = 1; PUBLISH(&x); INSIDE; } OUTSIDE",
    "jumped_over_by_goto": "{ if (one == 2) goto over; int x = 1; PUBLISH(&x); INSIDE; over:; } OUTSIDE",
    "jumped_back": "int n = 0; again: { int x = n; if (n++ == 0) goto again; PUBLISH(&x); INSIDE; } OUTSIDE",
    "switch_before_labels": "switch (one) { int x; case 1: x = 1; PUBLISH(&x); INSIDE; } OUTSIDE",
    "case_in_loop": "switch (one) { for (int i; one == 2;) { case 1: i = 3; PUBLISH(&i); INSIDE; break; } } OUTSIDE",
    "computed_jump": "static void* const to[] = {&&first, &&second}; goto *to[one - 1];"
                     " first: { int x = 1; PUBLISH(&x); INSIDE; } second: OUTSIDE",
    "result": "take_inside(made(one).a); OUTSIDE",
    "small_result": "take_inside(&made_small(one).a[1]); OUTSIDE",
    "own_stack": "pthread_t t; pthread_create(&t, on_own_stack(), runs_local, NULL); pthread_join(t, NULL)",
    "own_stack_block": "pthread_t t; pthread_create(&t, on_own_stack(), runs_block, NULL); pthread_join(t, NULL)",
    "list": "listed(one, 2, 3); OUTSIDE",
    "vector_loop": "for (int i = 1; i < 3; ++i) { int n[i]; n[0] = i; if (i == 1) { PUBLISH(n); INSIDE; } else OUTSIDE; touch(n); }",
}

CPP = {
    "temporary": "take_text(std::string(\"short\")); OUTSIDE",
    "extended": "{ const std::string& s = std::string(\"short\"); PUBLISH(s.data()); INSIDE; } OUTSIDE",
    "local_string": "{ std::string s = \"tiny\"; PUBLISH(s.data()); INSIDE; } OUTSIDE",
    "thrown": "try { throws(); } catch (int) { } OUTSIDE",
    "thrown_deep": "try { throws_deep(2); } catch (int) { } OUTSIDE",
    "thrown_inlined": "try { throws_inlined(); } catch (int) { } OUTSIDE",
    "thrown_by_callee": "try { calls_throw(); } catch (int) { } OUTSIDE",
    "thrown_again": "try { throws_again(); } catch (int) { } OUTSIDE",
    "thrown_beside_string": "try { throws_beside_string(); } catch (int) { } OUTSIDE",
    "thrown_lambda": "try { [] { int x = 1; PUBLISH(&x); INSIDE; throw one; }(); } catch (int) { } OUTSIDE",
    "thrown_block": "try { int x = 1; PUBLISH(&x); INSIDE; throw one; } catch (int) { } OUTSIDE",
    "catch_block": "try { throw 4; } catch (int x) { PUBLISH(&x); INSIDE; } OUTSIDE",
    "lambda": "{ int x = 1; auto f = [&] { PUBLISH(&x); INSIDE; }; f(); } OUTSIDE",
    "capture": "{ auto f = [x = 3]() mutable { PUBLISH(&x); INSIDE; }; f(); } OUTSIDE",
    "range_for": "for (int x : {4}) { PUBLISH(&x); INSIDE; } OUTSIDE",
    "list": "{ std::initializer_list<int> l = {one, 2}; PUBLISH(l.begin()); INSIDE; } OUTSIDE",
    "pair": "{ auto [a, b] = std::pair<int, int>(1, one); PUBLISH(&a); INSIDE; touch(&b); } OUTSIDE",
    "optional": "{ std::optional<int> o = one; PUBLISH(&*o); INSIDE; } OUTSIDE",
    "array_class": "{ std::array<int, 3> a = {1, 2, one}; PUBLISH(a.data()); INSIDE; } OUTSIDE",
    "destructor": "{ Waits w; PUBLISH(&w.x); } OUTSIDE",
    "reference_argument": "by_reference(one + 1); OUTSIDE",
    "conversion": "by_text(\"short\"); OUTSIDE",
    "init_statement": "if (int x = one; x) { PUBLISH(&x); INSIDE; } OUTSIDE",
    "switch_condition": "switch (int x = one) { case 1: PUBLISH(&x); INSIDE; break; default:; } OUTSIDE",
    "while_condition": "while (int x = one) { one = 0; PUBLISH(&x); INSIDE; } OUTSIDE",
    "switch_condition_computed": "static void* const to[] = {&&first, &&second}; goto *to[one - 1];"
                                 " first: switch (int x = one) { case 1: PUBLISH(&x); INSIDE; break; default:; } second: OUTSIDE",
    "caught_computed": "static void* const to[] = {&&first, &&second}; goto *to[one - 1];"
                       " first: try { throw 4; } catch (int x) { PUBLISH(&x); INSIDE; } second: OUTSIDE",
    "caught_object": "try { throw std::string(\"short\"); } catch (std::string s) { PUBLISH(s.data()); INSIDE; } OUTSIDE",
    "member": "{ struct { int a, b; } s = {1, 2}; PUBLISH(&s.b); INSIDE; } OUTSIDE",
}

USES = {
    "read": "sink(*(volatile const char*)p)",
    "write": "*(volatile char*)p = 0",
    "copy": "char b[2]; memcpy(b, p, 2); sink(b[0])",
    "print": "char b[8]; snprintf(b, 8, \"%.1s\", (const char*)p); sink(b[0])",
    "search": "sink(memchr(p, 1, 2) != NULL)",
}

HEAD = r"""
#include <alloca.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __cplusplus
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#endif
static sem_t ready, used;
static const void* given;
static volatile int one = 1;
static int delay;
static void sink(long x) { __asm__ volatile("" : : "r"(x)); }
static void touch(const void* p) { sink(*(volatile const char*)p); }
#define PUBLISH(address) (given = (address), sem_post(&ready))
#ifdef RIGHT
#define INSIDE sem_wait(&used)
#define OUTSIDE (void)0
#else
#define INSIDE (void)0
#define OUTSIDE sem_wait(&used)
#endif
#define UNUSED __attribute__((unused))
#define KEPT UNUSED __attribute__((noinline))
struct wide { long a[8]; };
struct pair { int a, b; };
struct narrow { long a[2]; };
static jmp_buf place UNUSED;
KEPT static void local(void) { int x = 1; PUBLISH(&x); INSIDE; touch(&x); }
UNUSED static inline void inlined(void) { int x = 1; PUBLISH(&x); INSIDE; touch(&x); }
KEPT static void array(void) { char a[16] = "text"; PUBLISH(a + 1); INSIDE; touch(a); }
KEPT static void by_value(struct wide w) { PUBLISH(&w.a[1]); INSIDE; }
KEPT static void by_small_value(int x) { PUBLISH(&x); INSIDE; }
KEPT static void take(const struct pair* p) { PUBLISH(&p->a); }
KEPT static void jumps_out(void) { int x = 1; PUBLISH(&x); INSIDE; longjmp(place, 1); }
UNUSED static inline void jumps_inlined(void) { int x = 1; PUBLISH(&x); INSIDE; longjmp(place, 1); }
KEPT static void jump(void) { longjmp(place, 1); }
UNUSED static inline void calls_jump(void) { int x = 1; PUBLISH(&x); INSIDE; jump(); touch(&x); }
KEPT static void deep(int n) { int x = n; if (n) { deep(n - 1); touch(&x); return; } PUBLISH(&x); INSIDE; }
KEPT static void by_alloca(int n) { char* p = (char*)alloca(n); p[0] = 1; PUBLISH(p); INSIDE; }
UNUSED static inline void alloca_if(int n) { char* p = (char*)&given; if (n > 2) p = (char*)alloca(8); p[0] = 1; PUBLISH(p); INSIDE; }
UNUSED static void* ends(void* a) { int x = 1; PUBLISH(&x); INSIDE; pthread_exit(a); }
UNUSED static void* returns(void* a) { int x = 1; PUBLISH(&x); INSIDE; touch(&x); return a; }
KEPT static struct wide made(int n) { struct wide w = {{n, 2}}; return w; }
KEPT static struct narrow made_small(int n) { struct narrow w = {{n, 2}}; return w; }
KEPT static void take_inside(const long* p) { PUBLISH(p); INSIDE; }
KEPT static const pthread_attr_t* on_own_stack(void) {
  static char memory[256 << 10] __attribute__((aligned(4096)));
  static pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, sizeof memory);
  return &attributes;
}
UNUSED static void* runs_local(void* a) { local(); OUTSIDE; return a; }
UNUSED static void* runs_block(void* a) { { int x = 1; PUBLISH(&x); INSIDE; } OUTSIDE; return a; }
KEPT static void listed(int n, ...) {
  va_list list;
  va_start(list, n);
  PUBLISH((char*)list->reg_save_area + 8);
  INSIDE;
  va_end(list);
}
static __thread int own UNUSED;
UNUSED static void* has_local(void* a) { own = 1; PUBLISH(&own); INSIDE; return a; }
#ifndef __cplusplus
KEPT static void variable(int n) { int v[n]; v[0] = 1; PUBLISH(v); INSIDE; }
UNUSED static inline void jumps_from_array(int n) { int v[n]; v[0] = 1; PUBLISH(v); INSIDE; longjmp(place, 1); }
#else
KEPT static void take_text(const std::string& s) { PUBLISH(s.data()); INSIDE; }
KEPT static void by_text(const std::string& s) { PUBLISH(s.data()); INSIDE; }
KEPT static void by_reference(const int& x) { PUBLISH(&x); INSIDE; }
KEPT static void throws(void) { int x = 1; PUBLISH(&x); INSIDE; touch(&x); throw 1; }
KEPT static void throws_deep(int n) { int x = n; touch(&x); if (n) throws_deep(n - 1); PUBLISH(&x); INSIDE; throw 2; }
KEPT static void throw_one(void) { throw 1; }
UNUSED static inline void throws_inlined(void) { int x = 1; PUBLISH(&x); INSIDE; touch(&x); throw 1; }
UNUSED static inline void calls_throw(void) { int x = 1; PUBLISH(&x); INSIDE; throw_one(); touch(&x); }
UNUSED static inline void throws_again(void) { int x = 1; PUBLISH(&x); INSIDE; try { throw_one(); } catch (int) { throw; } }
UNUSED static inline void throws_beside_string(void) {
  std::string s(40, 'a');
  int x = 1;
  PUBLISH(&x);
  INSIDE;
  throw_one();
  touch(s.data());
}
struct Waits { int x = 3; ~Waits() { INSIDE; } };
#endif
"""

TAIL = r"""
static void* user(void* a) {
  sem_wait(&ready);
  if (delay) usleep(20000);
  const void* p = given;
  USE;
  sem_post(&used);
  return a;
}
int main(int argc, char** argv) {
  delay = argc > 1 && argv != NULL;
  sem_init(&ready, 0, 0);
  sem_init(&used, 0, 0);
  pthread_t t;
  pthread_create(&t, NULL, user, NULL);
  owner();
  pthread_join(t, NULL);
  _exit(0);
}
"""


def kinds(cpp):
    return CPP if cpp else C


def choose(seed):
    """(C++?, kind, use, level of optimisation); every kind comes round."""
    every = [(False, k) for k in C] + [(True, k) for k in CPP]
    draw = random.Random(seed)
    cpp, kind = every[seed % len(every)]
    uses = [u for u in USES if u != "write" or kind not in ("list", "extended", "temporary", "conversion", "loop_head")]
    return cpp, kind, draw.choice(uses), draw.choice([0, 1, 1, 2, 3])


def source(cpp, kind, use):
    return f"#define USE {USES[use]}\n{HEAD}\nKEPT static void owner(void) {{ {kinds(cpp)[kind]}; }}\n{TAIL}"
