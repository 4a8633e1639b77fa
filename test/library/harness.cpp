#include "harness.hpp"
#include "symbols.hpp"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "hooks/library_table.hpp"
#include "runtime/environment/library_actions.hpp"

namespace rows {

namespace {

constexpr std::size_t kPage = 4096, kSlots = 12;

enum Access : unsigned { kNothing = 0, kReads = 1, kWrites = 2 };

struct Slot {
  std::size_t size = 0;
  bool larger = false, untouched = false, maybe = false, freely = false;
  unsigned access = kWrites;
  std::vector<std::uint8_t> told;  // per byte, what the row says
  bool faulted = false, fault_writes = false;
  long fault_at = 0;
};

struct Pages {
  char* base = nullptr;
  Slot slots[kSlots];
  unsigned count = 0;

  char* page(unsigned i) const { return base + (2 * i + 1) * kPage; }
  char* object(unsigned i) const { return page(i) + kPage - slots[i].size; }
};
Pages pages;
unsigned char pattern = 0x55;

void protect(unsigned slot, unsigned access) {
  pages.slots[slot].access = access;
  const int how = access & kWrites ? PROT_READ | PROT_WRITE : access & kReads ? PROT_READ : PROT_NONE;
  mprotect(pages.page(slot), kPage, how);
}

// Notes the fault and lets the call go on: it may hold a lock of the library.
void on_fault(int, siginfo_t* info, void* context) {
  char* const at = static_cast<char*>(info->si_addr);
  const bool writes = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2;
  for (unsigned i = 0; i < pages.count; ++i) {
    if (at < pages.page(i) || at >= pages.page(i) + 2 * kPage) continue;
    Slot& slot = pages.slots[i];
    if (!slot.faulted || writes) {
      slot.faulted = true;
      slot.fault_writes |= writes;
      slot.fault_at = at - pages.object(i);
    }
    const bool second = at >= pages.page(i) + kPage;
    mprotect(pages.page(i), second ? 2 * kPage : kPage, PROT_READ | (writes || second ? PROT_WRITE : 0));
    return;
  }
  signal(SIGSEGV, SIG_DFL);
}

void reset(unsigned char fill) {
  pattern = fill;
  if (!pages.base) {
    pages.base = static_cast<char*>(mmap(nullptr, (2 * kSlots + 2) * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
  }
  for (unsigned i = 0; i < std::max(pages.count, 1u); ++i) {
    protect(i, kWrites);
    mprotect(pages.page(i) + kPage, kPage, PROT_NONE);
    memset(pages.page(i), fill, kPage);
    pages.slots[i] = {};
  }
  pages.count = 0;
}

// --- the library's own memory

struct Range {
  char* begin;
  std::size_t size;
};

std::vector<Range> library_memory() {
  std::vector<Range> found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::string name = info->dlpi_name;
        const bool watched = name.find("/libc.so") != name.npos || name.find("/libm.so") != name.npos;
        if (!watched && name.find("/libstdc++.so") == name.npos) return 0;
        Range relro{};
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro = {reinterpret_cast<char*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_phdr[i].p_memsz};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
          char* begin = reinterpret_cast<char*>(info->dlpi_addr + header.p_vaddr);
          char* const end = begin + header.p_memsz;
          if (relro.begin && begin <= relro.begin + relro.size) begin = relro.begin + relro.size;
          if (begin < end) static_cast<std::vector<Range>*>(data)->push_back({begin, std::size_t(end - begin)});
        }
        return 0;
      },
      &found);
  return found;
}

void copy(const std::vector<Range>& ranges, std::vector<char>& copy) {
  copy.clear();
  for (const Range& range : ranges) copy.insert(copy.end(), range.begin, range.begin + range.size);
}

// Where it differs; null: nowhere.
const char* difference(const std::vector<Range>& ranges, const std::vector<char>& before) {
  std::size_t at = 0;
  for (const Range& range : ranges) {
    if (memcmp(range.begin, before.data() + at, range.size) != 0)
      for (std::size_t i = 0; i < range.size; ++i)
        if (range.begin[i] != before[at + i]) return range.begin + i;
    at += range.size;
  }
  return nullptr;
}

std::string symbol_at(const char* address) {
  Dl_info info;
  if (!dladdr(address, &info)) return "?";
  char text[200];
  snprintf(text, sizeof text, "%s + %#tx (%s)", info.dli_fname, address - static_cast<char*>(info.dli_fbase),
           info.dli_sname ? info.dli_sname : "?");
  return text;
}

// --- what a row says of a call

std::string failure;  // of the run in hand

void fail(const std::string& text) {
  if (failure.empty()) failure = text;
}

bool library_state_reported, library_state_written, sets_up, locks;

}  // namespace
}  // namespace rows

