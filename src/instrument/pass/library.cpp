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
  const auto found = table().find(std::string_view(name.data(), name.size()));
  return found == table().end() ? nullptr : &found->second;
}

bool is_string_member(StringRef name) {
  return name.starts_with("_ZNSt7__cxx1112basic_string") || name.starts_with("_ZNKSt7__cxx1112basic_string");
}

const LibraryFunction* string_member(StringRef name) {
  static const LibraryFunction looks = library::RowParser().parse("r0:#16"), reads = library::RowParser().parse("r0:#32"),
                               writes = library::RowParser().parse("w0:#32");
  if (!is_string_member(name)) return nullptr;
  // Members that need only pointer and length; the standard lets threads call them while others write characters.
  for (const char* look : {"EE2atEm", "EE5beginEv", "EE3endEv", "EE6rbeginEv", "EE4rendEv", "EE5frontEv", "EE4backEv", "EEixEm",
                           "EE4dataEv", "EE5c_strEv", "EE4sizeEv", "EE6lengthEv", "EE5emptyEv", "EE8capacityEv"})
    if (name.ends_with(look)) return &looks;
  return name.starts_with("_ZNK") ? &reads : &writes;
}

bool may_disturb(StringRef name) {
  if (is_own_name(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits);
}

bool is_untold(StringRef name) {
  if (is_own_name(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits && !row->tells);
}

bool is_library_function(StringRef name) {
  name.consume_front("\01");
  if (is_own_name(name) || library_function(name)) return true;
  for (const char* prefix : {"_ZS", "_ZN9__gnu_cxx", "_ZN10__cxxabiv1", "__cxa_", "_Unwind_", "__gxx_", "_ZTH", "_ZTW"})
    if (name.starts_with(prefix)) return true;
  if (!name.consume_front("_ZN")) return false;
  return name.ltrim("rVKRO").starts_with("S");  // a member of something in std, with any qualifiers
}

}  // namespace inspect::pass
