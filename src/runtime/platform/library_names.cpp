// The C library's functions that the runtime itself calls, by names of its own: the program may have others by theirs
// (private_names.cmake, which also makes the tables).
#include <dlfcn.h>
#include <cstdint>

#include "runtime/platform/library_names.hpp"

extern "C" {
extern void* inspect_library_pointers[] __attribute__((visibility("hidden")));
extern const char inspect_library_names[] __attribute__((visibility("hidden")));
}

namespace {

const char* next(const char* name) {
  while (*name++) {
  }
  return name;
}

}  // namespace

extern "C" __attribute__((used, visibility("hidden"))) void* inspect_library_find(std::uint64_t number) {
  const char* name = inspect_library_names;
  for (std::uint64_t i = 0; i < number; ++i) name = next(name);
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) __builtin_trap();
  return inspect_library_pointers[number] = found;
}

// Goes on to the function whose number is on the stack, with all arguments as they were.
asm(R"(
.text
.globl inspect_library_bind
.hidden inspect_library_bind
.type inspect_library_bind,@function
inspect_library_bind:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  subq $136, %rsp
  andq $-16, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movq 8(%rbp), %rdi
  call inspect_library_find
  movq %rax, %r11
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  leaq -56(%rbp), %rsp
  popq %rax
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rbp
  addq $8, %rsp
  jmp *%r11
.size inspect_library_bind,.-inspect_library_bind
)");

namespace inspect::runtime {

void bind_library_functions() {
  std::uint64_t number = 0;
  for (const char* name = inspect_library_names; *name; name = next(name)) inspect_library_find(number++);
}

}  // namespace inspect::runtime
