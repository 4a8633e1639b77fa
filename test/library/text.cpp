// Texts and blocks of bytes.
#include <clocale>

#include "harness.hpp"

using namespace rows;
using std::size_t;

namespace {

void add_searches() {
  add("strlen", [](Memory& m, void* f) { return call<size_t>(f, m.text("some text")); });
  add("strrchr rindex", [](Memory& m, void* f) { return call<char*>(f, m.text("some text"), int('e')); });
  add("strdup __strdup", [](Memory& m, void* f) { return call<char*>(f, m.text("some text")); });
  add("strnlen strndup __strndup", [](Memory& m, void* f) { return call<size_t>(f, m.object("abcdef", 6), size_t(6)); });
  add("strnlen strndup __strndup", [](Memory& m, void* f) { return call<size_t>(f, m.text("ab"), size_t(60)); });
  // Up to what is found, and up to the end where nothing is.
  add("strchr index strchrnul", [](Memory& m, void* f) { return call<char*>(f, m.object("abcx", 4), int('x')); });
  add("strchr index strchrnul", [](Memory& m, void* f) { return call<char*>(f, m.text("abc"), int('x')); });
  add("memchr", [](Memory& m, void* f) { return call<void*>(f, m.object("abcx", 4), int('x'), size_t(100)); });
  add("memchr", [](Memory& m, void* f) { return call<void*>(f, m.object("abc", 3), int('x'), size_t(3)); });
  add("rawmemchr", [](Memory& m, void* f) { return call<void*>(f, m.object("abcx", 4), int('x')); });
  add("memrchr", [](Memory& m, void* f) { return call<void*>(f, m.object("xbc", 3), int('x'), size_t(3)); });
  add("memcmp bcmp __memcmpeq",
      [](Memory& m, void* f) { return call<int>(f, m.object("abc", 3), m.object("abd", 3), size_t(3)); });
  add("memmem",
      [](Memory& m, void* f) { return call<void*>(f, m.object("abcdef", 6), size_t(6), m.object("ef", 2), size_t(2)); });
  add("strspn strcspn strpbrk strstr strcasestr strverscmp strcoll",
      [](Memory& m, void* f) { return call<int>(f, m.text("abcdef"), m.text("ef")); });
  add("strcoll_l strcasecmp_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<int>(f, m.text("ab"), m.text("ab"), c);
  });
  add("strncasecmp_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<int>(f, m.object("abc", 3), m.object("abc", 3), size_t(3), c);
  });
}

void add_comparisons() {
  add("strcmp strcasecmp", [](Memory& m, void* f) { return call<int>(f, m.text("same"), m.text("same")); });
  add("strcmp strcasecmp", [](Memory& m, void* f) { return call<int>(f, m.object("abX", 3), m.object("abY", 3)); });
  add("strcasecmp", [](Memory& m, void* f) { return call<int>(f, m.object("aBX", 3), m.object("AbY", 3)); });
  add("strncmp strncasecmp",
      [](Memory& m, void* f) { return call<int>(f, m.object("abc", 3), m.object("abc", 3), size_t(3)); });
  add("strncmp strncasecmp", [](Memory& m, void* f) { return call<int>(f, m.text("ab"), m.text("ab"), size_t(30)); });
}

