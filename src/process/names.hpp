// What the numbers and addresses of a native execution are called: places in the source, threads, objects.
//
// Guarantees: names hold no addresses; they are functions of the binary and the schedule. Site numbers with the top bit set are
// return addresses of modelled calls, resolved through the debug information (symbolizer.hpp).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/execution.hpp"
#include "process/executor.hpp"
#include "process/symbolizer.hpp"
#include "process/symbols.hpp"

namespace inspect::process {

struct StackFrame {
  std::uint64_t address = 0;  // where it goes on
  std::uint64_t frame = 0;    // the frame pointer of the function there; 0: not known
};
using Stack = std::vector<StackFrame>;  // innermost first

struct HeapObject {
  std::uint64_t size;
  ThreadId thread;
  std::uint32_t site;
  Stack stack = {};        // where it was allocated, the runtime's frames included
  std::size_t number = 0;  // in the order of allocation
  // From before main, on the process's own stack: schedule files name no place of it.
  [[nodiscard]] bool is_of_boot() const;
};

class Names {
 public:
  Names(Executor& executor, const std::string& program) : executor_(executor), program_(program) {}
  // The innermost place that is not in a header of the system, if there is one.
  [[nodiscard]] Place place(std::uint32_t site) const;
  // The place first, then the calls it was inlined into.
  [[nodiscard]] std::vector<Place> inlined(std::uint32_t site) const;
  [[nodiscard]] std::vector<Place> code_address(std::uint64_t address) const;
  [[nodiscard]] std::string thread(ThreadId number) const;
  [[nodiscard]] std::string object(std::uint64_t address) const;
  // The module with this address: its file, and how far into it.
  [[nodiscard]] std::optional<std::string> module_at(std::uint64_t address, std::uint64_t* offset) const;
  // The address behind the call that a site stands for, if it is one of a modelled function; which function was called there.
  [[nodiscard]] std::optional<std::uint64_t> address_of(std::uint32_t site) const;
  [[nodiscard]] std::string called(std::uint32_t site) const;
  // A string that stands among the constants of the program: none if it is not one.
  [[nodiscard]] std::optional<std::string> constant_text(std::uint64_t address) const;
  // A thread_local variable, and where a thread's copy lies in its block of them.
  struct ThreadLocal {
    std::string module, name;  // the linker's name
    std::uint64_t begin, size;
  };
  [[nodiscard]] std::vector<ThreadLocal> thread_locals() const;
  // As the user would write it: relative to the working directory where it lies below that.
  [[nodiscard]] std::string shown_path(const std::string& file) const;
  // Heap objects of the verbose execution that is being reported.
  void set_heap(std::map<std::uint64_t, HeapObject> heap) { heap_ = std::move(heap); }

 private:
  [[nodiscard]] std::vector<Place> table_entry(std::uint32_t site) const;
  [[nodiscard]] std::vector<Place> code(std::uint32_t number) const;
  [[nodiscard]] unsigned module_count() const;
  [[nodiscard]] const inspect_module* module_of(std::uint64_t address) const;
  [[nodiscard]] std::string path_of(const inspect_module& module) const;
  [[nodiscard]] const SymbolTable& symbols(const std::string& path) const;

  Executor& executor_;
  std::string program_;
  mutable std::map<std::string, Symbolizer> symbolizers_;  // by module
  mutable std::map<std::string, SymbolTable> symbols_;
  std::map<std::uint64_t, HeapObject> heap_;
  mutable std::unordered_map<std::uint32_t, std::vector<Place>> known_;
};

}  // namespace inspect::process
