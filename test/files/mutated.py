#!/usr/bin/env python3
"""Schedule and checkpoint files with errors in them, through the real tool.

    mutated.py --bin DIR [--count N] [--seed S] [--jobs N] [--only-values | --repeats]

A quarter of them is as a disk or an editor leaves it, a quarter has a new last line, and the rest is sealed anew altogether, so that all
that is left to notice is what the values say: a quarter with a few changes anywhere, a quarter with a single value changed. No process may
end by a signal or with an internal error, whatever it is told. The first two kinds must be refused. Of the others a schedule may lead to
the recorded bug, which is run. A search that goes on from a checkpoint with a single other value must come to the same end, unless it is
refused; where several were changed so that they fit each other it is believed, and counted here. With --repeats each line of the tree of
each checkpoint stands there twice instead, alone or with all below it: refused, or the same end, and never the counts of what was doubled.
Prints what does not hold, with the file, and a table of exit statuses.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "support")]
import seal  # noqa: E402
import values  # noqa: E402
from algorithms import ALGORITHMS, PLAIN  # noqa: E402

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* a(void* p) { for (int i = 0; i < 2; i++) x = i; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }
static void* b(void* p) {
  pthread_mutex_lock(&m); int seen = x; pthread_mutex_unlock(&m); x = 7;
  if (CHECKED) assert(seen != 1);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0); pthread_join(t, 0); pthread_join(u, 0);
  return 0;
}
"""
KEPT = [a.name for a in ALGORITHMS if a.workers and a.name in PLAIN]  # those with checkpoints
SEARCHES = (*((f"--algorithm={algorithm}", "./good") for algorithm in KEPT),
            ("--algorithm=source", "--keep-going", "./bad"), ("--algorithm=optimal", "--keep-going", "./bad"),
            ("--algorithm=dpor", "--preemptions=1", "./good"))
LIMIT = 60  # seconds; only a hang comes near it


