# SPDX-License-Identifier: MIT
"""`--why` and `--annotate`: where cycles go, by class of instruction and by instruction."""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import click

from .common import Align, console, print_table, print_text
from .declared import Option

if TYPE_CHECKING:
    from ..counting.spending import ClassTotal, Spending
    from ..proving.image import ProofImage

_COLUMNS: tuple[tuple[str, Align], ...] = (
    ("instructions", "<"),
    ("executed", ">"),
    ("cycles", ">"),
    ("%", ">"),
    ("each", ">"),
    ("over 1", ">"),
)
_LEGEND = "each: cycles of one execution; over 1: executions that took more than one cycle"
_STACK_TOLD = "; stack: spilled registers and local data"
_WAITS_TOLD = "; flash and caches: cycles that the processor waits for them"


@dataclass(frozen=True)
class WhyOptions:
    """Where the cycles go."""

    why: Annotated[
        bool,
        Option("--why", help="Show cycles by class of instruction: loads, branches, spills."),
    ] = False
    annotate: Annotated[
        bool,
        Option(
            "--annotate",
            help="List each instruction with executions and cycles, under its line of C.",
        ),
    ] = False

    @property
    def given(self) -> str:
        """The option that was given."""
        return "--why" if self.why else "--annotate"

    @property
    def wanted(self) -> bool:
        """Whether either option was given."""
        return self.why or self.annotate


def print_why(options: WhyOptions, image: "ProofImage", found: "Spending", what: str) -> None:
    """Print what these options ask for, after an empty line."""
    if options.why:
        click.echo()
        print_spending(found, what)
    if options.annotate:
        click.echo()
        print_listing(image, found)


def print_spending(found: "Spending", what: str) -> None:
    """Print cycles by class, waits, and the effects of neighbouring instructions."""
    out, whole = console(), found.cycles
    rows = [_row(kind, total, whole) for kind, total in found.by_class().items()]
    if found.waits:
        rows.append(
            ["flash and caches", "", f"{found.waits:,}", _share(found.waits, whole), "", ""]
        )
    rows.append(_row("all", replace(found.total, cycles=whole), whole))
    print_text(out, f"Where the {whole:,} cycles of {what} go:")
    print_table(out, _COLUMNS, rows, styles={len(rows) - 1: "bold"})
    stack = _STACK_TOLD if any("the stack" in row[0] for row in rows) else ""
    print_text(out, f"{_LEGEND}{stack}{_WAITS_TOLD if found.waits else ''}", style="dim")
    for name, cycles in sorted(found.neighbours.items(), key=lambda pair: -abs(pair[1])):
        effect = "Lost to" if cycles > 0 else "Saved by"
        print_text(out, f"{effect} neighbours: {abs(cycles):,}, {name}.", indent="  ")


def _row(title: str, total: "ClassTotal", whole: int) -> list[str]:
    each = f"{total.cycles / total.executed:.2f}" if total.executed else "-"
    numbers = [f"{total.executed:,}", f"{total.cycles:,}", _share(total.cycles, whole), each]
    return [title, *numbers, f"{total.waited:,}"]


def _share(cycles: int, whole: int) -> str:
    return f"{100 * cycles / whole:.1f}" if whole else "-"


def print_listing(image: "ProofImage", found: "Spending") -> None:
    """Print each executed instruction, under its line of C if the image has line numbers."""
    from ..report.listing import listing  # start-up time

    width = console().width
    for line in listing(image, found):
        click.echo(line if len(line) <= width else f"{line[: width - 3]}...")


def why_json(options: WhyOptions, image: "ProofImage", found: "Spending") -> dict[str, Any]:
    """The keys `why` and `annotated` of --json."""
    from ..report.listing import rows  # start-up time

    told: dict[str, Any] = {"why": _classes(found)} if options.why else {}
    return told | ({"annotated": rows(image, found)} if options.annotate else {})


def _classes(found: "Spending") -> dict[str, Any]:
    """The stable keys."""
    return {
        "cycles": found.cycles,
        "instructions": found.total.executed,
        "classes": {kind: asdict(total) for kind, total in found.by_class().items()},
        "waits": found.waits,
        "neighbours": dict(found.neighbours),
    }
