"""Programs whose threads hand shared memory to library functions.

Each snippet says what it touches: `text:r` reads the object `text`, `text:w` writes it, `text:w8-16` bytes 8 to 15 of it; `!name` is state
inside the library. Of a C++ object the ranges are of what is known of the class: no extraction here fails, so none touches the stream's
state (bytes 0 to 7 of it, say); sorting a list leaves the size alone. Every use takes the shared object or one of the thread's own; some are under a lock. So it is known whether two
threads meet; ThreadSanitizer is asked too.
"""
import random
import re

# Kind: (type, initialiser of the object named {}).
KINDS = {
    "text": ("char {}[64]", "strcpy({}, \"alpha,beta,gamma 17\")"),
    "other": ("char {}[64]", "strcpy({}, \"beta\")"),
    "number": ("int {}", "{} = 5"),
    "wide": ("long {}", "{} = 7"),
    "real": ("double {}", "{} = 2.5"),
    "when": ("time_t {}", "{} = 86400"),
    "broken": ("struct tm {}", "{} = (struct tm){0}; {}.tm_mday = 1; {}.tm_year = 70"),
    "set": ("sigset_t {}", "sigemptyset(&{})"),
    "array": ("int {}[8]", "for (int i = 0; i < 8; ++i) {}[i] = 8 - i"),
    "limit": ("struct rlimit {}", ""),
    "status": ("struct stat {}", ""),
    "address": ("struct in_addr {}", "{}.s_addr = 1"),
    "letters": ("wchar_t {}[32]", "wcscpy({}, L\"abc def\")"),
    "pointer": ("char* {}", "{} = NULL"),
    "seed": ("unsigned {}", "{} = 3"),
    "tree": ("void* {}", "{} = NULL; tsearch(&two, &{}, by_value)"),
}

