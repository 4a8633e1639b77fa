"""Programs that call the operating system and standard streams from two threads, and all that they can observe.

What a program can observe follows from the orders of its calls, and of the steps that the kernel takes for one: it looks a descriptor up,
and then works on the file that it found; it takes one number after the other for a pipe. The truth is found natively: the steps run in each
order, one after the other in one thread, without the checker. An outcome is the list of all results.
"""
import itertools
import random
import re
import subprocess

# name: code. R(x) notes a result, E(x) one that is an error number when it is negative.
# Objects: fd and log are open files, ends a pipe, in and to streams, event an eventfd.
CALLS = {
    "read": "char b[4] = {0}; E(read(fd, b, 3)); R(b[0])",
    "write": "E(write(fd, \"Q\", 1))",
    "pread": "char b[4] = {0}; E(pread(fd, b, 2, 1)); R(b[0])",
    "pwrite": "E(pwrite(fd, \"P\", 1, 1))",
    "readv": "char b[2] = {0}; struct iovec v[2] = {{b, 1}, {b + 1, 1}}; E(readv(fd, v, 2)); R(b[1])",
    "writev": "struct iovec v[2] = {{(void*)\"v\", 1}, {(void*)\"w\", 1}}; E(writev(log_, v, 2))",
    "tell": "E(lseek(fd, 0, SEEK_CUR))",
    "seek": "E(lseek(fd, 4, SEEK_SET))",
    "seek_end": "E(lseek(log_, 0, SEEK_END))",
    "close": "E(close(fd))",
    "close_log": "E(close(log_))",
    "dup": "E(dup(fd))",
    "dup2": "E(dup2(log_, fd))",
    "dup_to": "E(dup2(fd, 30))",
    "dupfd": "E(fcntl(fd, F_DUPFD, 5))",
    "open": "E(open(\"f\", O_RDONLY))",
    "create": "E(open(\"new\", O_CREAT | O_RDWR, 0666))",
    "create_exclusive": "E(open(\"new\", O_CREAT | O_EXCL | O_RDWR, 0666))",
    "truncating_open": "int k = open(\"f\", O_WRONLY | O_TRUNC); E(k)",
    "get_flags": "int k = fcntl(fd, F_GETFL); R(k < 0 ? -errno : k & (O_APPEND | O_NONBLOCK))",
    "set_append": "E(fcntl(fd, F_SETFL, O_APPEND))",
    "set_nonblock": "E(fcntl(fd, F_SETFL, O_NONBLOCK))",
    "get_cloexec": "E(fcntl(fd, F_GETFD))",
    "set_cloexec": "E(fcntl(fd, F_SETFD, FD_CLOEXEC))",
    "size": "struct stat s; int k = fstat(fd, &s); R(k < 0 ? -errno : s.st_size)",
    "links": "struct stat s; int k = fstat(fd, &s); R(k < 0 ? -errno : s.st_nlink)",
    "mode": "struct stat s; int k = fstat(fd, &s); R(k < 0 ? -errno : s.st_mode & 0777)",
    "stat_name": "struct stat s; int k = stat(\"f\", &s); R(k < 0 ? -errno : s.st_size)",
    "stat_links": "struct stat s; int k = stat(\"f\", &s); R(k < 0 ? -errno : s.st_nlink)",
    "stat_new": "struct stat s; int k = stat(\"new\", &s); R(k < 0 ? -errno : s.st_mode & 0777)",
    "stat_to": "struct stat s; int k = stat(\"g\", &s); R(k < 0 ? -errno : s.st_size)",
    "isatty": "E(isatty(fd) ? 1 : -1)",
    "truncate": "E(ftruncate(fd, 2))",
    "truncate_name": "E(truncate(\"f\", 3))",
    "allocate": "E(-posix_fallocate(fd, 0, 40))",
    "access": "E(access(\"f\", F_OK))",
    "access_new": "E(access(\"new\", F_OK))",
    "access_h": "E(access(\"h\", F_OK))",
    "unlink": "E(unlink(\"f\"))",
    "link": "E(link(\"f\", \"h\"))",
    "rename": "E(rename(\"f\", \"h\"))",
    "symlink": "E(symlink(\"f\", \"h\"))",
    "readlink": "char b[8]; E(readlink(\"h\", b, 8))",
    "mkdir": "E(mkdir(\"e\", 0777))",
    "rmdir": "E(rmdir(\"e\"))",
    "rmdir_d": "E(rmdir(\"d\"))",
    "chdir": "E(chdir(\"d\"))",
    "getcwd": "char b[4096]; char* k = getcwd(b, sizeof b); R(k ? strrchr(b, '/')[1] == 'd' && !strrchr(b, '/')[2] : -errno)",
    "umask": "E(umask(077))",
    "umask_other": "E(umask(022))",
    "chmod": "E(chmod(\"f\", 0600))",
    "fchmod": "E(fchmod(fd, 0640))",
    "pipe_write": "E(write(ends[1], \"p\", 1))",
    "pipe_read": "char b[2] = {0}; E(read(ends[0], b, 1)); R(b[0])",
    "pipe_poll": "struct pollfd p = {ends[0], POLLIN, 0}; E(poll(&p, 1, 0)); R(p.revents)",
    "pipe_close_write": "E(close(ends[1]))",
    "pipe_close_read": "E(close(ends[0]))",
    "pipe_waiting": "int n = -1; int k = ioctl(ends[0], FIONREAD, &n); R(k < 0 ? -errno : n)",
    "pipe_new": "int p[2]; int k = pipe(p); R(k < 0 ? -errno : p[0] * 100 + p[1])",
    "event_write": "uint64_t v = 3; E(write(event, &v, 8))",
    "event_read": "uint64_t v = 0; int k = read(event, &v, 8); R(k < 0 ? -errno : (long)v)",
    "event_close": "E(close(event))",
    "null_write": "E(write(null, \"n\", 1))",
    "null_close": "E(close(null))",
    "null_isatty": "E(isatty(null) ? 1 : -1)",
    "zero_read": "char b[2] = {1, 1}; E(read(null, b, 1)); R(b[0])",
    "fgetc": "R(fgetc(in))",
    "ungetc": "R(ungetc('u', in))",
    "fread": "char b[4] = {0}; R(fread(b, 1, 3, in)); R(b[0])",
    "fread_all": "char b[64]; R(fread(b, 1, 64, in))",
    "fgets": "char b[8] = {0}; R(fgets(b, 8, in) != NULL); R(b[0])",
    "fscanf": "char b[16] = {0}; R(fscanf(in, \"%15s\", b)); R(b[0])",
    "getline": "char* l = NULL; size_t n = 0; R(getline(&l, &n, in)); free(l)",
    "feof": "R(feof(in) != 0)",
    "ferror": "R(ferror(to) != 0)",
    "clearerr": "clearerr(in)",
    "ftell": "R(ftell(in))",
    "ftell_to": "R(ftell(to))",
    "fseek": "R(fseek(in, 2, SEEK_SET))",
    "fseek_end": "R(fseek(in, 0, SEEK_END))",
    "rewind": "rewind(in)",
    "fputs": "R(fputs(\"tt\", to) >= 0)",
    "fputc": "R(fputc('x', to))",
    "fprintf": "R(fprintf(to, \"%d\", 12345))",
    "fwrite": "R(fwrite(\"abc\", 1, 3, to))",
    "fflush": "R(fflush(to))",
    "fflush_all": "R(fflush(NULL))",
    "freopen": "R(freopen(\"g2\", \"w\", to) != NULL)",
    "reopen_in": "R(freopen(\"g0\", \"r\", in) != NULL)",
    "fileno": "R(fileno(in))",
    "close_below": "E(close(fileno(to)))",
    "unbuffered": "R(setvbuf(to, NULL, _IONBF, 0))",
    "pending": "R(__fpending(to))",
    "wide": "R(fwide(in, 0))",
    "fopen": "FILE* k = fopen(\"f\", \"r\"); R(k ? fileno(k) : -errno)",
    "fopen_write": "FILE* k = fopen(\"f\", \"w\"); R(k != NULL)",
    "tmpfile": "FILE* k = tmpfile(); R(k ? fileno(k) : -errno)",
    "opendir": "DIR* k = opendir(\"d\"); R(k ? dirfd(k) : -errno)",
    "fdopen": "FILE* k = fdopen(fd, \"r\"); R(k ? fgetc(k) : -errno)",
    "remove": "E(remove(\"f\"))",
    "mkstemp": "char b[] = \"XXXXXX\"; E(mkstemp(b))",
    "setlocale": "R(setlocale(LC_ALL, \"C.UTF-8\") != NULL)",
    "setlocale_c": "R(setlocale(LC_ALL, \"C\") != NULL)",
    "iswalpha": "R(iswalpha(0xe9) != 0)",
    "mb_cur_max": "R(MB_CUR_MAX)",
    "codeset": "R(nl_langinfo(CODESET)[0])",
    "mbstowcs": "wchar_t b[4]; R((int)mbstowcs(b, \"\\xc3\\xa9\", 4))",
    "towupper": "R(towupper(0xe9))",
    "rand": "R(rand())",
    "srand": "srand(7)",
    "random": "R(random())",
    "srandom": "srandom(7)",
    "limit": "struct rlimit l; getrlimit(RLIMIT_CORE, &l); R(l.rlim_cur)",
    "handler": "struct sigaction a; sigaction(SIGUSR1, NULL, &a); R(a.sa_handler == SIG_IGN)",
    "ignore": "R(signal(SIGUSR1, SIG_IGN) == SIG_ERR)",
    "ignore_action": "struct sigaction a = {0}; a.sa_handler = SIG_IGN; E(sigaction(SIGUSR1, &a, NULL))",
    "key": "pthread_key_t k; int e = pthread_key_create(&k, NULL); R(e ? -e : (int)k - (int)key)",
    "key_delete": "R(pthread_key_delete(key))",
    "post": "E(sem_post(&sem))",
    "try_wait": "E(sem_trywait(&sem))",
    "sem_value": "int v = -1; sem_getvalue(&sem, &v); R(v)",
    "try_read_lock": "R(pthread_rwlock_tryrdlock(&rw))",
    "try_write_lock": "R(pthread_rwlock_trywrlock(&rw))",
    "try_lock": "R(pthread_mutex_trylock(&mutex))",
}

