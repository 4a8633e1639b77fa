"""The kinds of bugs, from their rows: bug_kinds.def of src/model."""
import pathlib
import re

NAMES = re.findall(r'^BUG\(\w+, "([\w-]+)"', (pathlib.Path(__file__).parents[2] / "src/model/bug_kinds.def").read_text(), re.M)


def number(name):
    """Its value of inspect_bug."""
    return NAMES.index(name) + 1
