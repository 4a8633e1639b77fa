"""Small concurrent programs as values, and their text in C.

A program has shared objects and threads; a thread is a list of statements. The same statements are written as C here and run by
interpreter.py, which shares nothing with the checker: what both must agree on is what this file says.

Statements are tuples:
  ("op", name, register or None, arguments...)   one visible operation, see interpreter.py
  ("set", register, expression)                  expressions are texts that C and Python read alike
  ("if", expression, then, otherwise)
  ("loop", style, body)                          for ever, until "break_if"
  ("break_if", expression)  ("continue_if", expression)
  ("call", register, body, expression, inline)   a helper function with registers of its own, h0 and h1
  ("once", object, body)                         pthread_once; the body uses no registers
  ("section", body)                              an atomic section; nothing in it waits
  ("assume", expression)                         inspect_assume
  ("leave", expression)                          if it holds, the thread ends, in a function that it calls; not of main
  ("pause", how)                                 sched_yield, usleep, memset of a private buffer: nothing that others see
"""
from dataclasses import dataclass, field

REGISTERS = ("r0", "r1", "r2", "r3", "acc", "h0", "h1")
SAVED = REGISTERS[:5]  # of the thread function; h0 and h1 are those of helpers
WIDTHS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long"}
PRIME, OFFSET, MASK = 0x100000001B3, 0xCBF29CE484222325, (1 << 64) - 1
MARK = 1 << 63  # tells a final state from other values


@dataclass(frozen=True)
class Object:
    """kind: atomic | plain | mutex | rwlock | spinlock | semaphore | condition | barrier | once | key.

    An atomic may be looked at in parts: "x:1:2" are two bytes of x, from byte 1 on."""
    name: str
    kind: str
    width: int = 4
    place: str = "global"  # atomic and plain: global | heap | freed (some thread frees it) | stack (of main)
    initial: int = 0  # value, or count of a semaphore or barrier
    variant: str = "normal"  # of a mutex: normal | recursive | errorcheck | robust; of a rwlock: normal | writer
    destructor: tuple = ()  # of a key: statements that use no registers


@dataclass
class Program:
    objects: list
    threads: list  # [0] is main
    register_style: list = field(default_factory=list)  # per thread: local | volatile | array | thread_local | global | heap
    unjoined: bool = False  # main ends while others run: only what main saw is the final state

    def object(self, name):
        name = name.split(":")[0]
        return next(o for o in self.objects if o.name == name)

    def width(self, name):
        return int(name.split(":")[2]) if ":" in name else self.object(name).width


def digest(values):
    """Of the final state: what every thread saw, and what is left in the variables."""
    h = OFFSET
    for value in values:
        h = ((h ^ value) * PRIME) & MASK
    return h | MARK


def walk(statements):
    for s in statements:
        yield s
        for part in {"if": (2, 3), "loop": (2,), "call": (2,), "once": (2,), "section": (1,)}.get(s[0], ()):
            yield from walk(s[part])


