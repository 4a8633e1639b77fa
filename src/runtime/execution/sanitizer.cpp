// Programs that are built with -fsanitize=undefined: its checks print, or end the program.
//
// The sanitizer is reached through weak references, and tells us of its own decisions to end. It need not ask another process
// for names: the places of its reports are in the program.
#include "runtime/execution/sanitizer.hpp"

#include "runtime/platform/export.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

INSPECT_EXPORT __attribute__((weak)) const char* __ubsan_default_options() { return "symbolize=0"; }

namespace inspect::runtime {
namespace {

void on_sanitizer_death() {
  if (!active()) return;
  report_bug(INSPECT_BUG_ASSERTION, "the undefined behaviour sanitizer ended the program",
             caller_site(__builtin_return_address(0), __builtin_frame_address(0)));
}

}  // namespace

void boot_sanitizer() {
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(on_sanitizer_death);
}

}  // namespace inspect::runtime
