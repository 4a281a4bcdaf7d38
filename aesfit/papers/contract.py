# SPDX-License-Identifier: MIT
"""What an experiment is: one table, figure or claim of a paper, measured again.

A file of `experiments/<paper>/` is one experiment of the paper that its folder names (PAPERS).
Its docstring says in this order, a paragraph each:
what the paper shows and where, how ours is measured, and what differs.  It holds

    NUMBER: str                     "Table 2", "Figure 3", "Section 4"
    TITLE: str                      one line
    COLUMNS: tuple[Column, ...]     of its rows, in the order of the CSV
    FAST: bool                      two seconds at most with nothing stored: held by every test run
    def rows(progress) -> Measured  measures, by calls of the toolkit alone
    def claims(rows) -> list[Claim] what the paper says of them, held by the rule of rule.py
    def render(rows) -> list[Part]  tables, figures and words, in the order of reading

`claims` and `render` are functions of the rows alone, as they come back from the CSV.  What was
published stands in the rows, beside ours, in columns named `published...`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..jobs.job import Progress
from .rule import Ends, Form, Kind

Value = str | int | float | bool | None
Row = Mapping[str, Value]


@dataclass(frozen=True)
class Paper:
    """A paper, and how it is named in the report."""

    key: str
    authors: str
    title: str
    where: str

    @property
    def short(self) -> str:
        """Its first authors and where it appeared."""
        first, *others = self.authors.split(", ")
        if len(others) == 1:
            return f"{first} and {others[0]}, {self.where}"
        return f"{first}{' and others' if others else ''}, {self.where}"


PAPERS: Mapping[str, Paper] = {
    paper.key: paper
    for paper in (
        Paper(
            "transposed",
            "Bertoni, Breveglieri, Fragneto, Macchetti, Marchesin",
            "Efficient Software Implementation of AES on 32-Bit Platforms",
            "CHES 2002",
        ),
        Paper(
            "cache",
            "Bertoni, Bircan, Breveglieri, Fragneto, Macchetti, Zaccaria",
            "About the Performances of the Advanced Encryption Standard in Embedded Systems with "
            "Cache Memory",
            "ISCAS 2003",
        ),
        Paper("mobile", "Javed", "Fast Implementation of AES on Mobile Devices", "2010"),
        Paper(
            "images",
            "Doomun, Doma, Tengur",
            "AES-CBC Software Execution Optimization",
            "2008",
        ),
        Paper(
            "platforms",
            "Parikh, Patel",
            "Performance Evaluation of AES Algorithm on Various Development Platforms",
            "2007",
        ),
    )
}
"""In the order of the report."""


@dataclass(frozen=True)
class Column:
    """A column of an experiment's rows."""

    name: str
    unit: str = ""
    """"cycles", "B", "%"; empty for names and plain numbers."""
    exact: bool = True
    """It follows from the code; False: a time of this machine, which tests do not compare."""


@dataclass(frozen=True)
class Measured:
    """Rows, and what they rest on."""

    rows: Sequence[Row]
    provenance: tuple[str, ...]
    """One fact a line: compiler, flags, model, machine and date; stands at the foot of tables."""


@dataclass(frozen=True)
class Pair:
    """Two figures of one place, of which a claim tells how they compare: r = a / b."""

    a: float
    b: float

    @property
    def ratio(self) -> float:
        """Not a number where both are 0, infinite where b alone is."""
        return self.a / self.b if self.b else float("inf") if self.a else float("nan")


Cause = Literal[
    "",
    "the paper's own figures disagree",
    "our code differs",
    "compiler or processor",
    "the claim itself",
]
UNTESTABLE = "not testable here"
"""The cause of a claim without any place that could tell; it follows from the places."""
CAUSES: Mapping[str, str] = {
    "the paper's own figures disagree": "Two figures that the paper prints contradict each other.",
    "our code differs": "The code measured here is not the paper's, where that decides: the paper "
    "prints no code, or ours counts other operations.",
    "compiler or processor": "The same steps, built by another compiler, at another level or for "
    "another processor, cost something else.",
    "the claim itself": "It contradicts a definition, a proof or the paper's own model, whatever "
    "code and processor.",
    UNTESTABLE: "No place can tell: the figure was made from the number, it is of another program, "
    "or it rests on an assumed clock or memory or on an average of emulated cycles.",
}
"""Every cause that there is, and what it means.  A verdict other than "holds" has one of them."""


OUR_CODE = "our code"
"""The part that names a place where the library's own code was run, beside the same place with code
that does what the paper prints: it is shown, and not judged."""
LEFT_OUT = "left out"
"""The part that names a place where a step is taken out of all others: shown, and not judged."""


@dataclass(frozen=True)
class Claim:
    """Something that the paper says, and what we found of it in each place.

    `kind` and `form` are those of rule.py, by which each place is judged; which places are judged
    and which are only shown is listed in places.py.
    """

    sentence: str
    """What the paper says, in our words."""
    kind: Kind
    found: Mapping[str, Pair | float]
    """By place: platform, size, level.  Effects, equalities, ranges and orders compare two figures;
    a count, a size, a rate or a share is one."""
    published: float | Ends | None = None
    """As the paper writes it: a saved share of 0.13 has the form "saved"."""
    form: Form = "times"
    cause: Cause = ""
    why: str = ""
    """The reason where it does not hold or holds in part, as far as we know it."""
    untestable: Mapping[str, str] = field(default_factory=dict)
    """Places that cannot tell, with the reason: their number made the figure, another program,
    an assumed clock or memory, an average of emulated cycles."""
    by_construction: str = ""
    """Why it could not fail: what is measured was built to these figures."""


@dataclass(frozen=True)
class ResultTable:
    """Cells as they are to be read; the first line heads them."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture: SVG text drawn by report/picture.py, or a PNG."""

    title: str
    image: bytes
    suffix: Literal[".svg", ".png"]
    alt: str
    """What one sees, for those who do not."""
    note: str = ""


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


Part = ResultTable | Figure | Words


@dataclass(frozen=True)
class Experiment:
    """One file of the folder, loaded."""

    name: str
    """Folder and file: "transposed_table_2"."""
    paper: Paper
    number: str
    title: str
    text: str
    """The docstring."""
    columns: tuple[Column, ...]
    fast: bool
    rows: Callable[[Progress], Measured]
    claims: Callable[[Sequence[Row]], list[Claim]]
    render: Callable[[Sequence[Row]], list[Part]]
