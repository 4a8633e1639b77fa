#include "instrument/pass/library.hpp"

#include <llvm/Support/ErrorHandling.h>
#include "instrument/pass/hooks.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

const auto& table() {
  static const auto rows = [] {
    std::string error;
    auto found = library::read_rows(error);
    if (!error.empty()) report_fatal_error(Twine(error));
    return found;
  }();
  return rows;
}

}  // namespace

const LibraryFunction* library_function(StringRef name) {
  name.consume_front("\01");  // a name given by an asm label
  const auto& rows = table();
  const auto row_of = [&](const std::string& key) {
    const auto found = rows.find(key);
    return found == rows.end() ? nullptr : &found->second;
  };
  std::string key = name.str();
  const LibraryFunction* row = row_of(key);
  if (!name.starts_with("_Z")) return row;
  for (std::size_t length = key.size(); !row && length > 2; --length) row = row_of(key.substr(0, length) + "*");
  return row;
}

// What these change is the exception, a block of the heap, and what the thread is handling: no more of it where the handler was
// left.
static bool handles_exceptions(StringRef name) {
  return is_contained({"__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch",
                       "__cxa_end_catch", "__cxa_get_exception_ptr"},
                      name);
}

bool may_disturb(StringRef name) {
  if (is_own_name(name) || handles_exceptions(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits && !row->looks);
}

bool writes_unreported(StringRef name) {
  if (is_own_name(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits && !row->tells);
}

bool is_library_function(StringRef name) {
  name.consume_front("\01");
  if (is_own_name(name) || library_function(name)) return true;
  for (const char* prefix : {"__cxa_", "_Unwind_", "__gxx_", "_ZTH", "_ZTW", "__ubsan_handle_"})
    if (name.starts_with(prefix)) return true;
  return false;
}

}  // namespace inspect::pass
