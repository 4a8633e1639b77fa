#!/usr/bin/env python3
"""The page of a bug in a real browser: it shows the steps, follows the keys, and nothing that a program says becomes markup.

    page_test.py --bin BIN [--shots FOLDER] [NAME...]

Exit status 77 without chromium and chromedriver. --shots keeps pictures, at two widths, light and dark.
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from cases import expect, run  # noqa: E402

EVIL = "</script><script>document.body.dataset.evil=1</script><img src=x onerror=document.body.dataset.evil=1>"
SHOTS = None


class Browser:
    """One headless Chromium, by the WebDriver protocol."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = os.environ | {"HOME": str(folder)}
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=environment)
        self.session = None
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                            f"--user-data-dir={folder}/profile"]}
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        for _ in range(300):
            try:
                self.session = self.call("POST", "/session", wanted)["sessionId"]
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)
        self.close()
        raise SystemExit("chromedriver does not answer")

    def call(self, method, path, body=None):
        where = f"http://127.0.0.1:{self.port}" + (f"/session/{self.session}" if self.session else "") + path
        request = urllib.request.Request(where, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, page):
        self.call("POST", "/url", {"url": page.as_uri()})
        for _ in range(100):
            if self.run("return document.body.dataset.ready"):
                return
            time.sleep(0.1)
        expect(False, "the page's script did not end", self.call("POST", "/se/log", {"type": "browser"}))

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def key(self, name):
        return self.run("dispatchEvent(new KeyboardEvent('keydown',{key:arguments[0],cancelable:true}));"
                        "return document.getElementById('step').textContent", name)

    def press(self, *keys):
        """Keys of a real keyboard, whatever has the focus; what is shown then."""
        codes = {"Tab": "\ue004", "Enter": "\ue007", "End": "\ue010", "Home": "\ue011", "ArrowUp": "\ue013", "ArrowDown": "\ue015"}
        strokes = [{"type": kind, "value": codes.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})
        return self.text("step")

    def media(self, media):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": media}})

    def text(self, element):
        return self.run("return document.getElementById(arguments[0]).textContent", element)

    def shot(self, path, width, dark):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}})
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}})
        wide = self.run("return document.documentElement.scrollWidth")
        expect(wide <= width, f"{wide} pixels wide where there are {width}")
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        for source in (HERE / "programs").iterdir():
            shutil.copy(source, folder)

    def page(self, *words, command="check"):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
        quiet = ["--progress=off"] if command == "check" else []
        result = subprocess.run([self.tools / "inspect", command, *quiet, "--html=a.html", *words], cwd=self.folder, env=environment,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        expect((self.folder / "a.html").exists(), result.stdout, result.stderr)
        return self.folder / "a.html"


class Opened:
    """A page in a browser of its own."""

    def __init__(self, page):
        self.page, self.folder = page, tempfile.mkdtemp()

    def __enter__(self):
        self.browser = Browser(self.folder)
        self.browser.open(self.page)
        return self.browser

    def __exit__(self, *_):
        self.browser.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def a_race(bench):
    with Opened(bench.page("pool.cpp")) as browser:
        expect("pool.stop" in browser.text("message"), browser.text("message"))
        expect("thread 0 (main)" in browser.text("heads"), browser.text("heads"))
        expect(browser.text("where") == "pool.cpp:37", browser.text("where"))  # the first place of the race
        expect("stop = true" in browser.run("return document.querySelector('#source .on').textContent"), "the line is marked")
        expect(browser.key("Home") == "step 1 of thread 0", browser.text("step"))
        for _ in range(4):
            browser.key("j")
        expect(browser.text("step") == "step 4 of thread 0" and "locks pool.m" in browser.text("action"), browser.text("action"))
        expect("thread 0 (main): pool.m" in browser.text("locks"), browser.text("locks"))
        expect("Pool::add" in browser.text("frames"), browser.text("frames"))
        expect(browser.key("k") == "step 3 of thread 0", browser.text("step"))
        expect(browser.run("return document.querySelectorAll('#arrows path').length") > 0, "no arrows")
        expect("stack of thread 0.0" in browser.text("stacks"), browser.text("stacks"))
        browser.run("select(rows.findIndex(r => r.a === 'starts' && r.after))")  # shows where it was asked for
        expect(browser.text("where") == "behind step 2, pool.cpp:16", browser.text("where"))
        errors = [e for e in browser.call("POST", "/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]
        expect(not errors, *errors)


def all_of_it_is_printed(browser):
    """As many rows as there are steps, whole words, no buttons; afterwards the window is as it was."""
    browser.media("print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    shown = browser.run("""return {rows: document.querySelectorAll('.row').length, of: rows.length,
        nav: getComputedStyle(document.querySelector('nav')).display,
        cut: [...document.querySelectorAll('.row .c div, pre span')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).length,
        apart: [...document.querySelectorAll('.row')].every((r, i, all) => !i || r.getBoundingClientRect().top >= all[i - 1].getBoundingClientRect().bottom - 1),
        behind: [...document.querySelectorAll('.row .after')].filter(e => e.getClientRects().length).map(e => e.textContent)}""")
    expect(shown["rows"] == shown["of"] and shown["nav"] == "none" and not shown["cut"] and shown["apart"], shown)
    expect("behind 2" in shown["behind"], shown)
    paper = browser.call("POST", "/print", {"page": {"width": 21, "height": 29.7}})
    expect(base64.b64decode(paper).startswith(b"%PDF"), "no paper")
    if SHOTS:
        (SHOTS / "printed.pdf").write_bytes(base64.b64decode(paper))
    browser.media("screen")
    browser.run("dispatchEvent(new Event('afterprint'))")
    expect(browser.press("Home") == "step 1 of thread 0", browser.text("step"))


def the_keyboard_alone_is_enough(bench):
    with Opened(bench.page("condvar.cpp")) as browser:
        all_of_it_is_printed(browser)
        browser.press("d")
        decisive = browser.text("step")
        expect(browser.press("Home") == "step 1 of thread 0", browser.text("step"))
        expect(browser.press("ArrowDown", "ArrowDown", "ArrowUp") == "step 2 of thread 0", browser.text("step"))
        expect(browser.press("d") == decisive, browser.text("step"))
        browser.press("b")
        expect("waits for the end of thread 0.0" in browser.text("action"), browser.text("action"))
        browser.press("b")
        expect("waits for condition variable" in browser.text("action"), browser.text("action"))
        before = browser.run("return document.querySelectorAll('#stacks li:not([hidden])').length")
        browser.press("l")
        expect(not browser.run("return document.body.classList.contains('hidden')") and before, "frames of libraries")
        focused = []  # a button that has the focus does what it says
        for _ in range(12):
            browser.press("Tab")
            focused.append(browser.run("return document.activeElement.id"))
            if focused[-1] == "previous":
                break
        browser.press("Home", "ArrowDown", "Enter")
        expect(browser.text("step") == "step 1 of thread 0", focused, browser.text("step"))
        seen = browser.run("""const row = document.querySelector('.row.on').getBoundingClientRect(),
            lanes = document.getElementById('lanes').getBoundingClientRect(); return row.top >= lanes.top && row.bottom <= lanes.bottom""")
        expect(seen, "the step is out of sight")


def steps_within_a_call_are_folded(bench):
    with Opened(bench.page("promise.cpp", "--", "1")) as browser:
        few = browser.run("return rows.length")
        browser.press("Home", "ArrowDown")
        expect(browser.text("step") == "steps 2 to 3 of thread 0", browser.text("step"))
        expect("std::promise::get_future: 2 steps within" in browser.text("action"), browser.text("action"))
        browser.press("a")
        expect(browser.text("step") == "step 2 of thread 0" and browser.run("return rows.length") > few, browser.text("step"))
        browser.press("ArrowDown", "a")
        expect(browser.text("step") == "steps 2 to 3 of thread 0", browser.text("step"))


def a_run_without_end_shows_its_cycle(bench):
    shutil.copy(HERE.parent.parent / "examples/temporal/peterson.c", bench.folder)
    words = ["--engine=explicit", "--ltl=G (waiting0 -> F critical0)", "--fairness=weak", "--cflags=-DPOLITE", "peterson.c"]
    with Opened(bench.page(*words)) as browser:
        expect(browser.text("bug") == "the cycle" and browser.text("where").startswith("peterson.c:"), browser.text("where"))
        first, steps = browser.run("return [cycle, document.querySelectorAll('.row.again').length]")
        expect(first > 0 and steps == browser.run("return rows.length") - first - 1 > 1, first, steps)
        browser.press("Home", "b")
        expect("repeats for ever" in browser.text("action"), browser.text("action"))
        expect(not browser.run("return document.getElementById('legend-bug').getClientRects().length"), "a mark that is not there")


def a_changed_source_is_said_to_be(bench):
    bench.page("condvar.cpp")
    program = bench.folder / "compiled"
    subprocess.run([bench.tools / "inspect-c++", "condvar.cpp", "-o", program], cwd=bench.folder, timeout=120, check=True)
    os.utime(bench.folder / "condvar.cpp", (2**32, 2**32))
    for command, of, what in [("check", "./compiled", "the program was built"),
                              ("report", "inspect-bug.schedule", "the schedule was recorded")]:
        with Opened(bench.page(of, command=command)) as browser:
            expect(f"condvar.cpp was changed after {what}" in browser.text("changed"), browser.text("changed"))


def a_deadlock_and_pictures(bench):
    with Opened(bench.page("condvar.cpp")) as browser:
        expect("channel.changed" in browser.text("waits"), browser.text("waits"))
        expect(browser.run("return document.querySelectorAll('#graph circle').length") == 2, "a circle for each thread")
        expect("goes wrong if thread 0 runs" in browser.text("switch"), browser.text("switch"))
        shots = SHOTS or bench.folder
        for width in (1280, 400):
            for dark in (False, True):
                browser.shot(shots / f"deadlock-{width}-{'dark' if dark else 'light'}.png", width, dark)


def a_crowded_wait_graph(bench):
    """Labels do not lie on each other, and long names wrap."""
    name = "a" * 200
    locks = "".join(f"pthread_mutex_t {name}{i} = PTHREAD_MUTEX_INITIALIZER;" for i in range(3))
    threads = "".join(f"static void *f{i}(void *p) {{ pthread_mutex_lock(&{name}{i}); pthread_mutex_lock(&{name}{(i + 1) % 3}); return p; }}\n"
                      for i in range(3))
    starts = "".join(f"pthread_create(&t[{i}], 0, f{i}, 0);" for i in range(3))
    (bench.folder / "crowded.c").write_text(f"#include <pthread.h>\nstatic {locks.replace(';', ';static ', 2)}\n{threads}\n"
                                            f"int main(void) {{ pthread_t t[3]; {starts} for (int i = 0; i < 3; i++) pthread_join(t[i], 0); }}\n")
    with Opened(bench.page("crowded.c")) as browser:
        shots = SHOTS or bench.folder
        for width in (1280, 400):
            for dark in (False, True):
                browser.shot(shots / f"crowded-{width}-{'dark' if dark else 'light'}.png", width, dark)
                over = browser.run("""
                    const boxes = [...document.querySelectorAll('#graph text')].map(t => t.getBoundingClientRect());
                    const pane = document.querySelector('#graph svg').getBoundingClientRect();
                    return boxes.filter((a, i) => boxes.some((b, k) => i < k && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                      || a.left < pane.left || a.right > pane.right).length""")
                expect(over == 0, f"{over} labels lie on others at {width}")
                wide = browser.run("""return [...document.querySelectorAll('aside li, aside h2, aside p')]
                    .filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).length""")
                expect(wide == 0, f"{wide} lists overflow at {width}")
        browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}})
        browser.key("Home")
        expect(browser.run("return document.getElementById('under-way').hidden"), "a heading of nothing")


def words_of_the_last_lane_are_whole(bench):
    """Four lanes are in sight at once; what finds no room on the right begins further to the left, and says of which thread it is."""
    (bench.folder / "four.cpp").write_text("""#include <mutex>
#include <thread>
struct Account { std::mutex lock_of_this_account; };
static Account accounts[3];
static void transfer(int from, int to) {
  std::lock_guard<std::mutex> a(accounts[from].lock_of_this_account);
  std::lock_guard<std::mutex> b(accounts[to].lock_of_this_account);
}
int main() {
  std::thread t1(transfer, 0, 1), t2(transfer, 1, 2), t3(transfer, 2, 0);
  t1.join(), t2.join(), t3.join();
}
""")
    with Opened(bench.page("four.cpp")) as browser:
        for width in (1280, 400):
            browser.shot((SHOTS or bench.folder) / f"four-{width}.png", width, False)
            cut = browser.run("""return [...document.querySelectorAll('.row .w div:first-child')]
                .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + (arguments[0] < 500 ? 200 : 0)).map(e => e.textContent)""", width)
            expect(not cut, width, cut)
        browser.shot(bench.folder / "wide.png", 1280, False)
        browser.key("End")
        sizes = browser.run("const l = document.getElementById('lanes'); return [l.scrollWidth, l.clientWidth]")
        expect(sizes[0] <= sizes[1], "four lanes need scrolling", sizes)
        row = browser.run("""const r = [...document.querySelectorAll('.row.shifted')].map(e => [e.querySelector('.who').textContent,
            getComputedStyle(e.querySelector('.who')).display, e.querySelector('.w').textContent]); return r[r.length - 1]""")
        expect(row and row[:2] == ["0.2", "inline"] and "waits for mutex accounts[0].lock_of_this_account" in row[2], row)


def nothing_is_markup(bench):
    name = "a<b>&'\".c"
    source = ("#include <assert.h>\n#include <pthread.h>\nstatic void *f(void *p) { return p; }\n"
              f"int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); /* {EVIL} */\n"
              f"  assert(t == 0 && \"{EVIL}\"); }} // {EVIL}\n")
    (bench.folder / name).write_text(source)
    page = bench.page(name)
    expect("<img" not in page.read_text(), "markup of the program's")
    with Opened(page) as browser:
        expect(not browser.run("return document.body.dataset.evil || document.querySelectorAll('img').length"), "it ran")
        expect(EVIL in browser.text("message"), browser.text("message"))
        browser.key("End")
        expect(EVIL in browser.text("source"), browser.text("source"))


def a_long_run_stays_quick(bench):
    (bench.folder / "long.c").write_text(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int n;\n"
        "static void *f(void *p) { for (int i = 0; i < 2500; ++i) atomic_fetch_add(&n, 1); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(n != 5000); }\n")
    page = bench.page("--max-executions=1", "long.c")
    with Opened(page) as browser:
        expect(browser.run("return rows.length") >= 5000, "steps")
        browser.key("Home")
        began = time.monotonic()
        for _ in range(50):
            browser.key("j")
        spent = time.monotonic() - began
        expect(browser.text("step").startswith("step 51 "), browser.text("step"))
        expect(browser.run("return document.querySelectorAll('.row').length") < 200, "rows that nobody sees")
        expect(spent < 30, f"{spent:.1f} s for 50 steps")
        print(f"        {page.stat().st_size // 1024} KB, {spent / 50 * 1000:.0f} ms a step")


def from_a_schedule_file_alone(bench):
    bench.page("pool.cpp")
    (bench.folder / "a.html").unlink()
    with Opened(bench.page("inspect-bug.schedule", command="report")) as browser:
        expect("thread 0.0" in browser.text("heads"), browser.text("heads"))
        expect(browser.key("End").startswith("step "), browser.text("step"))


CASES = [a_race, the_keyboard_alone_is_enough, steps_within_a_call_are_folded, a_run_without_end_shows_its_cycle, a_changed_source_is_said_to_be, a_deadlock_and_pictures, a_crowded_wait_graph, words_of_the_last_lane_are_whole, nothing_is_markup, a_long_run_stays_quick, from_a_schedule_file_alone]

if __name__ == "__main__":
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("no chromium")
        sys.exit(77)
    if "--shots" in sys.argv:
        at = sys.argv.index("--shots")
        SHOTS = pathlib.Path(sys.argv[at + 1])
        SHOTS.mkdir(parents=True, exist_ok=True)
        del sys.argv[at:at + 2]
    sys.exit(run(CASES, Bench, __doc__))
