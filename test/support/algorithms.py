"""The algorithms, and what their rows say: reductions.def, cuts.def and samplers.def of src/search."""
import pathlib
import re
from dataclasses import dataclass

SEARCH = pathlib.Path(__file__).parents[2] / "src/search"


@dataclass(frozen=True)
class Algorithm:
    """A row of reductions.def, with what the row of its cut says."""
    name: str
    runs: str  # schedules, classes, or each class once
    needs: str  # what the program must tell: nothing, states, code
    symmetry: bool
    bound: bool
    workers: bool
    automatic: bool
    property: str

    @property
    def covers_all(self):
        return not self.property


def rows(file, macro):
    """Returns the arguments of each row of a table of the search, as texts."""
    found = re.findall(rf"^{macro}\((.*)\)$", (SEARCH / file).read_text(), re.M)
    return [[word.strip().strip('"') for word in re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", row)] for row in found]


def _algorithms():
    cuts = {name: (needs, travels == "true") for name, _, needs, travels, _ in rows("cut/cuts.def", "CUT")}
    for name, _, bounded, cut, symmetry, automatic, runs, what, _ in rows("reduction/reductions.def", "REDUCTION"):
        needs, travels = cuts[cut] if cut else ("nothing", True)
        yield Algorithm(name, runs, needs, symmetry == "true", bounded != "nullptr", travels, automatic == "true", what)


ALGORITHMS = list(_algorithms())
SAMPLERS = [row[0] for row in rows("sample/samplers.def", "SAMPLER")]
AUTOMATIC = [a for a in ALGORITHMS if a.automatic][-1].name  # what `auto` stands for
ENUMERATING = [a.name for a in ALGORITHMS if a.runs == "schedules"]
OPTIMAL = [a.name for a in ALGORITHMS if a.runs == "once"]
PLAIN = [a.name for a in ALGORITHMS if a.needs == "nothing" and a.covers_all]  # of any program, and all of it
REDUCED = [name for name in PLAIN if name not in ENUMERATING]
SHARED = [a.name for a in ALGORITHMS if a.workers and a.name in REDUCED]  # with several workers, and checkpoints
BEST = [AUTOMATIC, *OPTIMAL]  # those with the fewest executions
SETS = {"plain": PLAIN, "reduced": REDUCED, "best": BEST}


def chosen(text):
    """The names that a word of SETS stands for, or those of a list, joined by commas."""
    return ",".join(SETS.get(text, [text]))