namespace inspect::runtime {

namespace {
void note(const void* address, std::size_t size, unsigned access) {
  using namespace rows;
  const char* const at = static_cast<const char*>(address);
  for (unsigned i = 0; i < pages.count; ++i) {
    if (at < pages.page(i) || at > pages.page(i) + kPage) continue;
    Slot& slot = pages.slots[i];
    const long begin = at - pages.object(i);
    if (!size) return;
    if (begin < 0 || begin + size > slot.size)
      return fail("the row tells of bytes " + std::to_string(begin) + " to " + std::to_string(begin + long(size)) +
                  " of object " + std::to_string(i) + ", which has " + std::to_string(slot.size));
    for (std::size_t k = 0; k < size; ++k) slot.told[std::size_t(begin) + k] |= access;
    return;
  }
}
}  // namespace

void touch_read(const void* address, std::size_t size, const void*) { note(address, size, rows::kReads); }
void touch_write(const void* address, std::size_t size, const void*) { note(address, size, rows::kWrites); }
void touch_locked(const void* address, std::size_t size, bool write, const void*) {
  note(address, size, write ? rows::kWrites : rows::kReads);
}
void begin_memory_stream(const MemoryStream&, const void*) { rows::library_state_reported = true; }
void begin_text_stream(const TextStream&, const void*) { rows::library_state_reported = true; }
const MemoryStream* find_memory_stream(const void*) { return nullptr; }
void meet_unseen(const char*, const void*) {}
void keep_memory(const char*, const void*, const void*) { rows::library_state_reported = true; }
char** random_place() {
  static char* place;
  return &place;
}
void touch_library_state(LibraryState, bool write, const void*) {
  rows::library_state_reported = true;
  rows::library_state_written |= write;
}
bool is_on_heap(const void*) { return true; }
void keep_signal_mask(const void*, bool) {}
void restore_signal_mask(const void*, const void*) {}
void begin_thread_locale(const void*) {}
void settle_block(const void*) {}
void check_locale_unused(const void*, const void*) {}
char** split_place() {
  static char* place;
  return &place;
}

}  // namespace inspect::runtime

namespace rows {

namespace {

using inspect::library::Effect;
using inspect::library::Extent;
using inspect::library::Function;
namespace runtime = inspect::runtime;

class Told {
 public:
  Told(const Function& row, const Call& call) : row_(row), call_(call) {}

  void before() {
    for (const Effect& effect : row_.effects)
      if (is_before(effect)) tell(effect, 0);
  }
  void after(std::uint64_t result) {
    for (const Effect& effect : row_.effects)
      if (!is_before(effect)) tell(effect, result);
  }

 private:
  const Function& row_;
  const Call& call_;

  static bool is_before(const Effect& effect) {
    switch (effect.kind) {
      case Effect::write_after:
      case Effect::write_if_zero:
      case Effect::scan_arguments:
      case Effect::scan_list:
      case Effect::acted:
        return false;
      default:
        return true;
    }
  }

  [[nodiscard]] std::uint64_t argument(std::uint64_t i) const { return i < call_.arguments.size() ? call_.arguments[i] : 0; }

