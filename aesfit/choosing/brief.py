# SPDX-License-Identifier: MIT
"""The verdict in three to five short lines, for a terminal; words.py has it in one sentence."""

from math import ceil

from ..rigs.emulator.evidence import blind_told
from ..rigs.emulator.trust import Trust
from ..units import count
from .ranking import Candidate, Choice, costs_of
from .request import Request
from .unproved import lacking, supported
from .words import (
    attacked,
    evidence_of_answer,
    independent_told,
    lead_told,
    nothing_left,
    objective_told,
    pace,
    trade_told,
    way_out,
    what_depends,
)

_COMPARED = 2
"""Cores after the winner whose ratios are shown."""


def brief(choice: Choice, basis: Trust) -> tuple[str, ...]:
    """The winner's cost, ratios to the next, secrecy, pace and basis; a line each."""
    winner = choice.winner
    if winner is None:
        return (nothing_left(choice),)
    lines = (
        _cost(choice.request, winner, basis),
        _ratios(choice, winner),
        _timing(choice, winner),
        _sentence(trade_told(choice, winner)),
        _sentence(pace(choice, winner)),
        _basis(basis),
    )
    return tuple(line for line in lines if line)


def _sentence(clause: str) -> str:
    """The clause as a sentence of its own; nothing of nothing."""
    return f"{clause[0].upper()}{clause[1:]}." if clause else ""


def _cost(request: Request, winner: Candidate, basis: Trust) -> str:
    row, (flash, ram) = winner.row, request.sizes
    built = f" at {' '.join(winner.flags)}" if winner.flags else ""
    missed = "" if row.stall_cycles is None else f" ({count(row.stall_cycles)} in cache misses)"
    return (
        f"Take {winner.title}{built}: {count(round(row.cycles, 1))} cycles{missed}{_more(basis)}, "
        f"{count(row.flash_bytes)} bytes of {flash}, {count(row.ram_bytes)} of {ram}."
    )


def _more(basis: Trust) -> str:
    """That silicon takes longer, where it always did and by a per cent or more."""
    more = basis.always_more
    return f" (up to {ceil(more)} % more on silicon)" if more >= 1 else ""


def _ratios(choice: Choice, winner: Candidate) -> str:
    """The next cores' costs, as multiples of the winner's."""
    objective = choice.request.objective
    best = costs_of(winner.row, objective)[0]
    following = choice.rivals[1 : 1 + _COMPARED]
    if not best or not following:
        return ""
    first, *others = (
        (one.name, f"{costs_of(one.row, objective)[0] / best:.2f} times") for one in following
    )
    more = "".join(f", {name} {times}" for name, times in others)
    told = f"{first[0]} takes {first[1]} the {objective_told(choice.request)}{more}"
    tie = ": a tie, which the placement of code decides" if choice.ties else ""
    return f"  {told}{tie}."


def _timing(choice: Choice, winner: Candidate) -> str:
    """What is known of the winner's timing, and that no core that fits does better."""
    lead = _sentence(lead_told(choice, winner))
    return " ".join(filter(None, (lead, _known(choice, winner))))


def _known(choice: Choice, winner: Candidate) -> str:
    """What is known of the winner's timing, and the cost of a core that is independent."""
    request, row = choice.request, winner.row
    told = evidence_of_answer(request, row)
    if row.secrecy.kind == "proved":
        return f"Its timing is independent of the key: {told}."
    if row.secrecy.kind == "independent":
        told = f"its timing is {supported(row)}, which is not a proof"
        lacks = lacking(request, row, winner.name, winner.flags)
        return _sentence("; ".join(filter(None, (told, lacks))))
    if row.secrecy.kind == "here":
        ideal = "; with caches or flash buffers it may not be" if request.platform.ideal else ""
        memory = "ideal" if request.platform.ideal else "this"
        told = f"Its timing is independent of the key with {memory} memory ({told}){ideal}"
    else:
        depends = f"its {what_depends(row)} depend on the key"
        told = "; ".join(filter(None, (depends, attacked(request, row))))
        if out := way_out(request, row):
            told += f". With {out} every access takes the same time"
    return " ".join((_sentence(told), _sentence(independent_told(choice, winner))))


def _basis(basis: Trust) -> str:
    """The model's error, or what there is in its place; the long sentence has all of it."""
    found = basis.found
    if basis.model is None or found is None:
        return f"Basis: {basis.sentence}."
    if basis.rest:
        return f"Basis: {basis.checked_against}."
    if not found.max_error_cycles:
        return f"Model error: none against {basis.checked_against}."
    blind = blind_told(found.blind)
    alone = f", on the {found.blind} that were not used to make the model" if blind else ""
    return f"Model error: {found.max_error.removeprefix(blind)}{alone} ({basis.checked_against})."