# Calls that meet on something are drawn together more often.
GROUPS = [
    "read write pread pwrite readv tell seek size truncate truncating_open close dup2 allocate truncate_name stat_name",
    "close close_log dup dup_to dupfd dup2 open create fopen tmpfile opendir pipe_new event_close fileno close_below mkstemp",
    "close dup2 isatty get_flags set_append set_nonblock get_cloexec set_cloexec links mode size read write",
    "unlink link rename symlink readlink access access_h links stat_links stat_name open remove fopen",
    "chdir getcwd mkdir rmdir rmdir_d access open create umask stat_new umask_other create_exclusive access_new opendir",
    "chmod fchmod mode umask umask_other create stat_new",
    "pipe_write pipe_read pipe_poll pipe_close_write pipe_close_read pipe_waiting pipe_new",
    "event_write event_read event_close null_write null_close null_isatty zero_read dup",
    "fgetc ungetc fread fread_all fgets fscanf getline feof clearerr ftell fseek fseek_end rewind reopen_in wide fileno",
    "fputs fputc fprintf fwrite fflush fflush_all freopen stat_to ftell_to pending unbuffered close_below ferror",
    "setlocale setlocale_c iswalpha mb_cur_max codeset mbstowcs towupper",
    "rand srand random srandom limit handler ignore ignore_action",
    "key key_delete post try_wait sem_value try_read_lock try_write_lock try_lock",
]

