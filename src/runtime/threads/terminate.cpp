// std::terminate: an uncaught exception, with its type and what() if it is a std::exception.
//
// The C++ library is reached through weak references and the layouts of its ABI only, so that C programs need not link it.
#include <string.h>
#include <unwind.h>

#include "runtime/threads/terminate.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

// Itanium C++ ABI and libstdc++: std::set_terminate, the exception being handled, its type, std::exception's type.
extern "C" {
void* _ZSt13set_terminatePFvvE(void (*)()) __attribute__((weak));
void* __cxa_get_globals() __attribute__((weak));
void* __cxa_current_exception_type() __attribute__((weak));
char* __cxa_demangle(const char*, char*, std::size_t*, int*) __attribute__((weak));
extern char _ZTISt9exception[] __attribute__((weak));
}

namespace inspect::runtime {
namespace {

struct TypeInfo {
  void** table;
  const char* name;
};

// type_info's virtual functions, in the ABI's order.
enum { kDoCatch = 4 };
// std::exception's: two destructors, then what().
enum { kWhat = 2 };

const char* what_of(TypeInfo* type, void* object) {
  if (!_ZTISt9exception || !object) return nullptr;
  auto* const base = reinterpret_cast<TypeInfo*>(_ZTISt9exception);
  const auto catches = reinterpret_cast<bool (*)(void*, void*, void**, unsigned)>(base->table[kDoCatch]);
  if (!catches(base, type, &object, 1)) return nullptr;
  void** const table = *static_cast<void***>(object);
  return reinterpret_cast<const char* (*)(void*)>(table[kWhat])(object);
}

// The exception that is being handled. Its header precedes what the unwinder knows of it, the object stands behind that; an
// exception that is thrown a second time (rethrow_exception) begins with the place of the first one's object.
void* current_exception() {
  constexpr std::size_t kHeaderBefore = 80;
  char* const header = __cxa_get_globals ? *static_cast<char**>(__cxa_get_globals()) : nullptr;
  if (!header) return nullptr;
  const auto* const known = reinterpret_cast<const _Unwind_Exception*>(header + kHeaderBefore);
  if (known->exception_class >> 8 != 0x474e5543432b2bull) return nullptr;  // "GNUCC++": not one of C++'s
  if (known->exception_class & 1) return *reinterpret_cast<void**>(header);
  return header + kHeaderBefore + sizeof *known;
}

// The innermost frame of the program below the library's: where the exception was thrown.
struct Search {
  bool left_runtime;
  std::uint32_t site;
};
_Unwind_Reason_Code find_thrower(_Unwind_Context* context, void* data) {
  auto* const search = static_cast<Search*>(data);
  const auto site = caller_site(reinterpret_cast<void*>(_Unwind_GetIP(context)));
  const bool in_program = site & 0x7fffffff;
  if (!in_program) search->left_runtime = true;
  if (!in_program || !search->left_runtime) return _URC_NO_REASON;
  search->site = site;
  return _URC_END_OF_STACK;
}

// pthread_exit's unwinding is no exception of C++: as the one being handled its header holds no type.
bool is_unwinding_for_exit() {
  constexpr std::size_t kHeaderBefore = 80;  // of __cxa_exception, before the part that the unwinder knows
  const char* const caught = __cxa_get_globals ? *static_cast<char**>(__cxa_get_globals()) : nullptr;
  const char* const unwinding = state().current->cancel.exception;
  return caught ? caught + kHeaderBefore == unwinding : reinterpret_cast<const _Unwind_Exception*>(unwinding)->private_1 != 0;
}

[[noreturn]] void on_terminate() {
  if (is_unwinding_for_exit())
    report_bug(INSPECT_BUG_UNCAUGHT_EXCEPTION,
               format_message("%s would leave a function that is noexcept: std::terminate is called",
                              state().current->cancel.acted_on ? "a cancelled thread" : "pthread_exit"),
               state().current->cancel.site);
  const std::uint32_t site = thrower_site();
  auto* const type = __cxa_current_exception_type ? static_cast<TypeInfo*>(__cxa_current_exception_type()) : nullptr;
  if (!type) report_bug(INSPECT_BUG_ASSERTION, "std::terminate was called without an exception", site);
  const char* const what = what_of(type, current_exception());
  state().running = false;  // what follows is ours, not the program's
  const char* const mangled = type->name[0] == '*' ? type->name + 1 : type->name;
  int status = 0;
  const char* name = __cxa_demangle ? __cxa_demangle(mangled, nullptr, nullptr, &status) : nullptr;
  if (!name) name = mangled;
  report_bug(INSPECT_BUG_UNCAUGHT_EXCEPTION,
             what ? format_message("uncaught exception of type %s: %s", name, what)
                  : format_message("uncaught exception of type %s", name),
             site);
}

}  // namespace

std::uint32_t thrower_site() {
  Search search{};
  _Unwind_Backtrace(find_thrower, &search);
  return search.site;
}

void boot_terminate() {
  if (_ZSt13set_terminatePFvvE) _ZSt13set_terminatePFvvE(on_terminate);
}

}  // namespace inspect::runtime
