// Replacements that look at the arguments and go on to the library's own function with registers and stack as they were: the
// only way to pass on calls with any number of arguments. The rows are in trampolines.def.
#include <errno.h>

#include <string_view>

#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/streams.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

using namespace inspect::runtime;

namespace {

constexpr unsigned kDirectory = 32, kDescriptor = 33;
struct Row {
  const char* why;  // of a refused function; null: a stream
  unsigned argument;
  StreamEffect effect;
  const char* name;
  bool locks = false;
  bool unguarded = false;
};
// Of functions on streams: do they take the stream's lock? Not those that leave it to the caller, nor those that only ask.
constexpr bool takes_lock(std::string_view name) {
  if (name.find("_unlocked") != name.npos || name == "fileno" || name == "fwide" || name == "fpurge") return false;
  return !name.starts_with("__f") || name.ends_with("_chk");
}
// Those that use the buffer, and leave it to the caller that nobody else does.
constexpr bool is_unguarded(std::string_view name) {
  return name.find("_unlocked") != name.npos && !name.starts_with("fileno");
}
constexpr unsigned IN = kStandardInput, OUT = kStandardOutput, ERR = kStandardError;  // as the rows say it
constexpr Row kRows[] = {
#define STREAM(name, argument, effect) {nullptr, argument, StreamEffect::effect, #name, takes_lock(#name), is_unguarded(#name)},
#define DIRECTORY(name) {nullptr, kDirectory, StreamEffect::move, #name},
#define DESCRIPTOR(name) {nullptr, kDescriptor, StreamEffect::move, #name},
#define REFUSED(name, why) {why, 0, StreamEffect::move, #name},
#include "runtime/environment/trampolines.def"
};

enum Number : unsigned {
#define STREAM(name, argument, effect) number_##name,
#define DIRECTORY(name) number_##name,
#define DESCRIPTOR(name) number_##name,
#define REFUSED(name, why) number_##name,
#include "runtime/environment/trampolines.def"
};

// The library works by number, and nothing runs in between.
void descriptor_step(int fd, std::uint32_t site) {
  if (environment_is_real()) return;
  const int error = errno;
  const FileUse looked_up(fd, site);
  errno = error;
}

}  // namespace

// The function to go on to. `arguments`: the six integer registers.
extern "C" __attribute__((used, visibility("hidden"))) void* inspect_trampoline(unsigned number, void* const* arguments,
                                                                                const void* caller) {
  ensure_environment();
  const Row& row = kRows[number];
  if (row.why && !environment_is_real()) report_unsupported(format_message("%s: %s", row.name, row.why), caller_site(caller));
  if (row.argument == kDirectory)
    directory_step(arguments[0], caller_site(caller));
  else if (row.argument == kDescriptor)
    descriptor_step(int(reinterpret_cast<long>(arguments[0])), caller_site(caller));
  else if (!row.why && active()) {
    enter_unsafe_call(row.name, caller_site(caller));
    if (row.effect != StreamEffect::move) possible_cancellation_point(caller_site(caller));
    void* const stream = row.argument < 6 ? arguments[row.argument] : nullptr;
    const StreamCaller by{row.locks, row.unguarded, caller_site(caller)};
    stream_step(row.argument, static_cast<FILE*>(stream), row.effect, by);
  }
  return reinterpret_cast<RealFunctions*>(kRealFunctions)->trampolines[number];
}

asm(R"(
.text
.type inspect_trampoline_entry,@function
inspect_trampoline_entry:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
  pushq %r9
  pushq %r9
  pushq %r8
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  movq %rsp, %rsi
  subq $128, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movl %r11d, %edi
  movq 8(%rbp), %rdx
  call inspect_trampoline
  movq %rax, %r11
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  addq $128, %rsp
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %r8
  popq %r9
  popq %r9
  popq %rax
  popq %rbp
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
.size inspect_trampoline_entry,.-inspect_trampoline_entry
)");

// The exported functions themselves: their number, then the common part.
#define ENTRY(name)                                                             \
  INSPECT_EXPORT __attribute__((naked)) void inspect_entry_##name() asm(#name); \
  void inspect_entry_##name() { asm volatile("movl %0, %%r11d; jmp inspect_trampoline_entry" ::"i"(number_##name)); }
#define STREAM(name, argument, effect) ENTRY(name)
#define DIRECTORY(name) ENTRY(name)
#define DESCRIPTOR(name) ENTRY(name)
#define REFUSED(name, why) ENTRY(name)
#include "runtime/environment/trampolines.def"