def mutate(data, rng):
    """A few small changes of bytes, words, numbers or lines."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        lines = data.split(b"\n")
        i = rng.randrange(max(1, len(lines) - 1))
        words = lines[i].split(b" ")
        w = rng.randrange(len(words))
        kind = rng.randrange(9)
        if kind == 0 and data:  # a bit
            at = rng.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
            continue
        if kind == 1:
            data = data[:rng.randrange(len(data) + 1)]
            continue
        if kind == 2:
            del lines[i]
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), lines[i])
        elif kind == 4:
            del words[w]
            lines[i] = b" ".join(words)
        elif kind == 5:
            words.insert(rng.randrange(len(words) + 1), rng.choice(words))
            lines[i] = b" ".join(words)
        elif kind == 6:  # another number
            value = rng.choice((b"0", b"1", b"2", b"7f", b"80", b"ff", b"ffff", b"ffffffff", b"7fffffffffffffff", b"ffffffffffffffff", b"-1", b""))
            words[w] = value
            lines[i] = b" ".join(words)
        elif kind == 7 and words[w]:  # a digit of it, or of a long word
            at = rng.randrange(len(words[w]))
            words[w] = words[w][:at] + rng.choice((b"0", b"1", b"9", b"a", b"f", b".")) + words[w][at + 1:]
            lines[i] = b" ".join(words)
        else:  # from elsewhere
            other = rng.choice(lines).split(b" ")
            words[w] = rng.choice(other)
            lines[i] = b" ".join(words)
        data = b"\n".join(lines)
    return data


def decides_nothing(changed, search, report, whole):
    """What was found can be told to be less; where sibling states are explored twice at times, whether one waits for others is their order."""
    is_weaker = changed.startswith("record") and report["verdict"] == "inconclusive"
    is_repeated = "(node), word 3" in changed and "--keep-going" in search and report["verdict"] == whole[0] and report["executions"] > whole[1]
    return is_weaker or is_repeated


class Bench:
    def __init__(self, tools, folder, only_values):
        self.tools, self.folder, self.only_values, self.repeated = tools, folder, only_values, []
        source = folder / "a.c"
        source.write_text(PROGRAM)
        for name, checked in (("good", 0), ("bad", 1)):
            subprocess.run([tools / "inspect-cc", "-O1", "-g", "-pthread", f"-DCHECKED={checked}", source, "-o", folder / name], check=True)
        self.run("check", "--schedule=bug", "./bad")
        self.schedules = [(folder / "bug").read_bytes()]
        self.whole, self.checkpoints = {}, []
        for search in SEARCHES:
            _, report = self.check(*search)
            self.whole[search] = (report["verdict"], report["executions"])
            for part in (1, 3, 9, 1000):
                for workers in (1, 2):
                    self.check(f"--max-executions={part}", "--checkpoint=saved", f"-j{workers}", *search)
                    self.checkpoints.append((search, (folder / "saved").read_bytes()))

    def use_repeats(self, count):
        """Takes them and no others, evenly spread if there are more than `count`; how many."""
        distinct = dict.fromkeys(self.checkpoints)
        every = [(search, text, change) for search, text in distinct for change in values.repeats(seal.body_of(text))]
        self.repeated = every[::max(1, len(every) // count)]
        return len(self.repeated)

    def run(self, *words):
        return subprocess.run([self.tools / "inspect", *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                              check=False)

    def check(self, *words):
        done = self.run("check", "--quiet", "--progress=off", "--json=-", "--schedule=found", *words)
        return done, json.loads(done.stdout) if done.stdout else None

    def one(self, seed):
        """(what it was, exit status, what is wrong or None)"""
        rng = random.Random(seed)
        way = 4 if self.repeated else 3 if self.only_values else rng.randrange(4)
        is_schedule = way < 4 and not self.only_values and rng.randrange(2) == 0
        search, file = ("", self.schedules[0]) if is_schedule else rng.choice(self.checkpoints)
        changed = ""
        if way == 4:
            search, file, (changed, body) = self.repeated[seed]
            text = seal.checkpoint(body)
        elif way == 0:
            text = mutate(file, rng)
        elif way == 1:
            text = mutate(file[:file.rfind(b"\nend ") + 1], rng)
            count = int(file[file.rfind(b"\nend ") + 5:].split(b" ")[0]) if is_schedule else text.count(b"\n")
            text = seal.end(text, count)
        else:
            changed, body = (changed, mutate(seal.body_of(file), rng)) if way == 2 else values.change_one(seal.body_of(file), rng)
            text = (seal.schedule if is_schedule else seal.checkpoint)(body)
        kinds = ("as left", "last line new", "sealed anew", "one other value", "repeated")
        name = kinds[way] + (" schedule" if is_schedule else " checkpoint")
        path = self.folder / f"mutated.{seed}"
        path.write_bytes(text)
        try:
            if is_schedule:
                done, report = self.run("replay", "--quiet", path.name), None
            else:
                done, report = self.check(f"--schedule=found.{seed}", f"--resume={path.name}", *search)
        except subprocess.TimeoutExpired:
            return name, "hangs", "it hangs", path
        status = done.returncode
        wrong = None
        said = (done.stderr + done.stdout).decode(errors="replace")
        if text == file or text.rstrip(b"\n") == file.rstrip(b"\n"):
            name = "unchanged"
        elif status not in (0, 1, 2, 3, 4):
            wrong = f"ended so: {said}"
        elif way < 2 and status != 2:
            wrong = f"not refused: {said}"
        elif is_schedule and status not in (1, 2, 4):
            wrong = said
        elif not is_schedule and report and (report["verdict"], report["executions"]) != self.whole[search]:
            name += ", believed"  # it fits in itself: docs/limits.md
            if way > 2 and not decides_nothing(changed, search, report, self.whole[search]):
                wrong = f"{changed}: believed: {report['verdict']}, {report['executions']} executions, {report['reason']}"
        if not wrong:
            path.unlink()
        return name, status, wrong, path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only-values", action="store_true", help="only checkpoints with one other value")
    parser.add_argument("--repeats", action="store_true", help="only checkpoints with lines that stand there twice")
    parser.add_argument("--keep", type=pathlib.Path, help="where files that went wrong are copied to")
    options = parser.parse_args()
    statuses, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.bin.resolve(), pathlib.Path(folder), options.only_values)
        if options.repeats:
            options.seed, options.count = 0, bench.use_repeats(options.count)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, status, wrong, path in pool.map(bench.one, range(options.seed, options.seed + options.count)):
                statuses[name, status] += 1
                if not wrong:
                    continue
                failed += 1
                if failed <= 20:
                    print(f"WRONG {path.name}, {name}: {status}\n{wrong.strip()[-600:]}", flush=True)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / path.name).write_bytes(path.read_bytes())
    for (name, status), count in sorted(statuses.items(), key=str):
        print(f"{name:28} exit status {status}: {count}")
    print(f"{options.count} files, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