void add_copies() {
  add("strcpy stpcpy __stpcpy", [](Memory& m, void* f) { return call<char*>(f, m.out(5), m.text("text")); });
  add("__strcpy_chk __stpcpy_chk", [](Memory& m, void* f) { return call<char*>(f, m.out(5), m.text("text"), size_t(5)); });
  add("strlcpy", [](Memory& m, void* f) { return call<size_t>(f, m.out(5), m.text("text"), size_t(500)); });
  add("strlcpy", [](Memory& m, void* f) { return call<size_t>(f, m.out(2), m.text("text"), size_t(2)); });
  add("__strlcpy_chk", [](Memory& m, void* f) { return call<size_t>(f, m.out(5), m.text("text"), size_t(5), size_t(5)); });
  add("strncpy stpncpy __stpncpy", [](Memory& m, void* f) { return call<char*>(f, m.out(9), m.text("text"), size_t(9)); });
  add("strncpy stpncpy", [](Memory& m, void* f) { return call<char*>(f, m.out(2), m.object("te", 2), size_t(2)); });
  add("__strncpy_chk __stpncpy_chk",
      [](Memory& m, void* f) { return call<char*>(f, m.out(9), m.text("text"), size_t(9), size_t(9)); });
  const auto room = [](Memory& m) {
    char buffer[8];
    memset(buffer, 'z', sizeof buffer);
    memcpy(buffer, "ab", 3);
    return static_cast<char*>(m.object(buffer, 5));
  };
  add("strcat", [=](Memory& m, void* f) { return call<char*>(f, room(m), m.text("cd")); });
  add("__strcat_chk", [=](Memory& m, void* f) { return call<char*>(f, room(m), m.text("cd"), size_t(5)); });
  add("strncat", [=](Memory& m, void* f) { return call<char*>(f, room(m), m.object("cd", 2), size_t(2)); });
  add("strncat", [=](Memory& m, void* f) { return call<char*>(f, room(m), m.text("cd"), size_t(20)); });
  add("__strncat_chk", [=](Memory& m, void* f) { return call<char*>(f, room(m), m.text("cd"), size_t(20), size_t(5)); });
  add("strlcat", [=](Memory& m, void* f) { return call<size_t>(f, room(m), m.text("cd"), size_t(5)); });
  add("__strlcat_chk", [=](Memory& m, void* f) { return call<size_t>(f, room(m), m.text("cd"), size_t(5), size_t(5)); });
  add("strxfrm", [](Memory& m, void* f) { return call<size_t>(f, m.out(5), m.text("text"), size_t(50)); });
  add("strxfrm_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<size_t>(f, m.out(5), m.text("text"), size_t(50), c);
  });
  add("memcpy memmove mempcpy __mempcpy",
      [](Memory& m, void* f) { return call<void*>(f, m.out(7), m.object("1234567", 7), size_t(7)); });
  add("__memcpy_chk __memmove_chk __mempcpy_chk",
      [](Memory& m, void* f) { return call<void*>(f, m.out(7), m.object("1234567", 7), size_t(7), size_t(7)); });
  add("memccpy", [](Memory& m, void* f) { return call<void*>(f, m.out(3), m.object("abc", 3), int('c'), size_t(64)); });
  add("memccpy", [](Memory& m, void* f) { return call<void*>(f, m.out(3), m.object("abc", 3), int('x'), size_t(3)); });
  add("memset", [](Memory& m, void* f) { return call<void*>(f, m.out(7), 1, size_t(7)); });
  add("__memset_chk", [](Memory& m, void* f) { return call<void*>(f, m.out(7), 1, size_t(7), size_t(7)); });
  add("memfrob", [](Memory& m, void* f) { return call<void*>(f, m.out(7), size_t(7)); });
  add("bcopy", [](Memory& m, void* f) { return call<void>(f, m.object("1234567", 7), m.out(7), size_t(7)); });
  add("swab", [](Memory& m, void* f) { return call<void>(f, m.object("123456", 6), m.out(6), 7l); });
  add("bzero explicit_bzero", [](Memory& m, void* f) { return call<void>(f, m.out(7), size_t(7)); });
  add("__explicit_bzero_chk", [](Memory& m, void* f) { return call<void>(f, m.out(7), size_t(7), size_t(7)); });
}

