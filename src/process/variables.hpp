// What the source calls a part of an object, and how its values read: variables, their members and elements, from the debug
// information (libdw).
//
// Guarantees: read at the first question; what cannot be found is an empty answer, and so is a variable that is not in memory.
// Members are named down to where the program's own types end: of an object of a library its own name is all. Deliberately
// unknown here: which frame or object an address is in.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inspect::process {

// How a value is read.
struct ValueForm {
  enum class Kind : std::uint8_t {
    unknown,
    boolean,
    character,
    integer,
    natural,
    enumeration,
    floating,
    pointer,
    text
  } kind = Kind::unknown;
  bool cpp = true;                                 // nullptr rather than NULL
  std::uint64_t pointee = 1;                       // bytes of what a pointer points to
  std::map<std::int64_t, std::string> names = {};  // of an enumeration
};

struct Part {
  std::string name;  // "pool.m", "account[3].lock"; of a part of an object of the heap ".next", "[3].x", or empty
  ValueForm form = {};
};

// A global or static variable, or a part of one, that is one number.
struct GlobalNumber {
  std::uint64_t offset = 0, bytes = 0;  // from the load address
  bool is_signed = false;
};

// Of an object of the heap.
struct AllocatedType {
  std::string name;         // "Node"
  std::uint64_t begin = 0;  // where it lies in its block: the library puts its own in front
  std::uint64_t size = 0;   // of one of them; 0: not known
  bool several = false;     // an array of them, perhaps
  bool of_library = false;  // of the C++ library, or of what stands in for it
  bool in_node = false;     // an element that a container has put into a node of its own
  bool counted = false;     // a std::shared_ptr's counts are in front
  std::uint64_t key = 0;    // which type, for member(); 0: what it consists of is not known
};

class Variables {
 public:
  explicit Variables(std::string program);
  ~Variables();
  Variables(Variables&&) noexcept;

  // The part of a global or static variable that `size` bytes at `offset` from the load address are.
  std::optional<Part> global(std::uint64_t offset, std::uint64_t size);
  // The part of the global or static variable with that linker's name that `size` bytes at `offset` into it are.
  Part part_of(const std::string& linkage_name, std::uint64_t offset, std::uint64_t size);
  // All of that name, as global() gives it, that are numbers, truth values or enumerations.
  std::vector<GlobalNumber> numbers_named(const std::string& name);
  // Of a variable of the function at `code`, `distance` bytes above its frame pointer.
  std::optional<Part> local(std::uint64_t code, std::int64_t distance, std::uint64_t size);
  // Which type the code there allocates, if it is a library's allocator.
  std::optional<AllocatedType> allocated_at(std::uint64_t code);
  // Which type the call of an allocating function at `code` is for, if that is certain.
  std::optional<AllocatedType> created_at(std::uint64_t code);
  // A part of an object of the heap, `offset` bytes into its block.
  Part member(const AllocatedType& type, std::uint64_t offset, std::uint64_t size);

 private:
  class Reader;
  Reader& reader();

  std::string program_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace inspect::process