# Calls that look a descriptor up and then work on the file; what has to do with the number alone is one step.
DESCRIPTOR = re.compile(r"\b(fd|log_|ends\[0\]|ends\[1\]|event|null)(?=[,)])")
ONE_STEP = {"close", "close_log", "pipe_close_write", "pipe_close_read", "event_close", "null_close", "dup2", "dup_to", "get_cloexec",
            "set_cloexec", "fdopen"}
PIPE = ("open_pipe(self); halves[self][0] = dup(raw[self][0])",
        "halves[self][1] = dup(raw[self][1]); R(close_pipe(self) ? -errno : halves[self][0] * 100 + halves[self][1])")

# One of two threads that change the locale, or one that changes it and one that depends on it: a data race (docs/decisions).
CHANGES_LOCALE = {"setlocale", "setlocale_c"}
SEES_LOCALE = CHANGES_LOCALE | set("iswalpha mb_cur_max codeset mbstowcs towupper fscanf fprintf".split())

HEAD = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static long results[3][16];
static int counts[3];
#define R(x) (results[self][counts[self]++] = (long)(x))
#define E(x) do { long k_ = (long)(x); R(k_ == -1 ? -errno : k_); } while (0)

static int fd, log_, ends[2], event, null;
static FILE *in, *to;
static sem_t sem;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

// What a call's first step found, at a number that no other call gets.
static int held[3], halves[3][2], raw[3][2];
static int hold(int number) {
  int k = fcntl(number, F_DUPFD, 600);
  return k < 0 ? 999 : k;
}
static void open_pipe(int self) {
  int p[2];
  if (pipe(p)) abort();
  for (int i = 0; i < 2; ++i) {
    raw[self][i] = hold(p[i]);
    close(p[i]);
  }
}
static int close_pipe(int self) { return close(raw[self][0]) | close(raw[self][1]); }

static void fill(const char* name, const char* text) {
  int k = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (k < 0 || write(k, text, strlen(text)) < 0) abort();
  close(k);
}