C = {
    "strlen": "sink(strlen({text:r0-20}))",
    "strchr": "sink(strchr({text:r0-6}, ',') != NULL)",
    "memchr": "sink(memchr({text:r0-6}, ',', 64) != NULL)",
    "memccpy": "char b[64]; sink(memccpy(b, {text:r0-6}, ',', 64) != NULL)",
    "set_tail": "memset({text:w40-48} + 40, 'z', 8)",
    "set_head": "{text:w0-1}[0] = 'A'",
    "see_tail": "sink({text:r40-41}[40])",
    "strcpy": "strcpy({text:w0-5}, {other:r0-5})",
    "strncpy": "strncpy({text:w0-32}, {other:r0-5}, 32)",
    "stpcpy": "sink(stpcpy({text:w0-5}, {other:r0-5}) != NULL)",
    "strcat": "strcat({other:w4-8}, \"tail\"); {other:w4-5}[4] = 0",
    "strcmp": "sink(strcmp({text:r0-6}, {other:r0-5}))",
    "strncmp": "sink(strncmp({text:r0-1}, {other:r0-1}, 1))",
    "memcmp": "sink(memcmp({text:r0-8}, {other:r0-8}, 8))",
    "strdup": "char* p = strdup({text:r0-20}); sink(p[0]); free(p)",
    "strndup": "char* p = strndup({text:r0-4}, 4); sink(p[0]); free(p)",
    "strtok": "sink(strtok({text:w0-20}, \",\") != NULL){!strtok:w}",
    "strtok_r": "char* k; sink(strtok_r({text:w0-20}, \",\", &k) != NULL)",
    "strsep": "char* k = {text:w0-20}; sink(strsep(&k, \",\") != NULL)",
    "strspn": "sink(strspn({text:r0-6}, \"alph\"))",
    "strstr": "sink(strstr({text:r0-20}, \"gamma\") != NULL)",
    "strtol": "sink(strtol({text:r0-1}, NULL, 10))",
    "strtol_end": "sink(strtol(\"12\", &{pointer:w}, 10))",
    "atoi": "sink(atoi({other:r0-1}))",
    "strtod": "sink((long)strtod(\"2.5\", &{pointer:w}))",
    "sprintf": "sprintf({text:w0-3}, \"%d\", 42)",
    "snprintf": "snprintf({text:w0-3}, 1000, \"%d\", 42)",
    "snprintf_from": "char b[64]; snprintf(b, 64, \"<%s>\", {text:r0-20})",
    "snprintf_precision": "char b[64]; snprintf(b, 64, \"%.*s\", 3, {text:r0-3})",
    "computed_format": "char b[64]; snprintf(b, 64, format, {text:r0-20})",
    "log": "note(\"%s\\n\", {text:r0-20})",
    "log_number": "note(\"%d\\n\", {number:r})",
    "vsnprintf": "char b[64]; sink(to_text(b, \"%d %s\", 3, {text:r0-20}))",
    "vsnprintf_into": "sink(to_text({text:w0-5}, \"%s\", \"four\"))",
    "format_itself": "char b[64]; sink(to_text(b, {other:r0-5}))",
    "sscanf": "sink(sscanf(\"12\", \"%d\", &{number:w}))",
    "sscanf_from": "int k; sink(sscanf({text:r0-20}, \"%d\", &k))",
    "sscanf_word": "sink(sscanf(\"word\", \"%10s\", {text:w0-5}))",
    "vsscanf": "sink(from_text(\"4 5\", \"%d\", &{number:w}))",
    "asprintf": "if (asprintf(&{pointer:w}, \"%d\", 7) < 0) abort()",
    "puts": "puts({text:r0-20})",
    "fwrite": "fwrite({text:r0-8}, 2, 4, stdout)",
    "printf_count": "printf(\"ab%n\\n\", &{number:w})",
    "perror": "perror({text:r0-20})",
    "memcpy": "memcpy({text:w0-8}, {other:r0-8}, 8)",
    "memset": "memset({text:w0-8}, 'm', 8)",
    "memmem": "sink(memmem({text:r0-20}, 20, \"beta\", 4) != NULL)",
    "qsort": "qsort({array:w}, 8, sizeof(int), by_value)",
    "bsearch": "int k = 3; sink(bsearch(&k, {array:r}, 8, sizeof(int), by_value) != NULL)",
    "time": "time(&{when:w})",
    "localtime_r": "localtime_r(&{when:r}, &{broken:w}){!environment:r}",
    "gmtime_r": "gmtime_r(&{when:r}, &{broken:w})",
    "localtime": "localtime(&{when:r}){!tm:w}{!environment:r}",
    "gmtime": "sink(gmtime(&{when:r})->tm_year){!tm:w}",
    "ctime": "sink(ctime(&{when:r})[0]){!tm:w}{!asctime:w}{!environment:r}",
    "asctime": "sink(asctime(&{broken:r})[0]){!asctime:w}",
    "asctime_r": "asctime_r(&{broken:r}, {text:w0-26})",
    "mktime": "sink(mktime(&{broken:w})){!environment:r}",
    "timegm": "sink(timegm(&{broken:w}))",
    "strftime": "strftime({text:w0-5}, 64, \"%Y\", &{broken:r}){!environment:r}",
    "strptime": "sink(strptime(\"1999\", \"%Y\", &{broken:w}) != NULL)",
    "sigemptyset": "sigemptyset(&{set:w})",
    "sigaddset": "sigaddset(&{set:w}, SIGUSR1)",
    "sigismember": "sink(sigismember(&{set:r}, SIGUSR1))",
    "sigmask": "pthread_sigmask(SIG_BLOCK, NULL, &{set:w})",
    "getrlimit": "getrlimit(RLIMIT_CORE, &{limit:w})",
    "gethostname": "gethostname({text:w0-2}, 64)",
    "getcwd": "sink(getcwd({text:w0-2}, 64) != NULL)",
    "stat": "stat(\".\", &{status:w})",
    "inet_pton": "inet_pton(AF_INET, \"1.2.3.4\", &{address:w})",
    "inet_aton": "inet_aton(\"1.2.3.4\", &{address:w})",
    "inet_ntop": "char b[32]; inet_ntop(AF_INET, &{address:r}, b, 32)",
    "inet_ntop_into": "inet_ntop(AF_INET, &{address:r}, {text:w0-8}, 64)",
    "inet_ntoa": "sink(inet_ntoa((struct in_addr){1})[0]){!ntoa:own}",
    "wcslen": "sink(wcslen({letters:r}))",
    "wcscpy": "wcscpy({letters:w}, L\"other\")",
    "wmemset": "wmemset({letters:w}, L'w', 4)",
    "mbstowcs": "sink(mbstowcs({letters:w}, {other:r0-5}, 32))",
    "wcstombs": "sink(wcstombs({text:w0-8}, {letters:r}, 64))",
    "swprintf": "swprintf({letters:w}, 32, L\"%d\", 5)",
    "rand_r": "sink(rand_r(&{seed:w}))",
    "frexp": "int k; sink((long)frexp({real:r}, &k))",
    "frexp_into": "sink((long)frexp(2.5, &{number:w}))",
    "modf": "sink((long)modf(2.5, &{real:w}))",
    "remquo": "sink((long)remquo(5, 3, &{number:w}))",
    "setenv": "setenv(\"A\", {text:r0-20}, 1){!environment:w}",
    "getenv": "sink(getenv(\"A\") != NULL){!environment:r}",
    "getenv_name": "sink(getenv({other:r0-5}) != NULL){!environment:r}",
    "tsearch": "tsearch(&one, &{tree:w}, by_value)",
    "tfind": "sink(tfind(&two, &{tree:r}, by_value) != NULL)",
    "sem_getvalue": "sem_getvalue(&sem, &{number:w})",
    "nanosleep": "struct timespec k = {0, 1}; k.tv_nsec = {number:r}; nanosleep(&k, NULL)",
    "clock_gettime": "struct timespec k; clock_gettime(CLOCK_MONOTONIC, &k); sink(k.tv_sec)",
    "gettimeofday": "struct timeval k; gettimeofday(&k, NULL); {wide:w} = k.tv_sec",
    "increment": "++{number:w}",
    "see": "sink({number:r})",
    "see_wide": "sink({wide:r})",
    "see_pointer": "sink({pointer:r} != NULL)",
    "set_real": "{real:w} = 3.5",
    "see_letters": "sink({letters:r}[0])",
    "strcmp_pointer": "int (*volatile compare)(const char*, const char*) = strcmp; sink(compare({text:r0-6}, \"x\"))",
    "strlcpy_like": "snprintf({text:w0-5}, 64, \"%s\", {other:r0-5})",
    "swab": "swab({other:r0-4}, {text:w0-4}, 4)",
    "strxfrm": "sink(strxfrm({text:w0-5}, {other:r0-5}, 64))",
    "strerror_r": "sink(strerror_r(12345, {text:w0-20}, 64) != NULL)",
    "basename": "sink(strlen(basename({text:r0-20})))",
    "realloc": "char* p = malloc(4); memcpy(p, {other:r0-4}, 4); p = realloc(p, 4000); sink(p[0]); free(p)",
    "getline_from": "char* p = NULL; size_t n = 0; FILE* f = fmemopen({text:r0-20}, 19, \"r\"); sink(getline(&p, &n, f)); free(p); fclose(f)",
}