  std::size_t bytes(const Effect& effect, const void* place, std::int64_t result) const {
    const Extent& e = effect.extent;
    const std::uint64_t positive = result > 0 ? std::uint64_t(result) : 0;
    switch (e.kind) {
      case Extent::constant:
        return e.first;
      case Extent::argument:
        return argument(e.first) * e.unit;
      case Extent::product:
        return argument(e.first) * argument(e.second);
      case Extent::string:
        return runtime::text_size(place, ~0ull, unsigned(e.unit));
      case Extent::limited_string:
        return runtime::text_size(place, argument(e.second), unsigned(e.unit));
      case Extent::string_of:
        return runtime::text_size(reinterpret_cast<void*>(argument(e.first)), ~0ull, unsigned(e.unit));
      case Extent::result:
        return positive * e.unit;
      case Extent::result_times:
        return positive * argument(e.first);
      case Extent::result_and_end:
        return result < 0 ? 0 : std::min(std::uint64_t(result) + 1, argument(e.first));
      case Extent::result_at_most:
        return std::min(positive, argument(e.first));
    }
    return 0;
  }

  void tell(const Effect& effect, std::uint64_t result) {
    const std::uint64_t value = effect.argument == inspect::library::kResult ? result : argument(effect.argument);
    void* const place = reinterpret_cast<void*>(value);
    void* const next = reinterpret_cast<void*>(argument(effect.argument + 1));
    runtime::FormatArguments words{
        call_.arguments.data() + effect.argument + 1,
        unsigned(call_.arguments.size() - std::min<std::size_t>(call_.arguments.size(), effect.argument + 1)), nullptr};
    switch (effect.kind) {
      case Effect::read:
      case Effect::write:
        if (place) runtime_touch(effect, place, bytes(effect, place, 0));
        return;
      case Effect::write_after:
        if (place) runtime_touch(effect, place, bytes(effect, place, std::int64_t(result)));
        return;
      case Effect::write_if_zero:
        if (place && !result) runtime_touch(effect, place, bytes(effect, place, 0));
        return;
      case Effect::library_state_read:
      case Effect::library_state_write:
        library_state_reported = true;
        library_state_written |= effect.kind == Effect::library_state_write;
        return;
      case Effect::print_arguments:
      case Effect::print_list:
        if (effect.kind == Effect::print_list) words = {nullptr, 0, next};
        if (!runtime::touch_printed(place, effect.wide, words, nullptr)) fail("the format is not understood");
        return;
      case Effect::scan_arguments:
      case Effect::scan_list:
        if (effect.kind == Effect::scan_list) words = {nullptr, 0, next};
        if (!runtime::touch_scanned(place, effect.wide, words, std::int64_t(result), nullptr))
          fail("the format is not understood");
        return;
      case Effect::acts:
      case Effect::acted: {
        runtime::LibraryCall call{};
        for (unsigned i = 0; i < 6; ++i) call.arguments[i] = argument(i);
        call.result = result;
        runtime::perform(runtime::LibraryAction(effect.object), call, nullptr);
        return;
      }
      case Effect::count:
        return;  // of the C++ library alone
    }
  }

