/* What a program under test may say to Inspect. C and C++.
 *
 * Built with inspect-cc or inspect-c++, the functions below are those of the checker. In an ordinary build they are small weak
 * definitions: a failed assertion aborts, an assumption that does not hold ends the program with status 0, inspect_nondet
 * answers 0, the rest does nothing.
 */
#ifndef INSPECT_INSPECT_H
#define INSPECT_INSPECT_H

#if defined(__GNUC__)
#define INSPECT_COLD __attribute__((cold))
#define INSPECT_NORETURN __attribute__((noreturn))
#define INSPECT_WEAK __attribute__((weak))
#else
#define INSPECT_COLD
#define INSPECT_NORETURN
#define INSPECT_WEAK
#endif

#ifdef __cplusplus
#define INSPECT_BOOL bool
#if __cplusplus >= 201103L
#define INSPECT_NOEXCEPT noexcept
#else
#define INSPECT_NOEXCEPT throw()
#endif
extern "C" {
#else
#define INSPECT_BOOL _Bool
#define INSPECT_NOEXCEPT
#endif

#ifdef __INSPECT__ /* set by the wrappers */

/* Executions in which the condition does not hold are of no interest: this thread goes no further. */
void inspect_assume(int condition);
/* The bug "assertion". Called by inspect_assert(condition). */
INSPECT_NORETURN void inspect_assert_failed(const char* condition, const char* file, int line,
                                            const char* function) INSPECT_COLD;
/* A number from 0 to n - 1; every one is explored. */
unsigned inspect_nondet(unsigned n);
/* What stands between runs without a switch to another thread. Sections may nest; nothing in them may block. */
void inspect_atomic_begin(void);
void inspect_atomic_end(void);
/* Another thread may run here. */
void inspect_yield(void);
/* The truth of a named proposition from here on, for temporal formulas (--ltl); before the first call it is false. No operation
 * of its own: it takes effect with the one before it. */
void inspect_proposition(const char* name, int holds);

/* The names of the verification competitions. */
void __VERIFIER_assume(int condition);
INSPECT_NORETURN void __VERIFIER_error(void);
INSPECT_NORETURN void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
INSPECT_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#else /* an ordinary build */

void abort(void) INSPECT_NOEXCEPT INSPECT_NORETURN;
void _Exit(int status) INSPECT_NOEXCEPT INSPECT_NORETURN;

INSPECT_WEAK void inspect_assume(int condition) {
  if (!condition) _Exit(0);
}
INSPECT_WEAK INSPECT_NORETURN INSPECT_COLD void inspect_assert_failed(const char* condition, const char* file, int line,
                                                                      const char* function) {
  (void)condition, (void)file, (void)line, (void)function;
  abort();
}
INSPECT_WEAK unsigned inspect_nondet(unsigned n) { return (void)n, 0; }
INSPECT_WEAK void inspect_atomic_begin(void) {}
INSPECT_WEAK void inspect_atomic_end(void) {}
INSPECT_WEAK void inspect_yield(void) {}
INSPECT_WEAK void inspect_proposition(const char* name, int holds) { (void)name, (void)holds; }

INSPECT_WEAK void __VERIFIER_assume(int condition) { inspect_assume(condition); }
INSPECT_WEAK INSPECT_NORETURN void __VERIFIER_error(void) { abort(); }
INSPECT_WEAK INSPECT_NORETURN void reach_error(void) { abort(); }
INSPECT_WEAK int __VERIFIER_nondet_int(void) { return 0; }
INSPECT_WEAK unsigned __VERIFIER_nondet_uint(void) { return 0; }
INSPECT_WEAK INSPECT_BOOL __VERIFIER_nondet_bool(void) { return 0; }
INSPECT_WEAK char __VERIFIER_nondet_char(void) { return 0; }
INSPECT_WEAK unsigned char __VERIFIER_nondet_uchar(void) { return 0; }
INSPECT_WEAK short __VERIFIER_nondet_short(void) { return 0; }
INSPECT_WEAK unsigned short __VERIFIER_nondet_ushort(void) { return 0; }
INSPECT_WEAK long __VERIFIER_nondet_long(void) { return 0; }
INSPECT_WEAK unsigned long __VERIFIER_nondet_ulong(void) { return 0; }
INSPECT_WEAK void __VERIFIER_atomic_begin(void) {}
INSPECT_WEAK void __VERIFIER_atomic_end(void) {}

#endif

#ifdef __cplusplus
}
#endif

#define inspect_assert(condition) ((condition) ? (void)0 : inspect_assert_failed(#condition, __FILE__, __LINE__, __func__))
#define __VERIFIER_assert(condition) inspect_assert(condition)

#endif
