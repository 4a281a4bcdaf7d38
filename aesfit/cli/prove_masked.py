# SPDX-License-Identifier: MIT
"""`aesfit prove --masked`: what it prints."""

from typing import TYPE_CHECKING

from ..units import count
from .common import Align, console, print_table, print_text

if TYPE_CHECKING:
    from ..proving.masked.proof import MaskedProof

_SHOWN = 12
"""Findings that are printed; --json has all."""
_STATEMENTS: tuple[tuple[str, Align], ...] = (
    ("statement", "<"),
    ("observed", ">"),
    ("outcome", "<"),
)
_FINDINGS: tuple[tuple[str, Align], ...] = (
    ("statement", "<"),
    ("outcome", "<"),
    ("of", "<"),
    ("place", "<"),
    ("instruction", "<"),
)
_NOT_SHOWN = (
    "Not shown: second order, coupling, write buffers, the pipeline of loads and stores, "
    "interrupts, the random source, and any chip."
)


def print_masked(answer: "MaskedProof") -> None:
    """The five statements, and what refutes them."""
    from ..power.model import LIMITS  # start-up time

    out = console()
    print_text(
        out, f"{answer.function} on {answer.platform}: {count(answer.instructions)} instructions"
    )
    told = answer.outcomes.items()
    rows = [(name, count(answer.observed[name]), outcome) for name, outcome in told]
    print_table(out, _STATEMENTS, rows)
    found = [
        (
            one.statement,
            one.outcome,
            one.place,
            f"{one.file}:{one.line}" if one.line else one.function or hex(one.address),
            one.instruction,
        )
        for one in answer.findings[:_SHOWN]
    ]
    if found:
        print_table(out, _FINDINGS, found)
    if len(answer.findings) > _SHOWN:
        print_text(out, f"and {len(answer.findings) - _SHOWN} more; --json has all")
    if answer.detail:
        print_text(out, f"The run did not come to its end: {answer.detail}.")
    print_text(out, f"{LIMITS if answer.proved else 'Not proved.'} {_NOT_SHOWN}", "bold")
