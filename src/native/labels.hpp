// Names for people of the objects and values of a run that shows a bug: variables of active frames, globals, objects of the
// heap by type and by the place in the user's code that made them.
//
// Guarantees: functions of the program and the schedule alone; no addresses. Deliberately unknown here: how schedule files name
// objects (process/names.hpp), and operations.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "native/stacks.hpp"
#include "process/names.hpp"
#include "process/native_program.hpp"
#include "process/variables.hpp"
#include "report/names.hpp"

namespace inspect::native {

// The demangled name, with std::string in short.
std::string readable_function(const process::Place& place);

class Labels {
 public:
  Labels(const process::VerboseRun& run, const process::Names& names);

  [[nodiscard]] std::string label(std::uint64_t address, std::uint32_t size, std::size_t event);
  [[nodiscard]] std::optional<std::string> value(std::uint64_t address, std::uint32_t size, std::uint64_t value,
                                                 std::size_t event);
  [[nodiscard]] report::Frames frames(const Places& places) const;
  [[nodiscard]] const RunStacks& stacks() const { return stacks_; }
  // Where the variable on a thread's stack that has this address was last known to be there: its function and the callers.
  struct LastFrame {
    std::size_t step;
    ThreadId thread;
    Places places;
  };
  [[nodiscard]] std::optional<LastFrame> last_frame_with(std::uint64_t address, std::uint32_t size);
  // The whole object of the heap that has this address; empty: none has.
  [[nodiscard]] std::string heap_name(std::uint64_t address);
  // If a block begins there and holds one object of so many bytes; else empty.
  [[nodiscard]] std::string whole_block(std::uint64_t address, std::uint64_t pointee);
  // The object of the heap that has this address.
  [[nodiscard]] const process::HeapObject* heap_object(std::uint64_t address) const;

 private:
  struct MadeObject {
    std::string name;  // "Node(queue.cpp:26)"
    std::optional<process::AllocatedType> type;
    std::uint64_t code = 0;  // where its type is known
  };

  [[nodiscard]] std::optional<process::Part> part(std::uint64_t address, std::uint32_t size, std::size_t event);
  [[nodiscard]] std::optional<process::Part> local(std::uint64_t address, std::uint32_t size, std::size_t event);
  [[nodiscard]] std::optional<process::Part> local_in(const process::Stack& stack, std::uint64_t address, std::uint32_t size,
                                                      std::uint32_t site);
  [[nodiscard]] std::optional<process::Part> global(std::uint64_t address, std::uint32_t size);
  [[nodiscard]] std::optional<process::Part> heap(std::uint64_t address, std::uint32_t size);
  [[nodiscard]] std::optional<process::Part> thread_local_part(std::uint64_t address, std::uint32_t size);
  void name_heap();
  [[nodiscard]] MadeObject made(const process::HeapObject& object);
  [[nodiscard]] static MadeObject named(std::optional<process::AllocatedType> type, std::uint64_t bytes,
                                        const std::string& library, const std::string& at);
  [[nodiscard]] process::Variables* variables_at(std::uint64_t address, std::uint64_t* offset);
  [[nodiscard]] std::string text_at(std::uint64_t address) const;

  const process::VerboseRun& run_;
  const process::Names& names_;
  RunStacks stacks_;
  std::map<std::string, process::Variables> variables_;  // by module
  std::optional<std::vector<process::Names::ThreadLocal>> thread_locals_;
  bool heap_named_ = false;
  std::map<std::uint64_t, MadeObject> made_;
};

}  // namespace inspect::native