CPP_KINDS = {
    "string": ("std::string {}", "{} = \"shared text that is long enough for the heap\""),
    "short_string": ("std::string {}", "{} = \"17\""),
    "out": ("std::ostringstream {}", "{} << 1"),
    "source": ("std::stringstream {}", "for (int i = 0; i < 8; ++i) {} << \"12 13 14\\n\""),
    "vector": ("std::vector<int> {}", "{} = {3, 2, 1}"),
    "map": ("std::map<int, int> {}", "{}[1] = 2"),
    "unordered": ("std::unordered_map<int, int> {}", "{}[1] = 2"),
    "list": ("std::list<int> {}", "{} = {1, 2}"),
    "deque": ("std::deque<int> {}", "{} = {1, 2}"),
    "shared": ("std::shared_ptr<int> {}", "{} = std::make_shared<int>(3)"),
    "function": ("std::function<int(int)> {}", "{} = [](int x) { return x + 1; }"),
    "digits": ("char {}[64]", "strcpy({}, \"2.5\")"),
    "value": ("int {}", "{} = 5"),
    "any": ("std::any {}", "{} = 4"),
    "optional": ("std::optional<std::string> {}", "{} = \"a string that does not fit inside\""),
    "path": ("std::filesystem::path {}", "{} = \"/a/b/c.txt\""),
    "pool": ("std::pmr::monotonic_buffer_resource {}", ""),
    "regex": ("std::regex {}", "{} = \"b+\""),
}

