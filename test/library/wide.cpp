// Wide strings.
#include <clocale>
#include <ctime>

#include "harness.hpp"

using namespace rows;
using std::size_t;

void add_wide_trials() {
  add("wcslen wcsdup", [](Memory& m, void* f) { return call<size_t>(f, m.wide(L"text")); });
  add("wcschr wcsrchr wcschrnul", [](Memory& m, void* f) { return call<void*>(f, m.wide(L"text"), int(L'z')); });
  add("wcsnlen", [](Memory& m, void* f) { return call<size_t>(f, m.object(L"abc", 12), size_t(3)); });
  add("wcscmp wcscasecmp wcscoll wcscspn wcspbrk wcsspn wcsstr",
      [](Memory& m, void* f) { return call<int>(f, m.wide(L"abc"), m.wide(L"abc")); });
  add("wcsncmp wcsncasecmp",
      [](Memory& m, void* f) { return call<int>(f, m.object(L"abc", 12), m.object(L"abc", 12), size_t(3)); });
  add("wcscpy wcpcpy", [](Memory& m, void* f) { return call<void*>(f, m.out(16), m.wide(L"abc")); });
  add("wcsncpy wcpncpy", [](Memory& m, void* f) { return call<void*>(f, m.out(20), m.wide(L"abc"), size_t(5)); });
  add("wcscat", [](Memory& m, void* f) { return call<void*>(f, m.object(L"ab\0zz", 20), m.wide(L"cd")); });
  add("wcsncat", [](Memory& m, void* f) { return call<void*>(f, m.object(L"ab\0zz", 20), m.object(L"cd", 8), size_t(2)); });
  add("wcsncat", [](Memory& m, void* f) { return call<void*>(f, m.object(L"ab\0zz", 20), m.wide(L"cd"), size_t(7)); });
  add("wcstok", [](Memory& m, void* f) { return call<void*>(f, m.object(L",ab,", 16), m.wide(L","), m.out(8)); });
  add("wmemcpy wmemmove wmempcpy",
      [](Memory& m, void* f) { return call<void*>(f, m.out(12), m.object(L"abc", 12), size_t(3)); });
  add("wmemset", [](Memory& m, void* f) { return call<void*>(f, m.out(12), int(L'x'), size_t(3)); });
  add("wmemcmp", [](Memory& m, void* f) { return call<int>(f, m.object(L"abc", 12), m.object(L"abc", 12), size_t(3)); });
  add("wmemchr", [](Memory& m, void* f) { return call<void*>(f, m.object(L"abc", 12), int(L'c'), size_t(30)); });
  add("wcswidth", [](Memory& m, void* f) { return call<int>(f, m.object(L"abc", 12), size_t(3)); });
  add("wcscoll_l wcscasecmp_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<int>(f, m.wide(L"abc"), m.wide(L"abc"), c);
  });
  add("wcsncasecmp_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<int>(f, m.object(L"abc", 12), m.object(L"abc", 12), size_t(3), c);
  });
  add("wcsftime", [](Memory& m, void* f) {
    std::tm day{};
    day.tm_mday = 1;
    return call<size_t>(f, m.out(20), size_t(500), m.wide(L"%Y"), m.value(day));
  });
  add("vswscanf __isoc99_vswscanf",
      [](Memory& m, void* f) { return listed<int>(f, List(m.out(4), m.out(20)), m.wide(L"12 word"), m.wide(L"%d %ls")); });
  add("swprintf", [](Memory& m, void* f) {
    return Variadic<char*, size_t, wchar_t*>::call(f, m.out(24), size_t(60), m.wide(L"%s-%ls"), m.text("ab"), m.wide(L"cd"));
  });
  add("vswprintf", [](Memory& m, void* f) {
    const List list(m.text("ab"), m.wide(L"cd"));
    return listed<int>(f, list, m.out(24), size_t(60), m.wide(L"%s-%ls"));
  });
  add("swscanf __isoc99_swscanf", [](Memory& m, void* f) {
    return Variadic<wchar_t*, wchar_t*>::call(f, m.wide(L"12 word"), m.wide(L"%d %ls"), m.out(4), m.out(20));
  });
}