  static void runtime_touch(const Effect& effect, const void* place, std::size_t size) {
    effect.kind == Effect::read ? runtime::touch_read(place, size, nullptr) : runtime::touch_write(place, size, nullptr);
  }
};

}  // namespace

void* Memory::object(const void* content, std::size_t size) {
  const unsigned i = pages.count++;
  if (i >= kSlots || size > kPage) abort();
  protect(i, kWrites);
  memset(pages.page(i), pattern, kPage);
  pages.slots[i].size = size;
  pages.slots[i].told.assign(size, kNothing);
  if (content) memcpy(pages.object(i), content, size);
  return pages.object(i);
}

char* Memory::out(std::size_t size) { return static_cast<char*>(object(nullptr, size)); }
void Memory::larger() { pages.slots[pages.count - 1].larger = true; }
void Memory::maybe() { pages.slots[pages.count - 1].maybe = true; }
void Memory::sets_up() { rows::sets_up = true; }
void Memory::locks() { rows::locks = true; }
void Memory::untouched() { pages.slots[pages.count - 1].untouched = true; }

wchar_t* Memory::wide(const wchar_t* content) {
  std::size_t n = 0;
  while (content[n]) ++n;
  return static_cast<wchar_t*>(object(content, (n + 1) * sizeof *content));
}

void write_freely(void* object, const void* content, std::size_t size) {
  for (unsigned i = 0; i < pages.count; ++i) {
    if (object != pages.object(i)) continue;
    const unsigned access = pages.slots[i].access;
    pages.slots[i].freely = true;
    protect(i, kWrites);
    memcpy(object, content, size);
    protect(i, access);
  }
}

class Harness {
 public:
  Harness(const Function& row, const Trial& trial, void* function) : row_(row), trial_(trial), function_(function) {}

  std::string run() {
    failure.clear();
    library_state_reported = library_state_written = sets_up = locks = false;
    const auto memory = library_memory();
    static std::vector<char> before, between;  // one room for all: it is never given back (memory.cpp)
    copy(memory, before);
    learn();
    copy(memory, between);
    for (const unsigned char fill : {0x55, 0xAA}) keep_to_it(fill);
    const char* changed = sets_up ? nullptr : difference(memory, before);
    if (const char* later = difference(memory, between)) changed = later;
    if (changed && !library_state_reported && !locks) fail("changes the library's memory at " + symbol_at(changed));
    for (unsigned i = 0; i < told_.size(); ++i) close(i);
    reset(0);
    return failure;
  }

 private:
  const Function& row_;
  const Trial& trial_;
  void* function_;
  std::vector<std::vector<std::uint8_t>> told_;

  Call prepare(unsigned char fill, unsigned variant) {
    reset(fill);
    Memory memory;
    memory.variant_ = variant;
    return trial_.prepare(memory, function_);
  }

  static unsigned access(const std::vector<std::uint8_t>& told) {
    unsigned all = 0;
    for (const auto byte : told) all |= byte;
    return all;
  }

  // The kernel does not fault on behalf of a call: it refuses.
  static bool kernel_faults(const Call& call) {
    errno = 0;
    call.make();
    return errno == EFAULT;
  }

  void learn() {
    Call call = prepare(0x55, 0);
    Told told(row_, call);
    told.before();
    const std::uint64_t result = call.make();
    told.after(result);
    for (unsigned i = 0; i < pages.count; ++i) {
      const Slot& slot = pages.slots[i];
      told_.push_back(slot.told);
      const auto silent = std::size_t(std::count(slot.told.begin(), slot.told.end(), 0));
      if (silent && !slot.larger && !slot.untouched)
        fail("the row says nothing of " + std::to_string(silent) + " of the " + std::to_string(slot.size) +
             " bytes of object " + std::to_string(i));
      if (slot.untouched && silent != slot.size) fail("the row tells of object " + std::to_string(i));
    }
  }

  void keep_to_it(unsigned char fill) {
    Call call = prepare(fill, 1);
    std::vector<std::vector<char>> before;
    for (unsigned i = 0; i < pages.count; ++i) {
      before.emplace_back(pages.page(i), pages.page(i) + kPage);
      protect(i, access(told_[i]));
    }
    if (kernel_faults(call)) fail("hands memory to the kernel that the row does not tell of");
    for (unsigned i = 0; i < pages.count; ++i) {
      const Slot& slot = pages.slots[i];
      if (slot.faulted)
        fail(std::string(slot.fault_writes ? "writes" : "reads") + " byte " + std::to_string(slot.fault_at) + " of object " +
             std::to_string(i) + ", which the row does not say");
      protect(i, kReads);
      for (std::size_t k = 0; k < kPage; ++k) {
        const long at = long(k) - long(kPage - slot.size);
        const bool allowed = at >= 0 && told_[i][std::size_t(at)] & kWrites;
        if (!allowed && !slot.freely && pages.page(i)[k] != before[i][k])
          fail("changes byte " + std::to_string(at) + " of object " + std::to_string(i) + ", which the row does not say");
      }
    }
  }

