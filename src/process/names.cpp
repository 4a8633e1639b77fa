#include "process/names.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "hooks/address_map.hpp"
#include "hooks/site.h"

namespace inspect::process {

using runtime::kArenaBase, runtime::kArenaBytes, runtime::kStackBase, runtime::kStackSlot;

namespace {

constexpr std::uint32_t kCode = 0x80000000u;  // a site number that stands for a place in the machine code

// One spelling for a file: "./a.c" is "a.c", "/usr/lib/gcc/…/12/../../../../include/c++/12/map" is "/usr/include/c++/12/map".
std::string plain_path(const std::string& path) {
  if (path.starts_with("./")) return path.substr(2);
  const bool winds = path.starts_with("/usr/") && path.find("/../") != std::string::npos;
  return winds ? std::filesystem::path(path).lexically_normal().string() : path;
}

// Headers of the system: the place a user looks for is where they were called.
bool is_library_file(const std::string& file) { return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/"); }

}  // namespace

bool HeapObject::is_of_boot() const {
  if (stack.empty()) return false;
  const std::uint64_t frame = stack.front().frame;
  return frame < kStackBase || frame >= kStackBase + kStackSlot * kMaxThreads;
}

std::vector<Place> Names::table_entry(std::uint32_t site) const {
  std::vector<Place> places;
  const inspect_channel& c = executor_.channel();
  std::uint64_t at = 0;
  for (unsigned k = 0; k < module_count(); ++k)
    if (const inspect_module& i = c.modules[k]; site >= i.first_site && site - i.first_site < i.site_count)
      at = i.sites + static_cast<std::uint64_t>(site - i.first_site) * sizeof(inspect_site);
  for (inspect_site entry; at && places.size() < 32 && executor_.read_memory(at, &entry, sizeof entry);) {
    Place place;
    place.file = executor_.read_text(reinterpret_cast<std::uint64_t>(entry.file));
    place.function = executor_.read_text(reinterpret_cast<std::uint64_t>(entry.function));
    place.expression = executor_.read_text(reinterpret_cast<std::uint64_t>(entry.expression));
    place.line = entry.line;
    place.column = entry.column;
    places.push_back(std::move(place));
    at = reinterpret_cast<std::uint64_t>(entry.inlined_at);
  }
  return places;
}

unsigned Names::module_count() const { return std::min<unsigned>(executor_.channel().module_count, INSPECT_MAX_MODULES); }

const inspect_module* Names::module_of(std::uint64_t address) const {
  for (unsigned k = 0; k < module_count(); ++k)
    if (const inspect_module& i = executor_.channel().modules[k]; address >= i.begin && address < i.end) return &i;
  return nullptr;
}

std::string Names::path_of(const inspect_module& module) const {
  return module.path[0] ? std::string(module.path, strnlen(module.path, sizeof module.path)) : program_;
}

// A return address is the instruction after the call.
std::vector<Place> Names::code(std::uint32_t number) const {
  for (unsigned k = 0; number && k < module_count(); ++k) {
    const inspect_module& module = executor_.channel().modules[k];
    if (number < module.first_code || number - module.first_code >= module.end - module.begin) continue;
    const std::string path = path_of(module);
    const std::uint64_t offset = number - module.first_code - 1;
    auto places = symbolizers_.try_emplace(path, path).first->second.places(offset);
    // As the linker knows it, like the site table.
    if (const std::string name = symbols(path).function_at(offset); !places.empty() && !name.empty())
      places.back().function = name;
    return places;
  }
  return {};
}

const SymbolTable& Names::symbols(const std::string& path) const {
  const auto known = symbols_.find(path);
  return known != symbols_.end() ? known->second : symbols_.emplace(path, SymbolTable::read(path)).first->second;
}

std::vector<Place> Names::inlined(std::uint32_t site) const {
  const auto found = known_.find(site);
  if (found != known_.end()) return found->second;
  auto places = site & kCode ? code(site & ~kCode) : table_entry(site);
  for (Place& place : places) {
    place.file = plain_path(place.file);
    if (place.function == "inspect_program_main") place.function = "main";
  }
  known_.emplace(site, places);
  return places;
}

Place Names::place(std::uint32_t site) const {
  const auto places = inlined(site);
  for (const Place& place : places)
    if (!is_library_file(place.file)) return place;
  return places.empty() ? Place{} : places.front();
}

std::vector<Place> Names::code_address(std::uint64_t address) const {
  const inspect_module* const module = module_of(address);
  if (!module) return {};
  return inlined(kCode | (module->first_code + static_cast<std::uint32_t>(address - module->begin)));
}

std::optional<std::string> Names::module_at(std::uint64_t address, std::uint64_t* offset) const {
  const inspect_module* const module = module_of(address);
  if (!module) return std::nullopt;
  *offset = address - module->begin;
  return path_of(*module);
}

std::optional<std::uint64_t> Names::address_of(std::uint32_t site) const {
  if (!(site & kCode)) return std::nullopt;
  const std::uint32_t number = site & ~kCode;
  for (unsigned k = 0; number && k < module_count(); ++k) {
    const inspect_module& module = executor_.channel().modules[k];
    if (number >= module.first_code && number - module.first_code < module.end - module.begin)
      return module.begin + (number - module.first_code);
  }
  return std::nullopt;
}

// By the call instruction: directly, or through the table of what is linked dynamically.
std::string Names::called(std::uint32_t site) const {
  const auto behind = address_of(site);
  const inspect_module* const module = behind ? module_of(*behind) : nullptr;
  unsigned char call[5], jump[6];
  if (!module || !executor_.read_memory(*behind - sizeof call, call, sizeof call) || call[0] != 0xe8) return {};
  const auto displaced = [](std::uint64_t from, const unsigned char* at) {
    std::int32_t by = 0;
    std::memcpy(&by, at, sizeof by);
    return from + static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
  };
  const std::uint64_t target = displaced(*behind, call + 1);
  const SymbolTable& table = symbols(path_of(*module));
  if (std::string name = table.function_at(target - module->begin); !name.empty()) return name;
  if (!executor_.read_memory(target, jump, sizeof jump) || jump[0] != 0xff || jump[1] != 0x25) return {};
  return table.imported_at(displaced(target + sizeof jump, jump + 2) - module->begin);
}

std::optional<std::string> Names::constant_text(std::uint64_t address) const {
  const inspect_module* const module = module_of(address);
  if (!module || !symbols(path_of(*module)).is_constant(address - module->begin)) return std::nullopt;
  return executor_.read_text(address);
}

std::vector<Names::ThreadLocal> Names::thread_locals() const {
  std::vector<ThreadLocal> found;
  for (unsigned k = 0; k < module_count(); ++k) {
    const inspect_module& module = executor_.channel().modules[k];
    const std::string path = path_of(module);
    for (const auto& [at, name] : symbols(path).thread_locals()) {
      inspect_tls_variable variable{};
      if (executor_.read_memory(module.begin + at, &variable, sizeof variable) && variable.offset)
        found.push_back({path, name, variable.offset - 1, variable.size});
    }
  }
  return found;
}

std::string Names::shown_path(const std::string& file) const {
  if (!file.starts_with('/')) return file;
  std::error_code failed;
  const std::string here = std::filesystem::current_path(failed).string() + '/';
  const std::string plain = std::filesystem::path(file).lexically_normal().string();
  return !failed && plain.starts_with(here) ? plain.substr(here.size()) : plain;
}

std::string Names::thread(ThreadId number) const {
  if (number == 0) return "0";
  if (number >= kMaxThreads) return "?";
  const inspect_thread_name name = executor_.channel().threads[number];
  if (name.parent >= number) return "?";  // the program wrote over it
  return thread(name.parent) + "." + std::to_string(name.index);
}

std::string Names::object(std::uint64_t address) const {
  if (address == 0) return {};
  if (address == INSPECT_PROCESS_OBJECT) return "process";
  if (address == INSPECT_FILE_NAMES_OBJECT) return "the names of files";
  if (address == INSPECT_EXIT_HANDLERS_OBJECT) return "the exit handlers";
  if (address == INSPECT_SIGNALS_OBJECT) return "the process's signals";
  if (address == INSPECT_WORKING_DIRECTORY_OBJECT) return "the working directory";
  if (address == INSPECT_FILE_MASK_OBJECT) return "the mode of new files";
  if (address == INSPECT_MEMORY_STREAMS_OBJECT) return "streams in memory";
  if (address >= inspect_number_object(0) && address < inspect_number_object(INSPECT_MAX_DESCRIPTORS))
    return "the table of descriptors";
  if (address >= inspect_descriptor_object(0) && address < inspect_descriptor_object(INSPECT_MAX_OPEN_FILES)) {
    const std::uint64_t at = address - inspect_descriptor_object(0);
    return (at % 128 < 64 ? "descriptor " : "open file ") + std::to_string(at / 128);
  }
  if (address >= inspect_content_object(0) && address <= inspect_content_object(INSPECT_MAX_CONTENTS - 1))
    return "file contents";
  if (address >= inspect_thread_object(0) && address < inspect_thread_object(kMaxThreads))
    return "thread " + thread(static_cast<ThreadId>((address - inspect_thread_object(0)) / 64));
  if (address >= inspect_cancel_object(0) && address < inspect_cancel_object(kMaxThreads)) {
    const auto id = static_cast<ThreadId>((address - inspect_cancel_object(0)) / 64);
    return (address == inspect_cancel_object(id) ? "cancellation of thread " : "signals of thread ") + thread(id);
  }
  if (address >= kStackBase && address < kStackBase + kStackSlot * kMaxThreads)
    return "stack of thread " + thread(static_cast<ThreadId>((address - kStackBase) / kStackSlot));
  if (address >= kArenaBase && address < kArenaBase + kArenaBytes) {
    auto after = heap_.upper_bound(address);
    if (after == heap_.begin() || std::prev(after)->second.is_of_boot()) return "heap object";
    const auto& [begin, object] = *--after;
    const Place from = place(object.site);
    std::string text = "heap object";
    if (address - begin) text += "[+" + std::to_string(address - begin) + "]";
    return from.file.empty() ? text : text + " of " + from.file + ":" + std::to_string(from.line);
  }
  const inspect_module* const module = module_of(address);
  return module ? symbols(path_of(*module)).object_at(address - module->begin) : std::string();
}

}  // namespace inspect::process