class Writer:
    """The C text of one program, its names prefixed so that many fit in one file."""

    def __init__(self, program, number):
        self.program, self.number, self.prefix = program, number, f"p{number}_"
        self.helpers, self.count = [], 0

    def name(self, text):
        return self.prefix + text

    def place(self, name):
        o = self.program.object(name)
        whole = self.name(o.name) if o.place == "global" else f"(*{self.name(o.name)})"
        if ":" not in name:
            return whole
        _, first, width = name.split(":")
        return f"(*(_Atomic {WIDTHS[int(width)]}*)((char*)&{whole} + {first}))"

    def text(self):
        bodies = [self.thread(i) for i in range(len(self.program.threads))]
        return "\n".join(self.declarations() + self.helpers + bodies)

    def declarations(self):
        lines = []
        for o in self.program.objects:
            n = self.name(o.name)
            if o.kind in ("atomic", "plain"):
                kind = ("_Atomic " if o.kind == "atomic" else "") + WIDTHS[o.width]
                lines.append(f"static _Alignas(8) {kind} {n};" if o.place == "global" else f"static {kind}* {n};")
            else:
                kind = {"mutex": "pthread_mutex_t", "rwlock": "pthread_rwlock_t", "spinlock": "pthread_spinlock_t",
                        "semaphore": "sem_t", "condition": "pthread_cond_t", "barrier": "pthread_barrier_t",
                        "once": "pthread_once_t", "key": "pthread_key_t"}[o.kind]
                lines.append(f"static {kind} {n};")
        for o in self.program.objects:
            if o.kind == "key":
                lines += [f"static void {self.name(o.name)}_destroy(void* v) {{", "  (void)v;"] + \
                    self.block(o.destructor, {r: r for r in REGISTERS}, 1) + ["}"]
        count = len(self.program.threads)
        lines.append(f"static unsigned {self.name('out')}[{count}], {self.name('own')}[{count}][{len(SAVED)}];")
        lines.append(f"static pthread_t {self.name('handles')}[{count}];")
        lines += [f"static void* {self.name('thread')}{i}(void*);" for i in range(1, count)]
        if "thread_local" in self.program.register_style:
            lines.append(f"static _Thread_local unsigned {self.name('locals')}[{len(SAVED)}];")
        return lines

    def registers(self, i):
        """The declaration of a thread's registers, and what each is called in its text."""
        style = self.program.register_style[i]
        if style == "array":
            return f"  unsigned a[{len(SAVED)}] = {{0}};", {r: f"a[{k}]" for k, r in enumerate(SAVED)}
        if style == "heap":
            return (f"  unsigned* a = calloc({len(SAVED)}, sizeof *a);", {r: f"a[{k}]" for k, r in enumerate(SAVED)})
        if style == "global":
            return "", {r: f"{self.name('own')}[{i}][{k}]" for k, r in enumerate(SAVED)}
        if style == "thread_local":
            return "", {r: f"{self.name('locals')}[{k}]" for k, r in enumerate(SAVED)}
        qualifier = "volatile " if style == "volatile" else ""
        return f"  {qualifier}unsigned r0 = 0, r1 = 0, r2 = 0, r3 = 0, acc = 0;", {r: r for r in SAVED}

    def thread(self, i):
        declaration, names = self.registers(i)
        self.index = i
        names = {**names, "h0": "h0", "h1": "h1"}
        head = f"static void* {self.name('thread')}{i}(void* unused) {{\n  (void)unused;"
        if i == 0:
            head = f"static void {self.name('main')}(void) {{\n" + "\n".join(self.setup())
        lines = [head, declaration] + self.block(self.program.threads[i], names, 1)
        lines.append(f"  {self.name('out')}[{i}] = {names['acc']};")
        lines += [f"  (void){names[r]};" for r in SAVED]
        lines += self.result() if i == 0 else ["  return NULL;"]
        return "\n".join(lines + ["}"])

    def setup(self):
        lines = []
        for o in self.program.objects:
            n = self.name(o.name)
            if o.kind in ("atomic", "plain"):
                kind = ("_Atomic " if o.kind == "atomic" else "") + WIDTHS[o.width]
                if o.place in ("heap", "freed"):
                    lines.append(f"  {n} = malloc(sizeof *{n});")
                elif o.place == "stack":
                    lines.append(f"  {kind} {o.name}_object; {n} = &{o.name}_object;")
                lines.append(f"  {self.place(o.name)} = {o.initial};")
            elif o.kind == "mutex":
                constant = {"normal": "NORMAL", "recursive": "RECURSIVE", "errorcheck": "ERRORCHECK", "robust": "NORMAL"}[o.variant]
                lines.append(f"  init_mutex(&{n}, PTHREAD_MUTEX_{constant}, {int(o.variant == 'robust')});")
            elif o.kind == "rwlock":
                lines.append(f"  init_rwlock(&{n}, {int(o.variant == 'writer')});")
            else:
                lines.append({"key": f"  pthread_key_create(&{n}, {n}_destroy);", "spinlock": f"  pthread_spin_init(&{n}, 0);",
                              "semaphore": f"  sem_init(&{n}, 0, {o.initial});",
                              "condition": f"  pthread_cond_init(&{n}, NULL);",
                              "barrier": f"  pthread_barrier_init(&{n}, NULL, {o.initial});", "once": ""}[o.kind])
        return lines

    def result(self):
        lines = [f"  unsigned long h = {OFFSET}ul;"]
        if self.program.unjoined:
            return lines + [f"  h = (h ^ {self.name('out')}[0]) * {PRIME}ul;", f"  atomic_store(&final_state, h | {MARK}ul);"]
        lines += [f"  h = (h ^ {self.name('out')}[{i}]) * {PRIME}ul;" for i in range(len(self.program.threads))]
        for o in self.program.objects:
            if o.place == "freed":
                continue
            if o.kind == "atomic":
                lines.append(f"  h = (h ^ atomic_load_explicit(&{self.place(o.name)}, memory_order_relaxed)) * {PRIME}ul;")
            elif o.kind == "plain":
                lines.append(f"  h = (h ^ {self.place(o.name)}) * {PRIME}ul;")
        return lines + [f"  atomic_store(&final_state, h | {MARK}ul);"]

    def block(self, statements, names, depth):
        return [line for s in statements for line in self.statement(s, names, depth)]

    @staticmethod
    def expression(text, names):
        out = f"({text})"
        if any(names[r] != r for r in SAVED):
            for r in SAVED:
                out = out.replace(r, "\0" + r[-1] if r != "acc" else "\1")
            for r in SAVED:
                out = out.replace("\0" + r[-1] if r != "acc" else "\1", names[r])
        return out

    def statement(self, s, names, depth):
        pad = "  " * depth
        expression = lambda text: self.expression(text, names)
        if s[0] == "op":
            return [pad + self.operation(s[1], names.get(s[2]), s[3:], names)]
        if s[0] == "set":
            return [f"{pad}{names[s[1]]} = {expression(s[2])};"]
        if s[0] == "if":
            otherwise = [pad + "} else {"] + self.block(s[3], names, depth + 1) if s[3] else []
            return [f"{pad}if {expression(s[1])} {{"] + self.block(s[2], names, depth + 1) + otherwise + [pad + "}"]
        if s[0] == "break_if":
            return [f"{pad}if {expression(s[1])} break;"]
        if s[0] == "continue_if":
            return [f"{pad}if {expression(s[1])} continue;"]
        if s[0] == "pause":
            return [pad + {"yield": "sched_yield();", "sleep": "usleep(1);", "nanosleep": "nap();",
                           "buffer": "touch_buffer();"}[s[1]]]
        if s[0] == "section":
            return [pad + "inspect_atomic_begin();"] + self.block(s[1], names, depth) + [pad + "inspect_atomic_end();"]
        if s[0] == "assume":
            return [f"{pad}inspect_assume({expression(s[1])});"]
        if s[0] == "leave":
            return [f"{pad}if {expression(s[1])} leave(&{self.name('out')}[{self.index}], {names['acc']});"]
        if s[0] == "loop":
            return self.loop(s, names, depth)
        return [pad + self.helper(s, names)]

    def loop(self, s, names, depth):
        pad, body = "  " * depth, self.block(s[2], names, depth + 1)
        if s[1] == "goto":
            self.count += 1
            label, end = f"again{self.count}", f"end{self.count}"
            replaced = [line.replace(" break;", f" goto {end};").replace(" continue;", f" goto {label};") for line in body]
            return [f"{pad}{label}:;"] + replaced + [f"{pad}goto {label};", f"{pad}{end}:;"]
        head = {"for": "for (;;) {", "while": "while (1) {", "do": "do {"}[s[1]]
        return [pad + head] + body + [pad + ("} while (1);" if s[1] == "do" else "}")]

    def helper(self, s, names):
        self.count += 1
        n = f"{self.name('helper')}{self.count}"
        if s[0] == "once":
            body = self.block(s[2], {r: r for r in REGISTERS}, 1)
            self.helpers.append("\n".join([f"static void {n}(void) {{"] + body + ["}"]))
            return f"pthread_once(&{self.name(s[1])}, {n});"
        own = {"h0": "h0", "h1": "h1"} | {r: r for r in SAVED}
        body = self.block(s[2], own, 1)
        kind = "static inline" if s[4] else "__attribute__((noinline)) static"
        self.helpers.append("\n".join([f"{kind} unsigned {n}(void) {{", "  unsigned h0 = 0, h1 = 0;"] + body +
                                      [f"  (void)h0, (void)h1;\n  return {s[3]};", "}"]))
        return f"{names[s[1]]} = {n}();"

    def operation(self, name, to, args, names):
        if name in ("create", "join"):
            handle = f"{self.name('handles')}[{args[0]}]"
            return (f"pthread_create(&{handle}, NULL, {self.name('thread')}{args[0]}, NULL);" if name == "create" else
                    f"pthread_join({handle}, NULL);")
        if name in ("tryjoin", "detach"):
            handle = f"{self.name('handles')}[{args[0]}]"
            return f"{to} = !!pthread_tryjoin_np({handle}, NULL);" if name == "tryjoin" else f"pthread_detach({handle});"
        if name == "nondet":
            return f"{to} = inspect_nondet({args[0]});"
        if name == "free":
            return f"free({self.name(args[0])});"
        if self.program.object(args[0]).kind in ("atomic", "plain"):
            return self.access(name, to, args, names)
        assign = f"{to} = !!" if to else ""
        o = "&" + self.name(args[0])
        calls = {
            "lock": f"pthread_mutex_lock({o})", "trylock": f"pthread_mutex_trylock({o})",
            "timedlock": f"pthread_mutex_timedlock({o}, &past)", "unlock": f"pthread_mutex_unlock({o})",
            "spin_lock": f"pthread_spin_lock({o})", "spin_trylock": f"pthread_spin_trylock({o})",
            "spin_unlock": f"pthread_spin_unlock({o})",
            "mutex_lock": f"pthread_mutex_lock({o})", "mutex_trylock": f"pthread_mutex_trylock({o})",
            "mutex_timedlock": f"pthread_mutex_timedlock({o}, &past)", "mutex_unlock": f"pthread_mutex_unlock({o})",
            "consistent": f"pthread_mutex_consistent({o})",
            "timedrdlock": f"pthread_rwlock_timedrdlock({o}, &past)", "timedwrlock": f"pthread_rwlock_timedwrlock({o}, &past)",
            "setspecific": f"pthread_setspecific({o[1:]}, {o})", "key_delete": f"pthread_key_delete({o[1:]})",
            "rdlock": f"pthread_rwlock_rdlock({o})", "wrlock": f"pthread_rwlock_wrlock({o})",
            "tryrdlock": f"pthread_rwlock_tryrdlock({o})", "trywrlock": f"pthread_rwlock_trywrlock({o})",
            "rdunlock": f"pthread_rwlock_unlock({o})", "wrunlock": f"pthread_rwlock_unlock({o})",
            "sem_wait": f"sem_wait({o})", "sem_trywait": f"sem_trywait({o})", "sem_timedwait": f"sem_timedwait({o}, &past)",
            "sem_post": f"sem_post({o})", "signal": f"pthread_cond_signal({o})", "broadcast": f"pthread_cond_broadcast({o})",
            "barrier": f"pthread_barrier_wait({o})"}
        if name == "cond_wait":
            return f"pthread_cond_wait({o}, &{self.name(args[1])});"
        if name == "cond_timedwait":
            return f"{assign}pthread_cond_timedwait({o}, &{self.name(args[1])}, &{args[2]});"
        if name == "sem_getvalue":
            return f"{{ int v; sem_getvalue({o}, &v); {to} = v; }}"
        if name.startswith("mutex_") and to:
            return f"{to} = code({calls[name]});"
        return f"{assign}{calls[name]};"

    def access(self, name, to, args, names):
        o = self.program.object(args[0])
        x = self.place(args[0])
        value = [self.expression(a, names) for a in args[1:] if not a.startswith("memory_order")]
        order = next((a for a in args if a.startswith("memory_order")), "memory_order_seq_cst")
        assign = f"{to} = " if to else ""
        if name == "read":
            return f"{assign}{x};"
        if name == "write":
            return f"{x} = {value[0]};"
        if name == "load":
            return f"{assign}atomic_load_explicit(&{x}, {order});"
        if name == "store":
            return f"atomic_store_explicit(&{x}, {value[0]}, {order});"
        if name in ("add", "sub", "or", "and", "xor"):
            return f"{assign}atomic_fetch_{name}_explicit(&{x}, {value[0]}, {order});"
        if name == "exchange":
            return f"{assign}atomic_exchange_explicit(&{x}, {value[0]}, {order});"
        strength = "weak" if name == "cas_weak" else "strong"
        return (f"{{ {WIDTHS[self.program.width(args[0])]} expected = {value[0]}; {assign}atomic_compare_exchange_{strength}_explicit("
                f"&{x}, &expected, {value[1]}, {order}, memory_order_{'acquire' if 'acq' in order else 'relaxed' if 'relaxed' in order else 'seq_cst'}); }}")


