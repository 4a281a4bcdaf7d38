# SPDX-License-Identifier: MIT
"""`aesfit prove --function`: its options and what it prints."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from ..api.prove_function import LONGEST_RUN
from .common import console, print_text
from .console import Console
from .declared import Asked, Option

if TYPE_CHECKING:
    from ..proving.functions.places import PlaceInCode
    from ..proving.functions.verdict import FunctionFinding, FunctionVerdict

_WORDS = (
    "An argument, in order: secret:SIZE is a pointer to secret bytes, secret a secret word; others "
    "are those of aesfit count, and a number may stand alone.  struct(PART,*PART..) is a pointer "
    "to parts that lie one behind the other; * makes a pointer of a part. [none]"
)
_HEAD, _TAIL = 3, 5
"""Steps of a path that are printed; --json has all."""


@dataclass(frozen=True)
class ProvedFunction:
    """Any function of your files: independence alone."""

    function: Annotated[
        str | None, Option(metavar="<name>", help="The function to examine. [none]")
    ] = None
    arguments: Annotated[
        list[str] | None,
        Option("--arg", metavar="<arg>", help=_WORDS, show_default=False),
    ] = None
    stubs: Annotated[
        list[str] | None,
        Option(
            "--stub",
            metavar="<stub>",
            help="A function that is not followed: name=0 returns 0, name,1:32 also writes 32 "
            "secret bytes where its first argument points; unknown results count as secret. [none]",
            show_default=False,
        ),
    ] = None
    why: Annotated[
        bool, Option("--why", help="Show the path of values that led to each finding.")
    ] = False
    masked: Annotated[
        bool,
        Option(
            "--masked",
            help="Prove that no observed bit or transition depends on a secret, in a model of "
            "power; arguments are those of aesfit leak power.",
        ),
    ] = False
    max_instructions: Annotated[
        int, Option("--limit", metavar="<n>", help="Limit of instructions.", min=1)
    ] = LONGEST_RUN

    def asked(self) -> Asked:
        """Arguments of the public function."""
        told = {**asdict(self), "arguments": self.arguments or (), "stubs": self.stubs or ()}
        del told["why"], told["masked"]
        return told


def print_verdict(answer: "FunctionVerdict", *, why: bool) -> None:
    """The verdict in a few lines, findings of one source line together."""
    for warning in answer.warnings:
        print_text(console(stderr=True), f"warning: {warning}")
    out = console()
    print_text(out, _sentence(answer))
    together = groupby(
        answer.findings,
        lambda one: (one.kind, one.place.function, one.place.file, one.place.line, one.calls),
    )
    for _, found in together:
        _print_finding(out, [*found], why)
    for one in answer.not_followed:
        print_text(out, f"not followed: {one}")
    for one in answer.assumed:
        print_text(out, f"assumed: {one}")
    print_text(out, _remaining(answer))


def _sentence(answer: "FunctionVerdict") -> str:
    count = len(answer.findings)
    told = {
        "independent": "independent of its secrets: no branch, address, shift or operand of an "
        "instruction of variable time depends on one",
        "depends": f"its timing depends on a secret, at {count} instruction{'s' * (count > 1)}",
        "not shown": "nothing is shown",
    }
    return f"{answer.function} on {answer.platform}: {told[answer.verdict]}."


def _print_finding(out: Console, found: Sequence["FunctionFinding"], why: bool) -> None:
    first = found[0]
    more = f", and {len(found) - 1} more there" if len(found) > 1 else ""
    lines = [f"  {first.place.told}: {first.meaning}{more}"]
    lines += [f"    called by {one.told}" for one in reversed(first.calls)]
    if why and first.source:
        lines += [f"    the secret: {first.source}", *_steps(first.path)]
    for line in lines:
        print_text(out, line, indent=8 * " ")


def _steps(path: Sequence["PlaceInCode"]) -> Iterator[str]:
    """The first and the last steps."""
    left_out = len(path) - _HEAD - _TAIL
    for at, one in enumerate(path):
        if left_out <= 1 or not _HEAD <= at < len(path) - _TAIL:
            yield f"    then {one.told}"
        elif at == _HEAD:
            yield f"    ... {left_out} steps, which --json has"


def _remaining(answer: "FunctionVerdict") -> str:
    """What is left behind, and what the verdict does not say."""
    stack = ", ".join(f"{size} bytes by {name}" for name, size in answer.left)
    left = [f"on the stack {stack}"] if stack else []
    left += [f"in {', '.join(answer.registers)}"] if answer.registers else []
    kept = f"Secrets left behind: {'; '.join(left)}. " if left else ""
    return (
        f"{kept}Followed: {answer.instructions} instructions, for all secrets and the public "
        "values given; not shown: other lengths, that results are right, power, faults, "
        "speculation."
    )
