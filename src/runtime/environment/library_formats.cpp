// Formats that the compiler does not see, read when the call is made.
#include "hooks/format.hpp"
#include "runtime/environment/library_actions.hpp"

namespace inspect::runtime {

namespace {

using format::Conversion;

struct Conversions {
  Conversion found[format::kMostArguments];
  unsigned count = 0;
  std::uint64_t words = 0;  // widths and precisions
};

template <class C>
bool read_format(const C* text, bool scans, Conversions& all) {
  format::Reader<C> reader(text, scans);
  while (all.count < format::kMostArguments && reader.next(all.found[all.count])) ++all.count;
  all.words = reader.widths();
  return reader.ok() && all.count < format::kMostArguments;
}

// A va_list of x86-64.
struct ArgumentList {
  unsigned word_offset, real_offset;  // in the registers
  char* on_stack;
  char* registers;

  const std::uint64_t* word() {
    if (word_offset >= kWordBytes) return static_cast<const std::uint64_t*>(pushed(sizeof(std::uint64_t)));
    word_offset += sizeof(std::uint64_t);
    return reinterpret_cast<const std::uint64_t*>(registers + word_offset - sizeof(std::uint64_t));
  }
  const void* real() {
    if (real_offset >= kRegisterBytes) return pushed(sizeof(double));
    real_offset += kRealBytes;
    return registers + real_offset - kRealBytes;
  }
  const void* long_real() {
    const auto place = reinterpret_cast<std::uintptr_t>(on_stack);
    on_stack += -place & (kRealBytes - 1);
    return pushed(sizeof(long double));
  }

 private:
  static constexpr unsigned kWordBytes = 48, kRealBytes = 16, kRegisterBytes = 176;
  const void* pushed(std::size_t size) {
    on_stack += size;
    return on_stack - size;
  }
};

std::uint64_t read_word(const std::uint64_t* place, const void* site) {
  touch_read(place, sizeof *place, site);
  return *place;
}

// The arguments, in order, as eight bytes each; what is passed as a real number is skipped.
bool gather(const Conversions& all, const FormatArguments& from, std::uint64_t* values, const void* site) {
  Conversion::Passed passed[format::kMostArguments] = {};
  unsigned count = 0;
  const auto need = [&](unsigned argument) {
    if (argument + 1 > count) count = argument + 1;
  };
  for (unsigned i = 0; i < all.count; ++i) {
    passed[all.found[i].argument] = all.found[i].passed;
    need(all.found[i].argument);
  }
  for (unsigned i = 0; i < format::kMostArguments; ++i)
    if (all.words >> i & 1) need(i);
  if (from.words) {
    for (unsigned i = 0; i < count && i < from.count; ++i) values[i] = from.words[i];
    return count <= from.count;
  }
  ArgumentList list = *static_cast<const ArgumentList*>(from.list);
  for (unsigned i = 0; i < count; ++i) {
    if (passed[i] == Conversion::real)
      touch_read(list.real(), sizeof(double), site);
    else if (passed[i] == Conversion::long_real)
      touch_read(list.long_real(), sizeof(long double), site);
    else
      values[i] = read_word(list.word(), site);
  }
  return true;
}

void touch_text(const Conversion& conversion, std::uint64_t value, std::uint64_t limit, bool write, const void* site) {
  const unsigned unit = conversion.kind == Conversion::wide_string ? sizeof(wchar_t) : 1;
  const void* const text = reinterpret_cast<const void*>(value);
  const std::size_t size = text_size(text, limit, unit);
  write ? touch_write(text, size, site) : touch_read(text, size, site);
}

void see_locale(const Conversions& all, const void* site) {
  for (unsigned i = 0; i < all.count; ++i)
    if (all.found[i].localised) return touch_library_state(LibraryState::locale, false, site);
}

enum class FormatOf { print, scan };

bool conversions_of(const void* format, bool wide, FormatOf use, Conversions& all) {
  const bool scans = use == FormatOf::scan;
  return wide ? read_format(static_cast<const wchar_t*>(format), scans, all)
              : read_format(static_cast<const char*>(format), scans, all);
}

}  // namespace

std::size_t text_size(const void* text, std::uint64_t limit, unsigned unit) {
  if (!text) return 0;
  std::uint64_t n = 0;
  if (unit == 1) {
    const auto* const characters = static_cast<const char*>(text);
    while (n < limit && characters[n]) ++n;
  } else {
    const auto* const characters = static_cast<const wchar_t*>(text);
    while (n < limit && characters[n]) ++n;
  }
  return (n < limit ? n + 1 : n) * unit;
}

bool touch_printed(const void* format, bool wide, const FormatArguments& arguments, const void* site) {
  touch_read(format, text_size(format, ~0ull, wide ? sizeof(wchar_t) : 1), site);
  Conversions all;
  std::uint64_t values[format::kMostArguments] = {};
  if (!conversions_of(format, wide, FormatOf::print, all) || !gather(all, arguments, values, site)) return false;
  see_locale(all, site);
  for (unsigned i = 0; i < all.count; ++i) {
    const Conversion& c = all.found[i];
    std::uint64_t limit = std::uint64_t(c.precision);
    if (c.precision_at != format::kNone) limit = std::uint64_t(std::int64_t(int(values[c.precision_at])));
    if (c.kind == Conversion::string || c.kind == Conversion::wide_string)
      touch_text(c, values[c.argument], limit, false, site);
    else if (c.kind == Conversion::count)
      touch_write(reinterpret_cast<const void*>(values[c.argument]), c.size, site);
  }
  return true;
}

bool touch_scanned(const void* format, bool wide, const FormatArguments& arguments, std::int64_t stored, const void* site) {
  touch_read(format, text_size(format, ~0ull, wide ? sizeof(wchar_t) : 1), site);
  Conversions all;
  std::uint64_t values[format::kMostArguments] = {};
  if (!conversions_of(format, wide, FormatOf::scan, all) || !gather(all, arguments, values, site)) return false;
  see_locale(all, site);
  std::int64_t matched = 0;
  for (unsigned i = 0; i < all.count; ++i) {
    const Conversion& c = all.found[i];
    const bool counts = c.kind != Conversion::count;
    if (stored < matched + counts) break;
    matched += counts;
    if (c.kind == Conversion::string || c.kind == Conversion::wide_string)
      touch_text(c, values[c.argument], ~0ull, true, site);
    else
      touch_write(reinterpret_cast<const void*>(values[c.argument]), c.size, site);
  }
  return true;
}

}  // namespace inspect::runtime