void add_tokens() {
  const auto text = [](Memory& m) { return static_cast<char*>(m.object(",ab,", 4)); };
  add("strtok", [=](Memory& m, void* f) { return call<char*>(f, text(m), m.text(",")); });
  add("strtok_r __strtok_r",
      [=](Memory& m, void* f) { return call<char*>(f, text(m), m.text(","), reinterpret_cast<char**>(m.out(8))); });
  add("strtok_r __strtok_r", [=](Memory& m, void* f) {  // what was begun goes on
    char* const t = text(m);
    return call<char*>(f, static_cast<char*>(nullptr), m.text(","), m.value(t));
  });
  add("strtok_r __strtok_r", [=](Memory& m, void* f) {  // nothing but separators
    return call<char*>(f, m.text(",,"), m.text(","), reinterpret_cast<char**>(m.out(8)));
  });
  add("strsep", [](Memory& m, void* f) {
    auto* const t = static_cast<char*>(m.object("ab,", 3));
    return call<char*>(f, m.value(t), m.text(","));
  });
  add("strsep", [](Memory& m, void* f) {
    char* const t = m.text("ab");
    return call<char*>(f, m.value(t), m.text(","));
  });
  add("strsep", [](Memory& m, void* f) {
    char* const delimiters = m.text(",");
    m.untouched();
    return call<char*>(f, m.value(static_cast<char*>(nullptr)), delimiters);
  });
  add("getsubopt", [](Memory& m, void* f) {
    auto* const t = static_cast<char*>(m.object("two=x,", 6));
    char* const tokens[] = {m.text("one"), m.text("two"), nullptr};
    char** const list = static_cast<char**>(m.object(tokens, sizeof tokens));
    return call<int>(f, m.value(t), list, reinterpret_cast<char**>(m.out(8)));
  });
}

void add_names_and_messages() {
  add("basename", [](Memory& m, void* f) { return call<char*>(f, m.text("/usr/lib")); });
  add("__xpg_basename", [](Memory& m, void* f) { return call<char*>(f, m.text("/usr/lib")); });
  add("__xpg_basename", [](Memory& m, void* f) { return call<char*>(f, m.text("/usr/lib//")); });
  add("dirname", [](Memory& m, void* f) { return call<char*>(f, m.text("/usr/lib")); });
  add("dirname", [](Memory& m, void* f) { return call<char*>(f, m.text("/usr//lib/")); });
  add("dirname", [](Memory& m, void* f) { return call<char*>(f, m.text("name")); });
  add("dirname", [](Memory& m, void* f) { return call<char*>(f, m.text("/name")); });
  add("strerror_r", [](Memory& m, void* f) {
    char* const buffer = m.out(100);
    m.untouched();
    return call<char*>(f, 1, buffer, size_t(100));
  });
  add("strerror_r", [](Memory& m, void* f) {
    return call<char*>(f, 99999, (m.out(100), m.larger(), reinterpret_cast<char*>(0)), size_t(0));
  });
  add("__xpg_strerror_r", [](Memory& m, void* f) {
    char* const buffer = m.out(100);
    m.larger();
    return call<int>(f, 1, buffer, size_t(100));
  });
  add("strerror strsignal sigdescr_np strerrordesc_np strerrorname_np sigabbrev_np gai_strerror",
      [](Memory&, void* f) { return call<const char*>(f, 2); });
}

void add_multibyte() {
  add("mblen", [](Memory& m, void* f) { return call<int>(f, m.object("a", 1), size_t(1)); });
  add("mbtowc", [](Memory& m, void* f) { return call<int>(f, m.out(4), m.object("a", 1), size_t(1)); });
  add("wctomb", [](Memory& m, void* f) { return call<int>(f, m.out(1), int(L'a')); });
  add("mbsinit", [](Memory& m, void* f) { return call<int>(f, m.object("\0\0\0\0\0\0\0\0", 8)); });
  const auto state = [](Memory& m) {
    void* const object = m.object("\0\0\0\0\0\0\0\0", 8);
    m.larger();
    m.maybe();
    return object;
  };
  add("mbrlen __mbrlen", [=](Memory& m, void* f) { return call<size_t>(f, m.object("a", 1), size_t(1), state(m)); });
  add("mbrtowc", [=](Memory& m, void* f) { return call<size_t>(f, m.out(4), m.object("a", 1), size_t(1), state(m)); });
  add("wcrtomb", [=](Memory& m, void* f) { return call<size_t>(f, m.out(1), int(L'a'), state(m)); });
  add("mbstowcs", [](Memory& m, void* f) { return call<size_t>(f, m.out(16), m.text("abc"), size_t(4)); });
  add("wcstombs", [](Memory& m, void* f) { return call<size_t>(f, m.out(4), m.wide(L"abc"), size_t(4)); });
}

