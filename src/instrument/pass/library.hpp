// What the table of library functions (library.def) says.
//
// Deliberately unknown here: how calls are instrumented by it.
#pragma once
#include <optional>
#include <string_view>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace inspect::pass {

// How many bytes of memory an effect covers.
struct Extent {
  enum Kind { constant, argument, product, string, limited_string, result, result_times } kind = constant;
  uint64_t first = 0;   // the constant, or the number of an argument
  uint64_t second = 0;  // of `product` and `limited_string`: the other argument
};

struct Effect {
  enum Kind { read, write, write_after, hidden_read, hidden_write, print_arguments, scan_arguments } kind = read;
  unsigned argument = 0;  // number of the pointer argument; of the format for print and scan
  bool may_be_null = false;
  Extent extent;
  unsigned hidden_object = 0;  // index in inspect_hidden_objects
  llvm::StringRef hidden_name;
};

struct LibraryFunction {
  llvm::SmallVector<Effect, 2> effects;
  bool modelled = false;  // by the runtime
  bool waits = false;     // of those: what it changes shows in visible operations
  bool tells = false;     // of those: the model tells of all memory that it changes
};

// The row of a function; null when the table does not have it.
const LibraryFunction* library_function(llvm::StringRef name);
// Members of std::string that the C++ library holds ready-made: the row that says whether they change the string object; null
// for others. The object stands for its characters: whoever uses those from outside has read it first.
const LibraryFunction* string_member(llvm::StringRef name);
bool is_string_member(llvm::StringRef name);
// May a call of this library function change something that no hook tells of?
bool may_disturb(llvm::StringRef name);
// May a call of it change memory that no hook and no model tells of?
bool is_untold(llvm::StringRef name);
// Known by the table, or by rule (the C++ library, our own).
bool is_library_function(llvm::StringRef name);

}  // namespace inspect::pass
