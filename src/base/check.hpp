// CHECK: what must hold if our own code is right. On in release builds too.
//
// Guarantees: a violated check ends the process with exit status 70 and a text that says it is our error and asks to report it.
// It never throws, and runs no destructors: the state can no longer be trusted. Deliberately unknown here: bad input (Result)
// and verdicts (values).
#pragma once
#include <string_view>

namespace inspect {

inline constexpr int kExitInternalError = 70;

[[noreturn]] void internal_error(const char* file, int line, const char* condition, std::string_view message = {});

}  // namespace inspect

#define CHECK(condition, ...)                        \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? void()                                      \
       : ::inspect::internal_error(__FILE_NAME__, __LINE__, #condition, ##__VA_ARGS__))
