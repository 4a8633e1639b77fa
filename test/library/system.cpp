// Time, the environment, databases, the process and its surroundings.
#include <arpa/inet.h>
#include <dirent.h>
#include <glob.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <clocale>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <ctime>

#include "harness.hpp"

using namespace rows;
using std::size_t;

namespace {

// An object of which only a part is touched.
void* part(Memory& m, size_t size) {
  void* const object = m.out(size);
  m.larger();
  return object;
}

tm some_day(unsigned variant) {
  tm day{};
  day.tm_year = 100;
  day.tm_mday = 3 + int(variant);
  return day;
}

void add_time() {
  const auto when = [](Memory& m) { return m.value(time_t(1000000000 + 1000000 * m.variant())); };
  add("gmtime localtime ctime", [=](Memory& m, void* f) { return call<void*>(f, when(m)); });
  add("gmtime_r localtime_r", [=](Memory& m, void* f) { return call<void*>(f, when(m), m.out(sizeof(tm))); });
  add("ctime_r", [=](Memory& m, void* f) { return call<void*>(f, when(m), m.out(26)); });
  add("asctime", [](Memory& m, void* f) { return call<void*>(f, m.value(some_day(m.variant()))); });
  add("asctime_r", [](Memory& m, void* f) { return call<void*>(f, m.value(some_day(0)), m.out(26)); });
  add("mktime timelocal timegm", [](Memory& m, void* f) { return m.locks(), call<time_t>(f, m.value(some_day(0))); });
  add("strftime",
      [](Memory& m, void* f) { return call<size_t>(f, m.out(5), size_t(500), m.text("%Y"), m.value(some_day(0))); });
  add("strftime_l", [](Memory& m, void* f) {
    static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
    return call<size_t>(f, m.out(5), size_t(500), m.text("%Y"), m.value(some_day(0)), c);
  });
  add("strptime", [](Memory& m, void* f) {
    char *const text = m.text("2001"), *const format = m.text("%Y"), *const day = m.out(sizeof(tm));
    return call<char*>(f, text, format, day);
  });
  add("difftime", [](Memory&, void* f) { return call<double>(f, 2l, 1l); });
  add("tzset", [](Memory& m, void* f) {
    m.locks();
    setenv("TZ", m.variant() ? "XYZ1" : "ABC2", 1);
    return call<void>(f);
  });
}

void add_log_and_names() {
  add("closelog", [](Memory&, void* f) { return call<void>(f); });
  add("setlogmask", [](Memory& m, void* f) { return call<int>(f, int(1 + m.variant())); });
  add("globfree globfree64", [](Memory& m, void* f) {
    glob_t names = {};
    names.gl_pathc = 1;
    names.gl_pathv = static_cast<char**>(calloc(2, sizeof(char*)));
    void* const object = m.value(names);
    m.larger();
    return call<void>(f, object);
  });
  add("alphasort versionsort", [](Memory& m, void* f) {
    const auto entry = [&](const char* name) {
      constexpr size_t kName = offsetof(dirent, d_name);
      char bytes[64] = {};
      std::strcpy(bytes + kName, name);
      void* const place = m.object(bytes, kName + std::strlen(name) + 1);
      m.larger();
      return m.value(place);
    };
    void* const a = entry("a");
    return call<int>(f, a, entry("b"));
  });
  // Which memory it is that they keep no row says.
  add("fmemopen", [](Memory& m, void* f) {
    static char array[8];
    return call<void*>(f, array, sizeof array, m.text("r"));
  });
  add("open_memstream open_wmemstream", [](Memory&, void* f) {
    static void* text;
    static size_t size;
    return call<void*>(f, &text, &size);
  });
}

void add_environment() {
  add("getenv secure_getenv", [](Memory& m, void* f) { return call<char*>(f, m.text("PATH")); });
  add("setenv", [](Memory& m, void* f) { return call<int>(f, m.text("ROW_OF_TEST"), m.text("value"), 1); });
  add("unsetenv", [](Memory& m, void* f) { return call<int>(f, m.text("ROW_OF_TEST")); });
  add("putenv", [](Memory& m, void* f) { return call<int>(f, m.text("ROW_OF_TEST")); });  // takes it away
  add("clearenv", [](Memory&, void* f) {
    setenv("ROW_OF_TEST", "value", 1);
    return call<int>(f);
  });
  add("getopt", [](Memory& m, void* f) {
    optind = 1;
    static char program[] = "program";
    char* const arguments[] = {program, m.text("-a"), nullptr};
    void* const list = m.object(arguments, 16);
    return call<int>(f, 2, list, m.text("+ab"));
  });
  add("getopt_long getopt_long_only", [](Memory& m, void* f) {
    optind = 1;
    static char program[] = "program";
    char* const arguments[] = {program, m.text("-a"), nullptr};
    static const char none[32] = {};
    void* const list = m.object(arguments, 16);
    return call<int>(f, 2, list, m.text("+ab"), none, nullptr);
  });
}

void add_databases() {
  add("inet_makeaddr inet_lnaof inet_netof group_member", [](Memory&, void* f) { return call<int>(f, 1, 2); });
  add("__cmsg_nxthdr", [](Memory& m, void* f) {
    char* const control = static_cast<char*>(m.object("\20\0\0\0\0\0\0\0", 8));
    msghdr head{};
    head.msg_control = control;
    head.msg_controllen = 16;
    msghdr* const object = m.value(head);
    return call<void*>(f, object, control);
  });
  add("inet_addr inet_network", [](Memory& m, void* f) { return call<int>(f, m.text("127.0.0.1")); });
  add("inet_aton", [](Memory& m, void* f) { return call<int>(f, m.text("127.0.0.1"), m.out(4)); });
  add("inet_pton", [](Memory& m, void* f) { return call<int>(f, AF_INET, m.text("127.0.0.1"), m.out(4)); });
  add("inet_pton", [](Memory& m, void* f) { return call<int>(f, AF_INET6, m.text("::1"), m.out(16)); });
  add("inet_pton", [](Memory& m, void* f) {
    char *const text = m.text("x"), *const out = m.out(16);
    m.untouched();
    return call<int>(f, AF_INET6, text, out);
  });
  add("inet_ntop", [](Memory& m, void* f) { return call<char*>(f, AF_INET, m.object("\1\2\3\4", 4), m.out(8), 64); });
  add("inet_ntop", [](Memory& m, void* f) {
    return call<char*>(f, AF_INET6, m.object("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16), m.out(4), 64);
  });
  add("inet_ntoa", [](Memory& m, void* f) { return call<char*>(f, int(0x01020304 + m.variant())); });
  add("if_nametoindex", [](Memory& m, void* f) { return call<int>(f, m.text("lo")); });
  add("getpwnam", [](Memory& m, void* f) { return call<void*>(f, m.text(m.variant() ? "daemon" : "root")); });
  add("getpwuid", [](Memory& m, void* f) { return call<void*>(f, m.variant()); });
  add("getgrnam", [](Memory& m, void* f) { return call<void*>(f, m.text(m.variant() ? "daemon" : "root")); });
  add("getgrgid", [](Memory& m, void* f) { return call<void*>(f, m.variant()); });
  add("getpwent setpwent endpwent getgrent setgrent endgrent", [](Memory&, void* f) { return call<void*>(f); });
  const auto found = [](Memory& m) {
    m.locks();
    char *const entry = m.out(48), *const texts = m.out(512);
    return std::pair{entry, texts};
  };
  add("getpwnam_r", [=](Memory& m, void* f) {
    char* const name = m.text("root");
    const auto [entry, texts] = found(m);
    return call<int>(f, name, entry, texts, size_t(512), m.out(8));
  });
  add("getpwuid_r", [=](Memory& m, void* f) {
    const auto [entry, texts] = found(m);
    return call<int>(f, 0, entry, texts, size_t(512), m.out(8));
  });
  add("getgrnam_r", [](Memory& m, void* f) {
    m.locks();
    char *const name = m.text("root"), *const entry = m.out(32), *const texts = m.out(512);
    return call<int>(f, name, entry, texts, size_t(512), m.out(8));
  });
  add("getgrgid_r", [](Memory& m, void* f) {
    m.locks();
    char *const entry = m.out(32), *const texts = m.out(512);
    return call<int>(f, 0, entry, texts, size_t(512), m.out(8));
  });
  add("getservbyname", [](Memory& m, void* f) { return call<void*>(f, m.text("no such service"), m.text("tcp")); });
  add("getservbyport", [](Memory& m, void* f) { return call<void*>(f, int(htons(80)), (m.text("tcp"))); });
  add("getprotobyname", [](Memory& m, void* f) { return call<void*>(f, m.text(m.variant() ? "udp" : "tcp")); });
}

void add_expressions() {
  const auto compiled = [](Memory& m, int flags) {
    regex_t* const expression = static_cast<regex_t*>(malloc(sizeof(regex_t)));
    regcomp(expression, "b(c)", REG_EXTENDED | flags);
    void* const object = m.value(*expression);
    return object;
  };
  add("regcomp", [](Memory& m, void* f) { return call<int>(f, m.out(64), m.text("a*"), 0); });
  add("regexec", [=](Memory& m, void* f) { return call<int>(f, compiled(m, 0), m.text("abc"), size_t(2), m.out(16), 0); });
  add("regexec", [=](Memory& m, void* f) {
    void *const expression = compiled(m, 0), *const text = m.text("xyz"), *const places = m.out(16);
    m.untouched();
    return call<int>(f, expression, text, size_t(2), places, 0);
  });
  add("regerror", [](Memory& m, void* f) { return call<size_t>(f, 1, nullptr, m.out(9), size_t(90)); });
  add("regfree", [=](Memory& m, void* f) { return call<void>(f, compiled(m, 0)); });
}

void add_process() {
  add("getuid geteuid getgid getegid getpgrp getpagesize gnu_get_libc_version dlerror",
      [](Memory&, void* f) { return call<long>(f); });
  add("getpgid getsid", [](Memory&, void* f) { return call<int>(f, 0); });
  add("getpriority", [](Memory&, void* f) { return call<int>(f, int(PRIO_PROCESS), 0); });
  add("getauxval", [](Memory&, void* f) { return call<long>(f, 6l); });
  add("fpathconf", [](Memory&, void* f) { return call<long>(f, 0, int(_PC_NAME_MAX)); });
  add("pathconf", [](Memory& m, void* f) { return call<long>(f, m.text("/"), int(_PC_NAME_MAX)); });
  add("getrlimit getrlimit64", [](Memory& m, void* f) { return call<int>(f, int(RLIMIT_NOFILE), m.out(16)); });
  add("confstr", [](Memory& m, void* f) { return call<size_t>(f, int(_CS_PATH), m.out(14), size_t(500)); });
  add("uname", [](Memory& m, void* f) { return call<int>(f, m.out(390)); });
  add("gethostname", [](Memory& m, void* f) {
    char name[256];
    gethostname(name, sizeof name);
    return call<int>(f, m.out(strlen(name) + 1), size_t(256));
  });
  add("getdomainname", [](Memory& m, void* f) {
    char name[256];
    if (getdomainname(name, sizeof name)) name[0] = 0;
    return call<int>(f, m.out(strlen(name) + 1), size_t(256));
  });
  add("getgroups", [](Memory& m, void* f) {
    const int count = getgroups(0, nullptr);
    char* const list = m.out(size_t(count > 0 ? count : 1) * 4);
    if (count <= 0) m.untouched();
    return call<int>(f, 100, list);
  });
  add("getresuid getresgid", [](Memory& m, void* f) { return call<int>(f, m.out(4), m.out(4), m.out(4)); });
  add("getlogin_r", [](Memory& m, void* f) {
    char* const name = m.out(256);
    getlogin() ? m.larger() : m.untouched();
    return call<int>(f, name, size_t(256));
  });
  add("getlogin", [](Memory&, void* f) { return call<char*>(f); });
  add("ttyname", [](Memory&, void* f) { return call<char*>(f, 0); });
  add("ttyname_r", [](Memory& m, void* f) {
    char* const name = m.out(256);
    isatty(0) ? m.larger() : m.untouched();
    return call<int>(f, 0, name, size_t(256));
  });
  add("ctermid", [](Memory& m, void* f) { return call<char*>(f, m.out(9)); });
  add("ftok", [](Memory& m, void* f) { return call<int>(f, m.text("/"), 1); });
  add("tcgetattr", [](Memory& m, void* f) {
    char* const settings = m.out(60);
    isatty(0) ? m.larger() : m.untouched();
    return call<int>(f, 0, settings);
  });
  add("tcflush tcflow tcsendbreak", [](Memory&, void* f) { return call<int>(f, -1, 0); });
  add("tcdrain", [](Memory&, void* f) { return call<int>(f, -1); });
  add("dlsym", [](Memory& m, void* f) { return call<void*>(f, nullptr, m.text("strlen")); });
  add("dlvsym", [](Memory& m, void* f) {
    char* const name = m.text("strlen");
    return call<void*>(f, nullptr, name, m.text("GLIBC_2.2.5"));
  });
  add("dladdr", [](Memory& m, void* f) { return call<int>(f, f, m.out(32)); });
  add("dl_iterate_phdr", [](Memory&, void* f) { return call<int>(f, +[](void*, size_t, void*) { return 1; }, nullptr); });
  add("backtrace", [](Memory& m, void* f) { return m.sets_up(), call<int>(f, m.out(16), 2); });
  add("backtrace_symbols", [](Memory& m, void* f) { return call<void*>(f, m.value(f), 1); });
  add("backtrace_symbols_fd", [](Memory& m, void* f) { return call<void>(f, m.value(f), 1, 2); });
  add("perror", [](Memory& m, void* f) { return m.locks(), call<void>(f, m.text("text")); });
  add("fileno fileno_unlocked", [](Memory&, void* f) { return call<int>(f, stdin); });
  add("fdopen", [](Memory& m, void* f) { return m.locks(), call<void*>(f, dup(2), m.text("w")); });
  add("dirfd", [](Memory& m, void* f) { return call<int>(f, m.object("\1\0\0\0", 4)); });
  add("tcsetattr", [](Memory& m, void* f) { return call<int>(f, -1, 0, part(m, 60)); });
  add("__errno_location", [](Memory&, void* f) { return call<void*>(f); });
  add("malloc_trim", [](Memory& m, void* f) { return m.locks(), call<int>(f, 0l); });
  add("mallopt", [](Memory&, void* f) { return call<int>(f, -1000, 0); });
}

void add_signals_and_jumps() {
  add("sigemptyset sigfillset", [](Memory& m, void* f) { return call<int>(f, m.out(128)); });
  add("sigaddset sigdelset", [](Memory& m, void* f) { return call<int>(f, m.out(8), 5); });
  add("sigisemptyset", [](Memory& m, void* f) { return call<int>(f, m.out(8)); });
  add("sigandset sigorset", [](Memory& m, void* f) { return call<int>(f, m.out(8), m.out(8), m.out(8)); });
  add("sigismember", [](Memory& m, void* f) { return call<int>(f, m.out(8), 5); });
  add("setjmp", [](Memory& m, void* f) { return call<int>(f, part(m, 200)); });
  add("_setjmp", [](Memory& m, void* f) { return call<int>(f, part(m, 200)); });
  add("__sigsetjmp sigsetjmp", [](Memory& m, void* f) { return call<int>(f, part(m, 200), 1); });
  add("__sigsetjmp sigsetjmp", [](Memory& m, void* f) { return call<int>(f, part(m, 200), 0); });
  add("longjmp _longjmp siglongjmp __longjmp_chk", [](Memory& m, void* f) {
    void* const buffer = part(m, 200);
    static jmp_buf jump;
    Call c = call<void>(f, buffer, 1);
    c.make = [buffer, make = c.make] {
      if (!_setjmp(jump)) {
        write_freely(buffer, jump, 68);
        make();
      }
      return std::uint64_t(0);
    };
    return c;
  });
}

// Attributes of threads and synchronisation objects.
template <class T, int (*initialise)(T*)>
void* fresh(Memory& m) {
  T attributes;
  memset(&attributes, 0, sizeof attributes);
  initialise(&attributes);
  void* const object = m.object(&attributes, sizeof attributes);
  m.larger();
  return object;
}

void add_attributes() {
  const auto thread = fresh<pthread_attr_t, pthread_attr_init>;
  const auto mutex = fresh<pthread_mutexattr_t, pthread_mutexattr_init>;
  const auto condition = fresh<pthread_condattr_t, pthread_condattr_init>;
  const auto lock = fresh<pthread_rwlockattr_t, pthread_rwlockattr_init>;
  const auto barrier = fresh<pthread_barrierattr_t, pthread_barrierattr_init>;
  const auto out = [](Memory& m) { return m.out(4); };
  add("pthread_equal thrd_equal", [](Memory&, void* f) { return call<int>(f, 1l, 2l); });
  add("sched_get_priority_max sched_get_priority_min sched_getscheduler pthread_setconcurrency",
      [](Memory&, void* f) { return call<int>(f, 0); });
  add("pthread_getconcurrency", [](Memory&, void* f) { return call<int>(f); });
  add("sched_getparam", [](Memory& m, void* f) { return call<int>(f, 0, m.out(4)); });
  add("__sched_cpualloc", [](Memory&, void* f) { return call<void*>(f, size_t(8)); });
  add("__sched_cpufree", [](Memory&, void* f) { return call<void>(f, malloc(8)); });
  add("__sched_cpucount", [](Memory& m, void* f) { return call<int>(f, size_t(8), m.out(8)); });

  add("pthread_attr_init", [](Memory& m, void* f) { return call<int>(f, part(m, 56)); });
  add("pthread_attr_destroy", [=](Memory& m, void* f) {
    void* const attributes = thread(m);
    m.maybe();
    return call<int>(f, attributes);
  });
  add("pthread_attr_setaffinity_np",
      [=](Memory& m, void* f) { return call<int>(f, thread(m), size_t(8), m.object("\1\0\0\0\0\0\0\0", 8)); });
  add("pthread_attr_getaffinity_np", [=](Memory& m, void* f) { return call<int>(f, thread(m), size_t(8), m.out(8)); });
  add("pthread_attr_getsigmask_np", [=](Memory& m, void* f) { return call<int>(f, thread(m), m.out(128)); });
  add("pthread_getattr_default_np", [](Memory& m, void* f) { return call<int>(f, part(m, 56)); });
  add("pthread_setattr_default_np", [=](Memory& m, void* f) { return call<int>(f, thread(m)); });
  const auto unused = [](Memory& m, size_t size) {
    void* const object = part(m, size);
    m.maybe();
    return object;
  };
  add("pthread_mutexattr_destroy pthread_condattr_destroy pthread_barrierattr_destroy",
      [=](Memory& m, void* f) { return call<int>(f, unused(m, 4)); });
  add("pthread_rwlockattr_destroy", [=](Memory& m, void* f) { return call<int>(f, unused(m, 8)); });
  add("pthread_attr_setdetachstate pthread_attr_setinheritsched pthread_attr_setschedpolicy pthread_attr_setscope",
      [=](Memory& m, void* f) { return call<int>(f, thread(m), 0); });
  add("pthread_attr_setguardsize pthread_attr_setstacksize pthread_attr_setstackaddr",
      [=](Memory& m, void* f) { return call<int>(f, thread(m), size_t(1 << 20)); });
  add("pthread_attr_setstack", [=](Memory& m, void* f) { return call<int>(f, thread(m), size_t(1 << 20), size_t(1 << 20)); });
  add("pthread_attr_setschedparam", [=](Memory& m, void* f) { return call<int>(f, thread(m), m.object("\0\0\0\0", 4)); });
  add("pthread_attr_getdetachstate pthread_attr_getinheritsched pthread_attr_getschedpolicy pthread_attr_getscope "
      "pthread_attr_getschedparam",
      [=](Memory& m, void* f) { return call<int>(f, thread(m), out(m)); });
  add("pthread_attr_getguardsize pthread_attr_getstacksize pthread_attr_getstackaddr",
      [=](Memory& m, void* f) { return call<int>(f, thread(m), m.out(8)); });
  add("pthread_attr_getstack", [=](Memory& m, void* f) { return call<int>(f, thread(m), m.out(8), m.out(8)); });

  add("pthread_mutexattr_init pthread_condattr_init pthread_barrierattr_init",
      [](Memory& m, void* f) { return call<int>(f, m.out(4)); });
  add("pthread_rwlockattr_init", [](Memory& m, void* f) { return call<int>(f, m.out(8)); });
  add("pthread_mutexattr_setprotocol pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_settype",
      [=](Memory& m, void* f) { return call<int>(f, mutex(m), 0); });
  add("pthread_mutexattr_setprioceiling", [=](Memory& m, void* f) { return m.sets_up(), call<int>(f, mutex(m), 1); });
  add("pthread_condattr_setclock pthread_condattr_setpshared",
      [=](Memory& m, void* f) { return call<int>(f, condition(m), 0); });
  add("pthread_barrierattr_setpshared", [=](Memory& m, void* f) { return call<int>(f, barrier(m), 0); });
  add("pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared",
      [=](Memory& m, void* f) { return call<int>(f, lock(m), 0); });
  add("pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust "
      "pthread_mutexattr_gettype",
      [=](Memory& m, void* f) { return call<int>(f, mutex(m), out(m)); });
  add("pthread_condattr_getclock pthread_condattr_getpshared",
      [=](Memory& m, void* f) { return call<int>(f, condition(m), out(m)); });
  add("pthread_barrierattr_getpshared", [=](Memory& m, void* f) { return call<int>(f, barrier(m), out(m)); });
  add("pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared",
      [=](Memory& m, void* f) { return call<int>(f, lock(m), out(m)); });
}

}  // namespace

void add_system_trials() {
  add_time();
  add_log_and_names();
  add_environment();
  add_databases();
  add_expressions();
  add_process();
  add_signals_and_jumps();
  add_attributes();
}