CPP = {
    "append": "{string:w} += \"x\"",
    "size": "sink({string:r}.size())",
    "find": "sink({string:r}.find(\"text\"))",
    "copy": "std::string s = {string:r}; sink(s.size())",
    "substr": "sink({string:r}.substr(2, 30).size())",
    "assign": "{string:w} = \"another text that is long enough for the heap\"",
    "assign_short": "{short_string:w} = \"18\"",
    "compare": "sink({short_string:r} == \"17\")",
    "erase": "{string:w}.erase(0, 1)",
    "stoi": "sink(std::stoi({short_string:r}))",
    "stod": "sink((long)std::stod({short_string:r}))",
    "to_string": "{short_string:w} = std::to_string(12)",
    "to_string_double": "{string:w} = std::to_string(1.5)",
    "insert_int": "{out:w} << 17",
    "insert_double": "{out:w} << 2.5",
    "insert_text": "{out:w} << \"text\"",
    "insert_string": "{out:w} << {string:r}",
    "insert_hex": "{out:w} << std::hex << std::setw(8) << 255",
    "own_stream": "std::ostringstream o; o << {value:r} << ' ' << {short_string:r}; sink(o.str().size())",
    "str": "sink({out:r}.str().size())",
    "extract": "{source:w8-16} >> {value:w}",
    "extract_word": "{source:w8-16} >> {short_string:w}",
    "getline": "std::getline({source:w8-16}, {string:w})",
    "get": "sink({source:w8-16}.get())",
    "good": "sink({source:r0-8}.good())",
    "push": "{vector:w}.push_back(4)",
    "at": "sink({vector:r}[0])",
    "sort": "std::sort({vector:w}.begin(), {vector:w}.end())",
    "map_insert": "{map:w}[3] = 4",
    "map_size": "sink({map:r}.size())",
    "map_erase": "{map:w}.erase(1)",
    "hash_clear": "{unordered:w}.clear()",
    "hash_find": "sink({unordered:r}.count(1))",
    "list_push": "{list:w}.push_back(3)",
    "list_size": "sink({list:r16-24}.size())",
    "list_sort": "{list:w0-16}.sort()",
    "deque_push": "{deque:w}.push_front(3)",
    "deque_size": "sink({deque:r}.size())",
    "share": "std::shared_ptr<int> p = {shared:r}; sink(*p)",
    "reset": "{shared:w}.reset()",
    "call": "sink({function:r}(3))",
    "set_function": "{function:w} = [](int x) { return x + 2; }",
    "to_chars": "auto r = std::to_chars({digits:w0-2}, {digits:w0-2} + 60, 42); sink(r.ptr != nullptr)",
    "to_chars_double": "auto r = std::to_chars({digits:w0-3}, {digits:w0-3} + 60, 4.5); sink(r.ptr != nullptr)",
    "from_chars": "std::from_chars({digits:r0-1}, {digits:r0-1} + 1, {value:w})",
    "from_chars_double": "double d; std::from_chars({digits:r0-3}, {digits:r0-3} + 3, d); sink((long)d)",
    "any_set": "{any:w} = std::string(\"a text that is long enough for the heap\")",
    "any_get": "sink({any:r}.has_value())",
    "optional_reset": "{optional:w}.reset()",
    "optional_see": "sink({optional:r}.has_value())",
    "path_append": "{path:w} /= \"d\"",
    "path_name": "sink({path:r}.filename().string().size())",
    "pool_allocate": "sink({pool:w}.allocate(16) != nullptr)",
    "regex_search": "sink(std::regex_search(std::string(\"abbc\"), {regex:r}))",
    "cout": "std::cout << {value:r} << '\\n'",
    "cerr": "std::cerr << {string:r} << std::endl",
    "stringstream": "std::stringstream s; s << {value:r}; s >> {value:w}",
    "exception": "try { throw std::runtime_error({string:r}); } catch (const std::exception& e) { sink(e.what()[0]); }",
    "set_value": "{value:w} = 9",
    "put_time": "std::tm t{}; std::ostringstream o; o << std::put_time(&t, \"%Y\"); sink(o.str().size())",
    "local_file": "std::ofstream f(\"o\"); f << {value:r}",
    "iterate": "for (char c : {string:r}) sink(c)",
    "transform": "std::transform({string:w}.begin(), {string:w}.end(), {string:w}.begin(), [](char c) { return char(toupper(c)); })",
    "swap": "std::string s = \"a string for the swap, on the heap\"; {string:w}.swap(s)",
    "move": "std::string s = std::move({string:w}); sink(s.size())",
    "quoted": "std::ostringstream o; o << std::quoted({string:r}); sink(o.str().size())",
    "error": "sink(std::make_error_code(std::errc::io_error).message().size())",
}

C_HEAD = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static int one = 1, two = 2;
static char format[] = "[%s]";
static sem_t sem;
static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static void note(const char* text, ...) {
  va_list list;
  va_start(list, text);
  vfprintf(stderr, text, list);
  va_end(list);
}
static int to_text(char* to, const char* text, ...) {
  va_list list;
  va_start(list, text);
  int n = vsnprintf(to, 64, text, list);
  va_end(list);
  return n;
}
static int from_text(const char* from, const char* text, ...) {
  va_list list;
  va_start(list, text);
  int n = vsscanf(from, text, list);
  va_end(list);
  return n;
}
"""

CPP_HEAD = r"""
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>
#include <algorithm>
#include <any>
#include <charconv>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
static sem_t sem;
"""

TAIL = r"""
static void* thread(void* number) {
  long self = (long)number;
  if (delay & (1 << self)) usleep(20000);
  step(self);
  return NULL;
}