static void set_up(void) {
  umask(027);
  fill("f", "abcdefgh\n");
  fill("g0", "one two\nthree\n");
  if (mkdir("d", 0755)) abort();
  fd = open("f", O_RDWR);
  log_ = open("log", O_CREAT | O_RDWR, 0644);
  if (pipe(ends)) abort();
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  event = eventfd(0, EFD_NONBLOCK);
  null = open("/dev/zero", O_RDWR);
  in = fopen("g0", "r");
  to = fopen("g", "w");
  sem_init(&sem, 0, 1);
  pthread_key_create(&key, NULL);
}
"""

TAIL = r"""
static void* thread(void* number) {
  int self = (int)(long)number;
  for (int i = 0; i < lengths[program][self]; ++i) step(self, i);
  return NULL;
}

static void print(char* to_) {
  for (int self = 0; self < 3; ++self)
    for (int i = 0; i < counts[self]; ++i) to_ += sprintf(to_, "%ld,", results[self][i]);
  *to_ = 0;
}

// run NUMBER ORDER: prints the outcome of this order. run NUMBER not OUTCOME, run NUMBER among OUTCOME...: asserts it of all orders.
int main(int argc, char** argv) {
  static char outcome[1024];
  program = atoi(argv[1]);
  set_up();
  if (argc == 3) {
    int next[3] = {0};
    for (const char* p = argv[2]; *p; ++p) step(*p - '0', next[*p - '0']++);
  } else {
    pthread_t t[2];
    for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, thread, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
    thread((void*)2l);
  }
  print(outcome);
  if (argc == 3) {
    FILE* out = fopen("outcome", "w");
    fprintf(out, "%s", outcome);
    fclose(out);
    return 0;
  }
  int is_among = 0;
  for (int i = 3; i < argc; ++i) is_among |= !strcmp(outcome, argv[i]);
  assert(is_among == !strcmp(argv[2], "among"));
  _exit(0);
}
"""


def generate(seed):
    """Three lists of calls: of two threads, and of main after both."""
    draw = random.Random(seed)
    group = draw.choice(GROUPS).split()
    names = [group if draw.random() < 0.85 else list(CALLS) for _ in range(5)]
    lengths = [draw.choice([1, 1, 2]), draw.choice([1, 1, 2]), draw.choice([0, 1])]
    return [[draw.choice(draw.choice(names)) for _ in range(n)] for n in lengths]


def parts(call):
    """The code of a call's steps."""
    code = CALLS[call]
    if call == "pipe_new":
        return PIPE
    descriptor = None if call in ONE_STEP else DESCRIPTOR.search(code)
    if not descriptor:
        return (code,)
    held = "held[self]"
    return (f"{held} = hold({descriptor[1]})", f"{code.replace(descriptor[1], held)}; close({held})")


def source(programs, in_steps):
    """The text of all programs, with calls or with their steps."""
    text = [HEAD]
    steps, rows = [], []
    for number, lists in enumerate(programs):
        lengths = []
        for thread, calls in enumerate(lists):
            codes = [(code, call) for call in calls for code in (parts(call) if in_steps else (CALLS[call],))]
            lengths.append(str(len(codes)))
            for place, (code, call) in enumerate(codes):
                name = f"call_{number}_{thread}_{place}"
                text.append(f"static void {name}(int self) {{ {code}; }}  // {call}\n")
                steps.append(f"  if (program == {number} && self == {thread} && i == {place}) {name}(self);\n")
        rows.append("{" + ", ".join(lengths) + "}")
    text.append(f"static int program;\nstatic const int lengths[][3] = {{{', '.join(rows)}}};\n")
    text.append("static void step(int self, int i) {\n" + "".join(steps) + "}\n" + TAIL)
    return "".join(text)


def orders(lists):
    """All orders of the steps of both threads, then main's."""
    first, second, last = (sum(len(parts(call)) for call in calls) for calls in lists)
    for chosen in itertools.combinations(range(first + second), first):
        yield "".join("0" if i in chosen else "1" for i in range(first + second)) + "2" * last


def has_race(lists):
    """Is the locale changed without order to another thread that depends on it? Main is ordered by its joins."""
    return any(CHANGES_LOCALE & set(a) and SEES_LOCALE & set(b) for a, b in (lists[:2], lists[1::-1]))


def is_misuse(lists):
    """Is the key deleted twice?"""
    return sum(calls.count("key_delete") for calls in lists) > 1


def outcomes(executable, number, lists, folder):
    """Every outcome, by running the calls in each order."""
    found = set()
    for order in orders(lists):
        place = folder / f"{number}-{order}"
        place.mkdir(parents=True)
        done = subprocess.run([executable, str(number), order], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=20)
        text = place / "outcome"
        if done.returncode or not text.exists():
            return None  # the program lost its own streams: nothing can be said
        found.add(text.read_text())
    return sorted(found)