void add_locale() {
  add("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper "
      "isascii toascii _tolower _toupper iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct "
      "iswspace iswupper "
      "iswxdigit towlower towupper btowc wctob wcwidth",
      [](Memory&, void* f) { return call<int>(f, int('a')); });
  add("isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l "
      "isxdigit_l "
      "iswblank_l iswcntrl_l iswgraph_l iswprint_l iswpunct_l iswxdigit_l __tolower_l __toupper_l tolower_l toupper_l "
      "iswalnum_l iswalpha_l iswdigit_l iswlower_l iswspace_l iswupper_l towlower_l towupper_l",
      [](Memory&, void* f) {
        static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
        return call<int>(f, int('a'), c);
      });
  add("nl_langinfo", [](Memory&, void* f) { return call<char*>(f, 14); });
  add("nl_langinfo_l", [](Memory&, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<char*>(f, 14, c);
  });
  add("__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max",
      [](Memory&, void* f) { return call<void*>(f); });
  add("wctype wctrans", [](Memory& m, void* f) { return call<unsigned long>(f, m.text("tolower")); });
  add("iswctype towctrans", [](Memory&, void* f) { return call<int>(f, int('a'), 0l); });
  add("strerror_l", [](Memory&, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<char*>(f, 2, c);
  });
  add("__libc_current_sigrtmin __libc_current_sigrtmax", [](Memory&, void* f) { return call<int>(f); });
  add("newlocale",
      [](Memory& m, void* f) { return call<void*>(f, int(LC_ALL_MASK), m.text("C"), static_cast<void*>(nullptr)); });
  add("freelocale uselocale __uselocale duplocale",
      [](Memory&, void* f) { return call<void*>(f, newlocale(LC_ALL_MASK, "C", nullptr)); });
  add("setlocale", [](Memory& m, void* f) { return call<char*>(f, int(LC_ALL), m.text("C.UTF-8")); });
  add("setlocale", [](Memory& m, void* f) { return call<char*>(f, int(LC_ALL), m.text("C")); });
  add("setlocale", [](Memory&, void* f) { return call<char*>(f, int(LC_ALL), static_cast<char*>(nullptr)); });
  add("localeconv", [](Memory&, void* f) { return call<void*>(f); });
  add("bindtextdomain", [](Memory& m, void* f) { return call<char*>(f, m.text("domain"), m.text("/usr")); });
  add("textdomain", [](Memory& m, void* f) { return call<char*>(f, m.text("domain")); });
  // Without a catalogue the message itself comes back, unread.
  const auto text = [](Memory& m) {
    char* const message = m.text("message");
    m.maybe();
    return message;
  };
  add("gettext", [=](Memory& m, void* f) { return call<char*>(f, text(m)); });
  add("dgettext", [=](Memory& m, void* f) { return call<char*>(f, text(m), text(m)); });
  add("dcgettext", [=](Memory& m, void* f) { return call<char*>(f, text(m), text(m), int(LC_MESSAGES)); });
  add("ngettext", [=](Memory& m, void* f) { return call<char*>(f, text(m), text(m), 1ul); });
  add("fnmatch", [](Memory& m, void* f) { return call<int>(f, m.text("*.c"), m.text("a.c"), 0); });
}

}  // namespace

void add_text_trials() {
  add_searches();
  add_comparisons();
  add_copies();
  add_tokens();
  add_names_and_messages();
  add_multibyte();
  add_locale();
}
