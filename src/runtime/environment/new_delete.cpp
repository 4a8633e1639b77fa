// The operators new and delete, so that allocation and deletion are known by their place in the program, not in libstdc++.
//
// All weak: a program's own replacement wins, and as in libstdc++ the operators it did not replace go through it.
#include <stdlib.h>
#include <cstdint>
#include <new>

#include "runtime/environment/heap.hpp"

#pragma clang section text = "inspect_models"  // runtime/schedule/owners.cpp

namespace std {
// Absent from C programs, which have no business here.
[[noreturn]] void __throw_bad_alloc() __attribute__((weak));
new_handler get_new_handler() noexcept __attribute__((weak));
}  // namespace std

#define INSPECT_OPERATOR __attribute__((weak, used, visibility("default")))

using inspect::runtime::Family;
using inspect::runtime::heap_allocate;
using inspect::runtime::heap_free;

namespace {

// Ours, under names that a replacement does not take.
extern "C" __attribute__((alias("_Znwm"), visibility("hidden"))) void* inspect_own_new(std::size_t);
extern "C" __attribute__((alias("_ZdlPv"), visibility("hidden"))) void inspect_own_delete(void*);

extern "C" __attribute__((visibility("hidden"))) void* inspect_own_malloc(std::size_t);  // malloc.cpp
extern "C" __attribute__((visibility("hidden"))) void inspect_own_free(void*);

// The compiler would know two names to be two functions, which they are not here.
template <class A, class B>
bool are_two(A* a, B* b) {
  auto place = reinterpret_cast<std::uintptr_t>(a);
  asm("" : "+r"(place));
  return place != reinterpret_cast<std::uintptr_t>(b);
}

// As in libstdc++, a malloc of the program's serves the operators too.
bool malloc_is_replaced() { return are_two(&malloc, &inspect_own_malloc); }
bool free_is_replaced() { return are_two(&free, &inspect_own_free); }

bool new_is_replaced() { return are_two(static_cast<void* (*)(std::size_t)>(&::operator new), &inspect_own_new); }
bool delete_is_replaced() { return are_two(static_cast<void (*)(void*)>(&::operator delete), &inspect_own_delete); }

void* allocate_or_fail(std::size_t size, std::size_t alignment, Family family, const void* caller) {
  return malloc_is_replaced() && alignment <= 16 ? malloc(size) : heap_allocate(size, alignment, family, caller);
}

void* allocate(std::size_t size, std::size_t alignment, Family family, const void* caller) {
  for (;;) {
    if (void* const p = allocate_or_fail(size, alignment, family, caller)) return p;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) std::__throw_bad_alloc();
    handler();
  }
}
void release(void* p, Family family, const void* caller) {
  if (p) free_is_replaced() ? free(p) : heap_free(p, family, caller);
}

}  // namespace

bool inspect::runtime::operators_are_replaced() { return new_is_replaced() || delete_is_replaced(); }

#define INSPECT_CALLER __builtin_return_address(0)

INSPECT_OPERATOR void* operator new(std::size_t n) { return allocate(n, 16, Family::plain, INSPECT_CALLER); }
INSPECT_OPERATOR void* operator new[](std::size_t n) {
  return new_is_replaced() ? ::operator new(n) : allocate(n, 16, Family::array, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return new_is_replaced() ? ::operator new(n) : allocate_or_fail(n, 16, Family::plain, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return new_is_replaced() ? ::operator new(n) : allocate_or_fail(n, 16, Family::array, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new(std::size_t n, std::align_val_t a) {
  return allocate(n, std::size_t(a), Family::aligned, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new[](std::size_t n, std::align_val_t a) {
  return allocate(n, std::size_t(a), Family::aligned_array, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return heap_allocate(n, std::size_t(a), Family::aligned, INSPECT_CALLER);
}
INSPECT_OPERATOR void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return heap_allocate(n, std::size_t(a), Family::aligned_array, INSPECT_CALLER);
}

INSPECT_OPERATOR void operator delete(void* p) noexcept { release(p, Family::plain, INSPECT_CALLER); }
#define INSPECT_DELETE(...)                                      \
  INSPECT_OPERATOR void operator delete __VA_ARGS__ noexcept {   \
    if (delete_is_replaced())                                    \
      ::operator delete(p);                                      \
    else                                                         \
      release(p, Family::plain, INSPECT_CALLER);                 \
  }                                                              \
  INSPECT_OPERATOR void operator delete[] __VA_ARGS__ noexcept { \
    if (delete_is_replaced())                                    \
      ::operator delete(p);                                      \
    else                                                         \
      release(p, Family::array, INSPECT_CALLER);                 \
  }
INSPECT_OPERATOR void operator delete[](void* p) noexcept {
  if (delete_is_replaced())
    ::operator delete(p);
  else
    release(p, Family::array, INSPECT_CALLER);
}
INSPECT_DELETE((void* p, std::size_t))
INSPECT_DELETE((void* p, const std::nothrow_t&))
// Aligned memory: the default forms do not go through the plain ones.
INSPECT_OPERATOR void operator delete(void* p, std::align_val_t) noexcept { release(p, Family::aligned, INSPECT_CALLER); }
INSPECT_OPERATOR void operator delete[](void* p, std::align_val_t) noexcept {
  release(p, Family::aligned_array, INSPECT_CALLER);
}
INSPECT_OPERATOR void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  release(p, Family::aligned, INSPECT_CALLER);
}
INSPECT_OPERATOR void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  release(p, Family::aligned_array, INSPECT_CALLER);
}
INSPECT_OPERATOR void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  release(p, Family::aligned, INSPECT_CALLER);
}
INSPECT_OPERATOR void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  release(p, Family::aligned_array, INSPECT_CALLER);
}
