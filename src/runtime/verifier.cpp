// What a program says to Inspect (include/inspect/inspect.h). Weak where programs bring their own definition of the same name.
#include <limits.h>

#include "runtime/access.hpp"
#include "runtime/export.hpp"
#include "runtime/schedule.hpp"

using namespace inspect::runtime;

#define INSPECT_EXPORT_WEAK extern "C" __attribute__((visibility("default"), used, weak))

INSPECT_EXPORT void inspect_atomic_begin(void);
INSPECT_EXPORT void inspect_atomic_end(void);

namespace {

// A section whose thread stops in the middle takes effect as far as it came; a write of it would be seen by others although no
// execution that goes on contains it.
void leave_section(Thread& t, std::uint32_t site) {
  State& s = state();
  const std::uintptr_t own_top = kStackBase + (t.id + 1ul) * kStackSlot, own_bottom = own_top - kStackSlot;
  for (unsigned i = 0; i < s.section_count; ++i) {
    const Operation& o = s.section[i];
    if (inspect_writes(&o) && (o.object < own_bottom || o.object >= own_top))
      report_unsupported("an assumption that fails after a write in the same atomic section", site);
  }
  t.atomic_depth = 1;
  inspect_atomic_end();
}

void assume(bool condition, std::uint32_t site) {
  if (condition || !active()) return;
  State& s = state();
  Thread& t = *s.current;
  if (t.atomic_depth) leave_section(t, site);
  s.assumed_away.add(t.id);
  visible(operation(INSPECT_OP_AssumeFailed, nullptr, 0, site), [](const Thread&) { return Mask{}; });
  __builtin_unreachable();  // never enabled
}

unsigned choose(unsigned n, std::uint32_t site) {
  constexpr unsigned kMost = 1u << 16;  // alternatives are 16-bit numbers
  if (n > kMost) report_unsupported("a choice among more than 65536 values", site);
  if (n < 2 || !active()) return 0;
  const unsigned chosen = visible(operation(INSPECT_OP_Choice, nullptr, 0, site), nullptr, n);
  executed(0, chosen);
  return chosen;
}

// An input without bounds: a few telling values, and a note that there are more.
template <class T>
T choose_value(const char* name, std::uint32_t site) {
  if (!active()) return 0;
  constexpr bool is_signed = T(-1) < T(0);
  constexpr T largest = is_signed ? T((1ull << (8 * sizeof(T) - 1)) - 1) : T(-1);
  constexpr T values[] = {0, 1, is_signed ? T(-1) : T(2), largest};
  state().channel->values_left_out = 1;
  assume_text(format_message("%s: only 0, 1, %s and the largest value are explored", name, is_signed ? "-1" : "2"));
  return values[choose(4, site)];
}

}  // namespace

INSPECT_EXPORT void inspect_assume(int condition) { assume(condition, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT_WEAK void __VERIFIER_assume(int condition) { assume(condition, INSPECT_CALLER_SITE()); }

INSPECT_EXPORT void inspect_assert_failed(const char* condition, const char*, int, const char*) {
  report_bug(INSPECT_BUG_ASSERTION, format_message("assertion failed: %s", condition), INSPECT_CALLER_SITE());
}
INSPECT_EXPORT_WEAK void __VERIFIER_assert(int condition) {
  if (!condition) report_bug(INSPECT_BUG_ASSERTION, "assertion failed", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT_WEAK void reach_error(void) {
  report_bug(INSPECT_BUG_ASSERTION, "reach_error() was called", INSPECT_CALLER_SITE());
}
INSPECT_EXPORT_WEAK void __VERIFIER_error(void) {
  report_bug(INSPECT_BUG_ASSERTION, "__VERIFIER_error() was called", INSPECT_CALLER_SITE());
}

INSPECT_EXPORT unsigned inspect_nondet(unsigned n) { return choose(n, INSPECT_CALLER_SITE()); }
// Every order of the operations around it is explored anyway.
INSPECT_EXPORT void inspect_yield(void) {}
INSPECT_EXPORT void inspect_proposition(const char*, int) {}  // a matter of the explicit engine

INSPECT_EXPORT_WEAK void __VERIFIER_atomic_begin(void) { inspect_atomic_begin(); }
INSPECT_EXPORT_WEAK void __VERIFIER_atomic_end(void) { inspect_atomic_end(); }

INSPECT_EXPORT_WEAK bool __VERIFIER_nondet_bool(void) { return choose(2, INSPECT_CALLER_SITE()); }
#define NONDET(type, name) \
  INSPECT_EXPORT_WEAK type __VERIFIER_nondet_##name(void) { return choose_value<type>("nondet_" #name, INSPECT_CALLER_SITE()); }
NONDET(char, char)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(size_t, size_t)
NONDET(unsigned char, u8)
NONDET(unsigned short, u16)
NONDET(unsigned, u32)
NONDET(unsigned, unsigned)
#undef NONDET
