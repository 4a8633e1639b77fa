// Calls real library functions with each argument's memory on pages of its own, and compares what happens with their rows.
//
// A trial says how one call is made. For each row of the function the call is made
//   - with every object open, to learn what the row tells of it;
//   - with every object protected as the row says: not at all accessible, to be read only, or open. A fault is a touch that the
//   row
//     does not tell; a byte that changes outside of what the row says is written is another;
//   - with each object closed in turn: the call must fault, or the row tells of more than happens.
// An object ends where its page ends, and nothing lies behind it: so it is as large as what the row says of it, unless it is
// `larger`. What the call changes in the library's own memory must have a name in the row.
#pragma once
#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace rows {

// Memory of one trial. Every object lies on a page of its own.
class Memory {
 public:
  // A new object with this content.
  void* object(const void* content, std::size_t size);
  // One to be written: what it holds differs from run to run.
  char* out(std::size_t size);
  // Only a part of the object made last is touched; or, on this input, nothing at all.
  void larger();
  void untouched();
  // It need not be touched: the row allows for other inputs.
  void maybe();
  // The first call sets up something that stays as it is, or the call changes what the library guards by locks of its own and
  // no other call gives away: both are no state of the program.
  void sets_up();
  void locks();

  char* text(const char* content) { return static_cast<char*>(object(content, std::strlen(content) + 1)); }
  template <class T>
  T* value(const T& content) {
    return static_cast<T*>(object(&content, sizeof content));
  }
  wchar_t* wide(const wchar_t* content);
  // 0 or 1: differs between runs, for calls that leave a result in the library.
  [[nodiscard]] unsigned variant() const { return variant_; }

 private:
  friend class Harness;
  unsigned variant_ = 0;
};

// One call that is ready to be made.
struct Call {
  std::vector<std::uint64_t> arguments;  // as eight bytes each
  std::function<std::uint64_t()> make;
};

struct Trial {
  std::vector<std::string> names;
  std::function<Call(Memory&, void* function)> prepare;
};

// Adds a trial for each of the functions, names with blanks between.
void add(const char* names, std::function<Call(Memory&, void*)> prepare);

template <class T>
std::uint64_t as_word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uint64_t>(value);
  else if constexpr (std::is_null_pointer_v<T>)
    return 0;
  else if constexpr (std::is_integral_v<T>)
    return std::uint64_t(std::int64_t(value));
  else
    return 0;
}

// A call of a function that returns R.
template <class R, class... A>
Call call(void* function, A... arguments) {
  Call c;
  c.arguments = {as_word(arguments)...};
  c.make = [=]() -> std::uint64_t {
    auto* const f = reinterpret_cast<R (*)(A...)>(function);
    if constexpr (std::is_void_v<R>) {
      f(arguments...);
      return 0;
    } else {
      return as_word(f(arguments...));
    }
  };
  return c;
}

// Likewise, of one that takes more arguments after the Fixed ones, and returns an int.
template <class... Fixed>
struct Variadic {
  template <class... A>
  static Call call(void* function, Fixed... fixed, A... rest) {
    Call c;
    c.arguments = {as_word(fixed)..., as_word(rest)...};
    c.make = [=]() -> std::uint64_t { return as_word(reinterpret_cast<int (*)(Fixed..., ...)>(function)(fixed..., rest...)); };
    return c;
  }
};

// A va_list of pointers and integers, as the machine's convention has it; calls use it up.
class List {
 public:
  template <class... A>
  explicit List(A... arguments) : words_(new std::vector<std::uint64_t>{as_word(arguments)...}), tag_(new Tag) {
    rewind();
  }
  [[nodiscard]] void* get() const { return tag_; }
  void rewind() const { *tag_ = {48, 304, words_->data(), nullptr}; }

 private:
  struct Tag {
    unsigned integers, reals;
    void *rest, *saved;
  };
  std::vector<std::uint64_t>* words_;  // trials end with the process
  Tag* tag_;
};

// A call that takes a list as its last argument.
template <class R, class... A>
Call listed(void* function, List list, A... arguments) {
  Call c = call<R>(function, arguments..., list.get());
  c.make = [list, make = c.make] {
    list.rewind();
    return make();
  };
  return c;
}

// Writes to an object although it may be protected.
void write_freely(void* object, const void* content, std::size_t size);

// Runs all trials, prints what is wrong; the exit status.
int run_all();

}  // namespace rows
