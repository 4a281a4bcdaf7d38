# SPDX-License-Identifier: MIT
"""The evidence of a timing in words, with the lengths of a proof beside the length in question."""

from ..catalog import MODES
from ..jobs.job import Row
from ..jobs.secrecy import PROVED, Secrecy
from ..units import count

NONE = "none"
_REFUSALS = "refusals at one or more"
"""Recorded proofs follow the branch that refuses a message at one length alone (docs/proving.md)"""


def evidence_told(found: Secrecy, asked: int | None = None, refuses: bool = False) -> str:
    """`proved for 0 to 33 bytes (6 lengths); 1,504 run no other code`, `4 runs` or `none`.

    `asked`: payload bytes of the question; None where it is about no length.  `refuses`: the code
    may refuse what it is given.
    """
    if found.evidence != PROVED:
        return "; ".join(filter(None, (found.evidence or NONE, found.unproved)))
    numbers, _, unit = found.proved.partition(" ")
    if unit != "bytes":
        return f"{PROVED} for {found.proved}" if found.proved else PROVED
    sizes = sorted(map(int, numbers.split(",")))
    told = f"{PROVED} for {_span(sizes, refuses)}"
    return told if asked is None or asked in sizes else f"{told}; {count(asked)} run no other code"


def row_evidence(row: Row) -> str:
    """The evidence of a measured row, with the lengths of a proof beside its own."""
    asked = row.bytes if row.op in ("encrypt", "decrypt") else None
    return evidence_told(row.secrecy, asked, may_refuse(row.mode, row.op in ("decrypt", "both")))


def may_refuse(mode: str | None, decrypts: bool) -> bool:
    """Messages of the mode, or its keys, may be such that a call refuses them."""
    shape = MODES.get(mode or "")
    return shape is not None and (shape.name == "xts" or (decrypts and shape.verdict))


def evidence_cell(found: Secrecy) -> str:
    """The evidence in a table; `-` where there is nothing to show."""
    return "-" if found.kind == "depends" else found.evidence or NONE


def _span(sizes: list[int], refuses: bool) -> str:
    """The shortest and the longest, and how many there are, because not all between are."""
    if len(sizes) == 1:
        return f"{count(sizes[0])} bytes"
    every = sizes[-1] - sizes[0] + 1 == len(sizes)
    notes = ["" if every else f"{len(sizes)} lengths", _REFUSALS if refuses else ""]
    told = "; ".join(filter(None, notes))
    return f"{count(sizes[0])} to {count(sizes[-1])} bytes" + (f" ({told})" if told else "")
