// What a program says to Inspect (include/inspect/inspect.h). Weak where programs bring their own definition of the same name.
#include <limits.h>

#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/states/conditions.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

#define INSPECT_EXPORT_WEAK extern "C" __attribute__((visibility("default"), used, weak))

INSPECT_EXPORT void inspect_atomic_begin(void);
INSPECT_EXPORT void inspect_atomic_end(void);

namespace {

void assume(bool condition, std::uint32_t site) {
  if (condition || !active()) return;
  State& s = state();
  Thread& t = *s.current;
  leave_atomic_section("an assumption that fails after a write in the same atomic section", site);
  s.execution.assumed_away.add(t.id);
  visible(operation(INSPECT_OP_AssumeFailed, nullptr, 0, site), [](const Thread&) { return Mask{}; });
  __builtin_unreachable();  // never enabled
}

// One of the values value(0) … value(n - 1).
template <class Value>
auto choose(unsigned n, std::uint32_t site, Value value) {
  const unsigned chosen = n < 2 || !active() ? 0 : visible(operation(INSPECT_OP_Choice, nullptr, 0, site), nullptr, n);
  const auto result = value(chosen);
  if (n >= 2 && active()) executed(0, std::uint64_t(result));
  return result;
}

unsigned choose(unsigned n, std::uint32_t site) {
  return choose(n, site, [](unsigned chosen) { return chosen; });
}

// The part of a listed range that lies between two values.
struct Part {
  inspect_input first, count;
};
Part part_between(const inspect_input_range& range, inspect_input smallest, inspect_input largest) {
  const inspect_input first = range.first < smallest ? smallest : range.first,
                      last = range.last > largest ? largest : range.last;
  return {first, first <= last ? last - first + 1 : 0};
}

// An input without bounds where the user lists values: those of them that it can have.
inspect_input choose_listed(const char* name, inspect_input smallest, inspect_input largest, std::uint32_t site) {
  inspect_channel* const channel = state().channel;
  const inspect_configuration& c = channel->configuration;
  inspect_input fitting = 0, listed = 0;
  for (unsigned i = 0; i < c.input_range_count; ++i) {
    fitting += part_between(c.inputs[i], smallest, largest).count;
    listed += c.inputs[i].last - c.inputs[i].first + 1;
  }
  if (!fitting) report_unsupported(format_message("%s: none of the values of --nondet fits its type", name), site);
  if (fitting < largest - smallest + 1) {
    channel->values_left_out = 1;
    assume_text(format_message("%s: only the values of --nondet are explored", name));
  }
  if (fitting < listed)
    assume_text(format_message("%s: %lu of the %lu values of --nondet do not fit its type and are left out", name,
                               std::uint64_t(listed - fitting), std::uint64_t(listed)));
  return choose(unsigned(fitting), site, [&](inspect_input left) {
    unsigned i = 0;
    for (; left >= part_between(c.inputs[i], smallest, largest).count; ++i)
      left -= part_between(c.inputs[i], smallest, largest).count;
    return part_between(c.inputs[i], smallest, largest).first + left;
  });
}

bool values_are_listed() { return active() && state().channel->configuration.input_range_count; }

// Else a few log_level values, and a note that there are more.
template <class T>
T choose_value(const char* name, std::uint32_t site) {
  if (!active()) return 0;
  constexpr bool is_signed = T(-1) < T(0);
  constexpr T largest = is_signed ? T((1ull << (8 * sizeof(T) - 1)) - 1) : T(-1);
  if (values_are_listed()) return T(choose_listed(name, is_signed ? T(~largest) : T(0), largest, site));
  constexpr T values[] = {0, 1, is_signed ? T(-1) : T(2), largest};
  state().channel->values_left_out = 1;
  assume_text(format_message("%s: only 0, 1, %s and the largest value are explored", name, is_signed ? "-1" : "2"));
  return choose(4, site, [&](unsigned chosen) { return values[chosen]; });
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

INSPECT_EXPORT unsigned inspect_nondet(unsigned n) {
  const std::uint32_t site = INSPECT_CALLER_SITE();
  if (n <= INSPECT_MAX_ALTERNATIVES) return choose(n, site);
  if (values_are_listed()) return unsigned(choose_listed("inspect_nondet", 0, n - 1, site));
  report_unsupported("a choice among more than 65536 values (--nondet=LIST says which)", site);
}
// Every order of the operations around it is explored anyway.
INSPECT_EXPORT void inspect_yield(void) {}
INSPECT_EXPORT void inspect_proposition(const char* name, int holds) { set_proposition(state(), name, holds != 0); }

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