  // Does what the row tells of this object happen?
  void close(unsigned i) {
    const unsigned told = access(told_[i]);
    for (const unsigned kind : {kReads, kWrites}) {
      if (!(told & kind) || (kind == kReads && told & kWrites)) continue;
      Call call = prepare(0x55, 0);
      protect(i, kind == kReads ? kNothing : kReads);
      const bool in_kernel = kernel_faults(call);
      const Slot& slot = pages.slots[i];
      if (!slot.maybe && !in_kernel && (kind == kReads ? !slot.faulted : !slot.fault_writes))
        fail("does not " + std::string(kind == kReads ? "read" : "write") + " object " + std::to_string(i) +
             ", as the row says");
    }
  }
};

namespace {

std::vector<Trial>& trials() {
  static std::vector<Trial> all;
  return all;
}

// Rows with tests elsewhere: atomics of the compiler's library, which the pass knows by name.
bool is_elsewhere(std::string_view name) { return name.starts_with("__atomic_"); }

using Table = std::unordered_map<std::string_view, Function>;

// The row of a function: its own, or the longest beginning that has one.
Table::const_iterator row_of(const Table& table, const std::string& name) {
  auto row = table.find(name);
  for (std::size_t length = name.size(); row == table.end() && length > 2; --length)
    row = table.find(name.substr(0, length) + "*");
  return row;
}

// Functions that a row of the table stands for; those of a beginning are what the C++ library exports.
std::vector<std::string> functions_of(std::string_view key) {
  if (!key.ends_with("*")) return {std::string(key)};
  std::vector<std::string> found;
  for (const std::string& name : exported_functions())
    if (name.starts_with(key.substr(0, key.size() - 1))) found.push_back(name);
  return found;
}

}  // namespace

void add(const char* names, std::function<Call(Memory&, void*)> prepare) {
  Trial trial{{}, std::move(prepare)};
  inspect::library::for_each_word(names, [&](std::string_view name) { trial.names.emplace_back(name); });
  trials().push_back(std::move(trial));
}

int run_all() {
  std::string error;
  const auto table = inspect::library::read_rows(error);
  if (!error.empty()) return fprintf(stderr, "%s\n", error.c_str()), 1;
  std::set<std::string, std::less<>> tried;
  unsigned bad = 0, absent = 0, calls = 0;
  const char* const only = getenv("ROW");
  for (const Trial& trial : trials())
    for (const std::string& name : trial.names) {
      tried.insert(name);
      if (only && name != only) continue;
      const auto row = row_of(table, name);
      void* const function = dlsym(RTLD_DEFAULT, name.c_str());
      std::string wrong;
      if (row == table.end())
        wrong = "there is a trial, but no row";
      else if (!function)
        ++absent;
      else
        ++calls, wrong = Harness(row->second, trial, function).run();
      if (!wrong.empty()) ++bad, printf("%s: %s\n", name.c_str(), wrong.c_str());
    }
  std::vector<std::string> untried;
  for (const auto& [name, row] : table)
    for (const std::string& function : functions_of(name))
      if (!row.modelled && !is_elsewhere(name) && !tried.contains(function) && !is_not_compared(function))
        untried.push_back(function);
  std::sort(untried.begin(), untried.end());
  for (const std::string& name : untried)
    printf("%s: a row of library.def that no trial compares with the function\n", name.c_str());
  printf("%u calls compared with their rows, %u functions that this library does not have, %zu wrong\n", calls, absent,
         bad + untried.size());
  return bad || !untried.empty();
}

}  // namespace rows
