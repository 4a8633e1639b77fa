// What calls of library functions do to memory where no extent of library.def says it: computed from the arguments.
//
// Guarantees: nothing but the touches below is done; memory is looked at only where the library's function looks too.
// Deliberately unknown here: what a touch means (the runtime checks it, the test of the rows notes it).
#pragma once
#include <cstddef>
#include <cstdint>

namespace inspect::runtime {

enum class LibraryAction : unsigned {
#define ACTION(name) name,
#include "hooks/library_actions.def"
  count
};

// Library state, by its number in inspect_library_state.
enum class LibraryState : unsigned {
#define LIBRARY(names, effects)
#define LIBRARY_STATE(o) o,
#include "hooks/library.def"
#undef LIBRARY
#undef LIBRARY_STATE
  count
};

struct LibraryCall {
  std::uint64_t arguments[6];
  std::uint64_t result;  // 0 before the call
};

// Such an action has effects on later calls: it counts even before the execution begins.
constexpr bool keeps_memory(LibraryAction a) {
  return a == LibraryAction::keep_buffer || a == LibraryAction::open_text_stream || a == LibraryAction::open_memory_stream ||
         a == LibraryAction::open_wide_memory_stream || a == LibraryAction::random_begins || a == LibraryAction::keep_errno ||
         a == LibraryAction::random_goes_on;
}

// Tells all touches of an action.
void perform(LibraryAction action, const LibraryCall& call, const void* site);
// Tells what printf reads through its arguments, or scanf has stored through them. `words`: the arguments as eight bytes each.
struct FormatArguments {
  const std::uint64_t* words;  // null: `list`
  unsigned count;              // of the words
  void* list;                  // a va_list
};
// False: the format, or its arguments, could not be read.
bool touch_printed(const void* format, bool wide, const FormatArguments& arguments, const void* site);
bool touch_scanned(const void* format, bool wide, const FormatArguments& arguments, std::int64_t stored, const void* site);

// Bytes of the text there with its terminator, characters of `unit` bytes, at most `limit` of them; 0 at a null pointer.
std::size_t text_size(const void* text, std::uint64_t limit, unsigned unit);

// Given by whoever uses the above.
void touch_read(const void* address, std::size_t size, const void* site);
void touch_write(const void* address, std::size_t size, const void* site);
// As above, by a call that is ordered with others of its kind by a lock of the library: no race but with the program's own
// accesses.
void touch_locked(const void* address, std::size_t size, bool write, const void* site);
// The library keeps memory of the program's from now on, and uses it in calls that do not name it.
void keep_memory(const char* what, const void* memory, const void* site);
// open_memstream, open_wmemstream: where the program finds what was written.
struct MemoryStream {
  const void* stream;
  char** text;
  std::size_t* size;  // in characters of `unit` bytes
  std::size_t unit;
};
void begin_memory_stream(const MemoryStream& stream, const void* site);
const MemoryStream* find_memory_stream(const void* stream);  // null: it is none
// fmemopen, for reading: each call on the stream may read all of it.
struct TextStream {
  const void* stream;
  const char* text;
  std::size_t size;
};
void begin_text_stream(const TextStream& stream, const void* site);
// The library has done something that nobody describes.
void meet_unseen(const char* what, const void* site);
// Where random keeps its state, if in memory of the program: a note of the runtime's own.
char** random_place();
void touch_library_state(LibraryState object, bool write, const void* site);
bool is_on_heap(const void* object);
// setjmp at a place, which keeps the signal mask or does not; a jump there, about to be made.
void keep_signal_mask(const void* place, bool keeps);
void restore_signal_mask(const void* place, const void* site);
// The present thread's locale (uselocale). Whoever ends it while a thread has it is wrong.
void begin_thread_locale(const void* locale);
void check_locale_unused(const void* locale, const void* site);
// What was done to the heap block, and to those that it points to, is ordered before whatever anybody does with them now.
void settle_block(const void* block);
// Where strtok goes on: the runtime's own note of what the library keeps to itself.
char** split_place();

}  // namespace inspect::runtime
