#include "runtime/environment/standard_streams.hpp"
#include "runtime/memory/module.hpp"

#include <string.h>

#include <initializer_list>

#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/stream_questions.hpp"

extern "C" {
extern char _ZSt4cout[] __attribute__((weak));
extern char _ZSt4cerr[] __attribute__((weak));
extern char _ZSt4clog[] __attribute__((weak));
extern char _ZSt3cin[] __attribute__((weak));
extern char _ZSt5wcout[] __attribute__((weak));
extern char _ZSt5wcerr[] __attribute__((weak));
extern char _ZSt5wclog[] __attribute__((weak));
extern char _ZSt4wcin[] __attribute__((weak));
}

namespace inspect::runtime {
namespace {

// libstdc++'s layouts: a stream is a table pointer (and a count, of input), then basic_ios.
constexpr std::size_t kBufferInIos = 232, kOutputBytes = 272, kInputBytes = 280, kBufferBytes = 80;

struct Stream {
  std::uintptr_t object, bytes, buffer_field, buffer;
};
constexpr unsigned kMostStreams = 8;
Stream streams[kMostStreams];
unsigned stream_count;
std::uintptr_t lowest, span;  // all are within

std::uintptr_t buffer_of(const Stream& s) { return *reinterpret_cast<const std::uintptr_t*>(s.buffer_field); }

void add(const char* object, bool input) {
  if (!object) return;
  const auto place = reinterpret_cast<std::uintptr_t>(object);
  Stream s{place, input ? kInputBytes : kOutputBytes, place + (input ? 16 : 8) + kBufferInIos, 0};
  s.buffer = buffer_of(s);
  if (s.buffer) streams[stream_count++] = s;
}

const inspect_site* site_of(std::uint32_t number) {
  return number && number <= modules().sites_end - modules().sites_begin ? &modules().sites_begin[number - 1] : nullptr;
}

bool begins(const char* name, const char* beginning) { return !strncmp(name, beginning, strlen(beginning)); }
bool ends(const char* name, const char* end) {
  const std::size_t size = strlen(name), tail = strlen(end);
  return size >= tail && !strcmp(name + size - tail, end);
}

// Whatever calls them: what they change is the stream's format, and that makes a race.
bool is_manipulator(const char* name) {
  if (begins(name, "_ZSt") && ends(name, "RSt8ios_base")) return true;  // hex, fixed, boolalpha, …
  for (const char* argument : {"St5_Setw", "St13_Setprecision", "St8_SetfillIS3_E", "St8_SetfillIT_E", "St8_Setbase",
                               "St14_Resetiosflags", "St12_Setiosflags"})
    if (ends(name, argument)) return true;
  return false;
}

// Input and output functions, and what they are made of.
bool is_stream_function(const char* name) {
  for (const char* beginning :
       {"_ZNSo", "_ZNSi", "_ZStls", "_ZStrs", "_ZSt4endl", "_ZSt5flush", "_ZSt4ends", "_ZSt2ws", "_ZSt16__ostream_insert",
        "_ZSt7getline", "_ZSt17__istream_extract", "_ZNSt13basic_ostreamIw", "_ZNSt13basic_istreamIw",
        "_ZN9__gnu_cxx18stdio_sync_filebuf", "_ZNSt15basic_streambuf", "_ZNKSt7num_put", "_ZNKSt7num_get"})
    if (begins(name, beginning)) return true;
  return false;
}

}  // namespace

void boot_standard_streams() {
  add(_ZSt4cout, false);
  add(_ZSt4cerr, false);
  add(_ZSt4clog, false);
  add(_ZSt3cin, true);
  add(_ZSt5wcout, false);
  add(_ZSt5wcerr, false);
  add(_ZSt5wclog, false);
  add(_ZSt4wcin, true);
  std::uintptr_t highest = 0;
  const auto include = [&](std::uintptr_t begin, std::uintptr_t bytes) {
    if (!lowest || begin < lowest) lowest = begin;
    if (begin + bytes > highest) highest = begin + bytes;
  };
  for (unsigned i = 0; i < stream_count; ++i) {
    include(streams[i].object, streams[i].bytes);
    include(streams[i].buffer, kBufferBytes);
  }
  span = highest - lowest;
}

bool is_standard_stream_access(std::uintptr_t address, std::uint32_t site) {
  if (address - lowest >= span) return false;
  for (unsigned i = 0; i < stream_count; ++i) {
    const Stream& s = streams[i];
    if (address - s.object >= s.bytes && address - s.buffer >= kBufferBytes) continue;
    if (buffer_of(s) != s.buffer) return false;  // std::ios::sync_with_stdio(false), or another buffer
    for (const inspect_site* place = site_of(site); place; place = place->inlined_at)
      if (place->function) {
        if (is_manipulator(place->function)) return false;
        if (is_stream_function(place->function)) return true;
      }
  }
  return false;
}

}  // namespace inspect::runtime