// run NUMBER [DELAYED]: the program of this number; DELAYED is a set of threads that begin late.
int main(int argc, char** argv) {
  program = atoi(argv[1]);
  delay = argc > 2 ? atoi(argv[2]) : 0;
  sem_init(&sem, 0, 0);
  set_up();
  pthread_t t[3];
  for (long i = 0; i < threads[program]; ++i) pthread_create(&t[i], NULL, thread, (void*)i);
  for (long i = 0; i < threads[program]; ++i) pthread_join(t[i], NULL);
  _exit(0);
}
"""

USE = re.compile(r"\{(!?)(\w+):(\w+?)(?:(\d+)-(\d+))?\}")


class Program:
    """Steps of threads: (snippet, object of each kind is shared?, under the lock?)."""

    def __init__(self, seed, cpp):
        draw = random.Random(seed)
        self.cpp = cpp
        table, kinds = (CPP, CPP_KINDS) if cpp else (C, KINDS)
        kind = draw.choice(list(kinds))
        near = [n for n, code in table.items() if any(u[1] == kind for u in USE.findall(code))]
        hidden = [n for n, code in table.items() if "{!" in code]
        self.threads = []
        for _ in range(draw.choice([2, 2, 2, 3])):
            steps = []
            for _ in range(draw.choice([1, 1, 2])):
                names = near if draw.random() < 0.8 else hidden if hidden and draw.random() < 0.4 else list(table)
                name = draw.choice(names)
                used = sorted({u[1] for u in USE.findall(table[name]) if not u[0]})
                shared = {k for k in used if draw.random() < 0.8}
                steps.append((name, shared, draw.random() < 0.3))
            self.threads.append(steps)

    def uses(self, name, shared, thread):
        for hidden, kind, mode, low, high in USE.findall((CPP if self.cpp else C)[name]):
            if mode == "own":
                continue
            place = "!" + kind if hidden else kind if kind in shared else f"{kind}/{thread}"
            yield place, mode == "w", int(low or 0), int(high or 1 << 20)

    def has_race(self):
        """Do two threads meet on an object, one writing, not both under the lock?"""
        touched = [(thread, locked, use) for thread, steps in enumerate(self.threads) for name, shared, locked in steps
                   for use in self.uses(name, shared, thread)]
        for i, (a, a_locked, (a_place, a_writes, a_low, a_high)) in enumerate(touched):
            for b, b_locked, (b_place, b_writes, b_low, b_high) in touched[:i]:
                if (a != b and a_place == b_place and (a_writes or b_writes) and not (a_locked and b_locked) and a_low < b_high and
                        b_low < a_high):
                    return True
        return False

    def text(self):
        return "; ".join(" | ".join(f"{n}({','.join(sorted(s))}){' locked' if l else ''}" for n, s, l in steps) for steps in self.threads)


def source(programs, cpp):
    table, kinds = (CPP, CPP_KINDS) if cpp else (C, KINDS)
    parts = [CPP_HEAD if cpp else C_HEAD, "static int program, delay;\nstatic volatile long nothing;\n",
             "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n", "static void sink(long x) { (void)x; }\n"]
    steps, set_ups = [], []
    for number, p in enumerate(programs):
        objects, functions = {}, []
        for thread, list_of_steps in enumerate(p.threads):
            body = []
            for name, shared, locked in list_of_steps:
                def place(match):
                    if match[1]:
                        return ""
                    kind = match[2]
                    own = f"{kind}_{number}" + ("" if kind in shared else f"_{thread}")
                    objects[own] = kind
                    return own
                code = USE.sub(place, table[name])
                body.append(("  pthread_mutex_lock(&mutex);\n" if locked else "") + f"  {{ {code}; }}\n" +
                            ("  pthread_mutex_unlock(&mutex);\n" if locked else ""))
            functions.append(f"static void steps_{number}_{thread}(void) {{\n{''.join(body)}}}\n")
            steps.append(f"  if (program == {number} && self == {thread}) steps_{number}_{thread}();\n")
        parts += [f"static {kinds[kind][0].replace('{}', own)};\n" for own, kind in objects.items()]
        parts += functions
        begin = "".join(f"    {kinds[kind][1].replace('{}', own)};\n" for own, kind in objects.items())
        set_ups.append(f"  if (program == {number}) {{\n{begin}  }}\n")
    counts = ", ".join(str(len(p.threads)) for p in programs)
    parts.append(f"static const long threads[] = {{{counts}}};\n")
    parts.append("static void set_up(void) {\n" + "".join(set_ups) + "}\nstatic void step(long self) {\n" + "".join(steps) + "}\n" + TAIL)
    return "".join(parts)
