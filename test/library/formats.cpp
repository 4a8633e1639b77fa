// Texts made and read by formats.
#include "harness.hpp"

using namespace rows;
using std::size_t;

void add_format_trials() {
  using Print = Variadic<char*, char*>;
  using PrintN = Variadic<char*, size_t, char*>;
  add("sprintf",
      [](Memory& m, void* f) { return Print::call(f, m.out(8), m.text("%s %d %s"), m.text("ab"), 7, m.text("cd")); });
  add("sprintf", [](Memory& m, void* f) {  // real numbers do not shift what comes after them; precisions limit
    return Print::call(f, m.out(10), m.text("%.1f %.*s %.2s%n"), 1.5, 2, m.object("ab", 2), m.object("ef", 2), m.out(4));
  });
  add("snprintf", [](Memory& m, void* f) { return PrintN::call(f, m.out(6), size_t(4096), m.text("%5d"), 7); });
  add("snprintf", [](Memory& m, void* f) { return PrintN::call(f, m.out(3), size_t(3), m.text("%s"), m.text("longer")); });
  add("snprintf", [](Memory& m, void* f) { return PrintN::call(f, nullptr, size_t(0), m.text("%ls"), m.wide(L"wide")); });
  add("snprintf", [](Memory& m, void* f) {  // arguments by number
    return PrintN::call(f, m.out(6), size_t(20), m.text("%2$s %1$s"), m.text("ab"), m.text("cd"));
  });
  add("__sprintf_chk", [](Memory& m, void* f) {
    return Variadic<char*, int, size_t, char*>::call(f, m.out(3), 1, size_t(3), m.text("%s"), m.text("ab"));
  });
  add("__snprintf_chk", [](Memory& m, void* f) {
    return Variadic<char*, size_t, int, size_t, char*>::call(f, m.out(3), size_t(3), 1, size_t(3), m.text("%s"), m.text("ab"));
  });
  add("vsprintf", [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab"), 7), m.out(5), m.text("%s %d")); });
  add("vsnprintf",
      [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab"), 7), m.out(5), size_t(4096), m.text("%s %d")); });
  add("vsnprintf",
      [](Memory& m, void* f) { return listed<int>(f, List(2, m.object("ab", 2)), m.out(3), size_t(64), m.text("%.*s")); });
  add("__vsprintf_chk",
      [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab")), m.out(3), 1, size_t(3), m.text("%s")); });
  add("__vsnprintf_chk",
      [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab")), m.out(3), size_t(3), 1, size_t(3), m.text("%s")); });
  add("asprintf", [](Memory& m, void* f) { return Print::call(f, m.out(8), m.text("%s"), m.text("ab")); });
  add("vasprintf", [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab")), m.out(8), m.text("%s")); });
  add("__asprintf_chk",
      [](Memory& m, void* f) { return Variadic<char*, int, char*>::call(f, m.out(8), 1, m.text("%s"), m.text("ab")); });
  add("__vasprintf_chk", [](Memory& m, void* f) { return listed<int>(f, List(m.text("ab")), m.out(8), 1, m.text("%s")); });
  add("sscanf __isoc99_sscanf __isoc23_sscanf", [](Memory& m, void* f) {
    return Variadic<char*, char*>::call(f, m.text("12 word 3"), m.text("%d %s %*d %n"), m.out(4), m.out(5), m.out(4));
  });
  add("sscanf __isoc99_sscanf __isoc23_sscanf", [](Memory& m, void* f) {  // what comes after a failure is not stored to
    char* const text = m.text("12 word");
    char* const format = m.text("%d %hd");
    char *const first = m.out(4), *const second = m.out(2);
    m.untouched();
    return Variadic<char*, char*>::call(f, text, format, first, second);
  });
  add("sscanf __isoc99_sscanf __isoc23_sscanf", [](Memory& m, void* f) {
    return Variadic<char*, char*>::call(f, m.text("1.5 xyz ab 7"), m.text("%lf %3c %[a-c] %hhd"), m.out(8), m.out(3), m.out(3),
                                        m.out(1));
  });
  add("vsscanf __isoc99_vsscanf __isoc23_vsscanf",
      [](Memory& m, void* f) { return listed<int>(f, List(m.out(4), m.out(5)), m.text("12 word"), m.text("%d %s")); });
}
