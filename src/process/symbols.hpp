// The names of an executable's functions and global objects, from its symbol table.
//
// Guarantees: a damaged or stripped file has no names; it is no error.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inspect::process {

// "_ZN4PoolD2Ev" is "Pool::~Pool()"; other names stay.
std::string demangled(const std::string& name);

// A section of an ELF file as it is; empty: there is none.
std::string section_of(const std::string& path, const std::string& name);

struct Symbol {
  std::uint64_t size;
  std::string name;  // the linker's
};

using Symbols = std::map<std::uint64_t, Symbol>;  // by address, relative to the load address

class SymbolTable {
 public:
  static SymbolTable read(const std::string& path);
  // "counter", "table[+24]", demangled; empty if no object's symbol covers it. offset: address minus load address.
  [[nodiscard]] std::string object_at(std::uint64_t offset) const;

  // The linker's name of the function that has this code; empty if none has.
  [[nodiscard]] std::string function_at(std::uint64_t offset) const;
  // The function of another module whose address the linker puts there; empty: none.
  [[nodiscard]] std::string imported_at(std::uint64_t offset) const;
  // The program's thread_local variables: where their descriptors (hooks/site.h) stand, and the linker's names of the
  // variables.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::string>> thread_locals() const;
  // Does data stand there that the program cannot change?
  [[nodiscard]] bool is_constant(std::uint64_t offset) const;

 private:
  Symbols objects_, functions_;
  std::map<std::uint64_t, std::string> imported_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> constants_;  // begin and end
};

}  // namespace inspect::process
