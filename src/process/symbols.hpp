// The names of an executable's global objects, from its symbol table.
//
// Guarantees: a damaged or stripped file has no names; it is no error.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace inspect::process {

// "_ZN4PoolD2Ev" is "Pool::~Pool()"; other names stay.
std::string demangled(const std::string& name);

struct Symbol {
  std::uint64_t address;  // relative to the load address
  std::uint64_t size;
  std::string name;  // demangled
};

class SymbolTable {
 public:
  static SymbolTable read(const std::string& path);
  // "counter", "table[+24]"; empty if no object's symbol covers it. offset: address minus load address.
  [[nodiscard]] std::string object_at(std::uint64_t offset) const;

 private:
  std::vector<Symbol> objects_;  // by address
};

}  // namespace inspect::process
