#!/usr/bin/env python3
"""Random programs with objects, pointers and threads: what they can end with is the same for every way to tell states apart.

    heap_test.py --bin BIN [--seeds FIRST COUNT]

A program ends with a status that stands for its globals and all objects that they lead to; each status is a bug, and all of them are
collected. The native engine says which there are; --heap=next-free and --heap=canonical must find the same, and the latter
must not need more states. Some programs keep an address as a number, or where no address is expected.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct object { int value; struct object *next; };
static struct object *g[2];
static unsigned char bytes[24];
static uintptr_t number;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct object *make(int value) {
  struct object *o = malloc(sizeof *o);
  o->value = value;
  o->next = 0;
  return o;
}
"""
TAIL = """int main(void) {
  pthread_t t[%d];
  g[0] = make(0);
  g[1] = make(1);
  g[0]->next = g[1];
  for (int i = 0; i < %d; i++) pthread_create(&t[i], 0, routines[i], 0);
  for (int i = 0; i < %d; i++) pthread_join(t[i], 0);
  unsigned status = 0;
  for (int i = 0; i < 2; i++) {
    struct object *o = g[i];
    for (int k = 0; k < 3; k++, o = o ? o->next : 0) status = status * 4 + (o ? 1 + o->value : 0);
    status = status * 2 + (g[0] == g[1]);
  }
%s  return 1 + (int)(status %% 251);
}
"""


def statement(draw, odd):
    i, j, v = draw.randrange(2), draw.randrange(2), draw.randrange(3)
    choices = [
        f"g[{i}] = make({v});",
        f"p = make({v});",
        f"g[{i}] = p;",
        f"p = g[{i}];",
        f"if (p) p->value = (p->value + {v}) % 3;",
        f"if (p) p->next = g[{j}] == p ? 0 : g[{j}];",
        f"if (g[{i}]) g[{i}] = g[{i}]->next;",
        f"if (g[{i}] && g[{i}] != g[{1 - i}] && !g[{i}]->next) g[{i}] = 0;",
        f"if (!g[{i}]) g[{i}] = make({v});",
        f"if (g[{i}]) free(make(1));",
    ]
    if odd == "bytes":  # an address that stands at an odd place
        choices += ["if (!p) p = make(2); memcpy(bytes + 3, &p, sizeof p); p = 0;"] * 3
        choices += ["memcpy(&p, bytes + 3, sizeof p); if (p) p->value = (p->value + 1) % 3;"] * 3
    if odd == "number":
        choices += ["if (!p) p = make(2); number = ~(uintptr_t)p; p = 0;"] * 3
        choices += ["if (number) { p = (struct object *)~number; p->value = (p->value + 1) % 3; }"] * 3
    return draw.choice(choices)


def program(seed):
    draw = random.Random(seed)
    odd = {4: "bytes", 5: "number"}.get(seed % 6)
    threads = 2 if draw.randrange(3) else 3
    text = HEAD
    for t in range(threads):
        steps = "".join(f"  pthread_mutex_lock(&m);\n  {statement(draw, odd)}\n  pthread_mutex_unlock(&m);\n"
                        for _ in range(4 if threads == 2 else 2))
        text += f"static void *routine{t}(void *unused) {{\n  struct object *p = 0;\n{steps}  return unused;\n}}\n"
    text += f"static void *(*routines[])(void *) = {{{', '.join(f'routine{t}' for t in range(threads))}}};\n"
    late = ""
    if odd == "bytes":
        late = "  struct object *o;\n  memcpy(&o, bytes + 3, sizeof o);\n  if (o) status = status * 3 + o->value;\n"
    if odd == "number":
        late = "  if (number) status = status * 3 + ((struct object *)~number)->value;\n"
    return text + TAIL % (threads, threads, threads, late)


class Tools:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def run(self, *words):
        return subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def ends(self, *options):
        """Kinds and messages of all bugs, and the number of states."""
        report = self.folder / "r.json"
        report.unlink(missing_ok=True)
        done = self.run(self.tools / "inspect", "check", "--keep-going", "--quiet", "--json=r.json", "--schedule=s", *options, "./p")
        if not report.exists():
            raise SystemExit(f"no report: {done.stderr}")
        r = json.loads(report.read_text())
        if r["verdict"] not in ("bug", "verified"):
            raise SystemExit(f"{options}: {r['verdict']}: {r['reason']}\n{(self.folder / 'p.c').read_text()}")
        return {(b["kind"], b["message"]) for b in r["bugs"]}, r["states"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 10))
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    failed, sums = 0, [0, 0]
    for seed in range(options.seeds[0], options.seeds[0] + options.seeds[1]):
        with tempfile.TemporaryDirectory() as folder:
            tools = Tools(options.bin.resolve(), pathlib.Path(folder))
            (tools.folder / "p.c").write_text(program(seed))
            built = tools.run(tools.tools / "inspect-cc", "--inspect-states", "-O1", "-g", "-w", "p.c", "-o", "p")
            if built.returncode:
                raise SystemExit(built.stderr)
            expected, _ = tools.ends()
            found = [tools.ends("--engine=explicit", f"--heap={heap}") for heap in ("next-free", "canonical")]
            wrong = [heap for heap, (ends, _) in zip(("next-free", "canonical"), found) if ends != expected]
            sums = [a + states for a, (_, states) in zip(sums, found)]
            if wrong or found[1][1] > found[0][1]:
                failed += 1
                print(f"seed {seed}: {wrong} {[len(e) for e, _ in found]} ends, {[s for _, s in found]} states, expected "
                      f"{len(expected)} ends\n{(tools.folder / 'p.c').read_text()}", flush=True)
                if options.keep:
                    (options.keep / f"p{seed}.c").write_text(program(seed))
            else:
                print(f"ok      seed {seed}: {len(expected)} ends, {found[0][1]} and {found[1][1]} states", flush=True)
    print(f"states: {sums[0]} by addresses, {sums[1]} without")
    return 1 if failed or sums[1] >= sums[0] else 0


if __name__ == "__main__":
    sys.exit(main())
