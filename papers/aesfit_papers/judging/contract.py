# SPDX-License-Identifier: MIT
"""What an experiment is: one table, figure or claim of a paper, measured again.

A file of `aesfit_papers/<paper>/` is one experiment of the paper that its folder names (PAPERS).
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

from aesfit.jobs.job import Progress

from .place import ClaimPlace
from .place import Row as Row
from .place import Value as Value
from .rule import Ends, Form, Kind


@dataclass(frozen=True)
class Paper:
    """A paper, and how it is named in the report."""

    key: str
    authors: str
    title: str
    where: str

    @property
    def short(self) -> str:
        """First authors and publication."""
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
"""The papers, in the order of the report."""


@dataclass(frozen=True)
class Column:
    """A column of an experiment's rows."""

    name: str
    unit: str = ""
    """"cycles", "B", "%"; empty for names and plain numbers."""
    exact: bool = True
    """The code determines it; False: a time of this machine, which tests do not compare."""


@dataclass(frozen=True)
class Measured:
    """Rows and their provenance."""

    rows: Sequence[Row]
    provenance: tuple[str, ...]
    """One fact per line: compiler, flags, model, machine, date; shown at the foot of tables."""


@dataclass(frozen=True)
class Pair:
    """Two figures of one place, whose ratio r = a / b a claim is about."""

    a: float
    b: float

    @property
    def ratio(self) -> float:
        """Not a number if both are 0, infinite if only b is 0."""
        return self.a / self.b if self.b else float("inf") if self.a else float("nan")


Cause = Literal[
    "",
    "the paper's own figures disagree",
    "our code differs",
    "compiler or processor",
    "the claim itself",
]
CODE_DIFFERS: Cause = "our code differs"
"""The cause of a claim that is "not judged on their code"."""
UNTESTABLE = "not testable here"
"""The cause of a claim that no place can test; it follows from the places."""
CAUSES: Mapping[str, str] = {
    "the paper's own figures disagree": "Two figures that the paper prints contradict each other.",
    CODE_DIFFERS: "The code measured here differs from the paper's where it matters: the paper "
    "prints no code, or ours executes other operations. So the claim is not judged on their code.",
    "compiler or processor": "The same steps have another cost with another compiler, at another "
    "optimisation level or on another processor.",
    "the claim itself": "It contradicts a definition, a proof or the paper's own model, on any "
    "code and processor.",
    UNTESTABLE: "No place can test it: our figure is derived from the published one, is of another "
    "program, or depends on an assumed clock or memory or on an average of emulated cycles.",
}
"""All causes and their meaning.  A verdict other than "holds" has one of them."""


OUR_CODE = "our code"
"""The part of a place that marks the library's own code, shown beside the paper's code in
the same place and not judged."""
LEFT_OUT = "left out"
"""The part of a place that marks one step removed from all: shown, and not judged."""


class Assumed(str):
    """A reason in `Claim.untestable`: a memory, a cache or a clock was assumed by us.

    No such place is judged, but the map says where the claim would hold.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and what we found in each place.

    `kind` and `form` are those of rule.py, by which each place is judged; which places are judged
    and which are only shown is listed in places.py, and for one claim in `shown`.
    """

    sentence: str
    """What the paper says, in our words."""
    kind: Kind
    found: Mapping[ClaimPlace, Pair | float]
    """Findings by place (platform, size, level).  Effects, equalities, ranges and orders are pairs;
    a count, a size, a rate or a share is one figure."""
    published: float | Ends | None = None
    """The published value as the paper writes it: a saved share of 0.13 has the form "saved"."""
    form: Form = "times"
    cause: Cause = ""
    why: str = ""
    """The reason, if known, for not holding or holding only in part."""
    untestable: Mapping[ClaimPlace, str] = field(default_factory=dict)
    """Places that cannot test the claim, with the reason: a figure derived from the published one,
    another program, an assumed clock or memory (Assumed), an average of emulated cycles."""
    shown: frozenset[ClaimPlace] = frozenset()
    """Places beyond what the sentence supposes: shown, so that the map finds where it stops
    holding, and not judged."""
    by_construction: str = ""
    """What decides it before anything is measured: what is measured was built from these figures,
    or FIPS 197 fixes them."""


@dataclass(frozen=True)
class ResultTable:
    """A table of texts; the first line holds the headings."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture: SVG text drawn by judging/charts.py, or a PNG."""

    title: str
    image: bytes
    suffix: Literal[".svg", ".png"]
    alt: str
    """Text alternative of the picture."""
    note: str = ""


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str


Part = ResultTable | Figure | Words


@dataclass(frozen=True)
class Experiment:
    """A loaded experiment file."""

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