PREAMBLE = """#define _GNU_SOURCE
#include <errno.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned long final_state;
static const struct timespec past = {1, 0}, later = {9999999999, 0};
static void init_mutex(pthread_mutex_t* m, int type, int robust) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type);
  if (robust) pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(m, &a);
}
static void init_rwlock(pthread_rwlock_t* l, int prefer_writers) {
  pthread_rwlockattr_t a;
  pthread_rwlockattr_init(&a);
  if (prefer_writers) pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(l, &a);
}
static unsigned code(int error) {
  return error == 0 ? 0 : error == EOWNERDEAD ? 1 : error == ENOTRECOVERABLE ? 2 : error == EPERM ? 3 : error == EDEADLK ? 4 : 5;
}
__attribute__((noinline)) static void leave(unsigned* out, unsigned seen) {
  *out = seen;
  pthread_exit(NULL);
}
static void nap(void) {
  const struct timespec t = {0, 100};
  nanosleep(&t, NULL);
}
static void touch_buffer(void) {
  char buffer[8];
  memset(buffer, 1, sizeof buffer);
}
"""


def source(programs):
    """One file with all of them; the first argument of the executable is the number of one."""
    parts = [PREAMBLE] + [Writer(p, i).text() for i, p in enumerate(programs)]
    cases = "\n".join(f"    case {i}: p{i}_main(); break;" for i in range(len(programs)))
    return "\n\n".join(parts) + f"""
int main(int count, char** arguments) {{
  (void)init_mutex, (void)init_rwlock, (void)code, (void)leave, (void)nap, (void)touch_buffer, (void)past, (void)later;
  switch (count > 1 ? atoi(arguments[1]) : 0) {{
{cases}
  }}
  return 0;
}}
"""
