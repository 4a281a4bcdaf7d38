# SPDX-License-Identifier: MIT
"""The verdict in three to five short lines, for a terminal; words.py has it in one sentence."""

from ..rigs.emulator.trust import Trust
from ..units import count
from .ranking import Candidate, Choice, costs_of
from .request import Request
from .unproved import command_for
from .words import constant_everywhere, nothing_left, objective_told, pace, way_out

_COMPARED = 2
"""Cores after the winner whose ratios are shown."""


def brief(choice: Choice, trusted: Trust) -> tuple[str, ...]:
    """The winner's cost, ratios to the next, secrecy, pace and basis; a line each."""
    winner = choice.winner
    if winner is None:
        return (nothing_left(choice),)
    pace_told = pace(choice, winner)
    lines = (
        _cost(choice.request, winner),
        _ratios(choice, winner),
        _timing(choice, winner),
        f"{pace_told[0].upper()}{pace_told[1:]}." if pace_told else "",
        _basis(trusted),
    )
    return tuple(line for line in lines if line)


def _cost(request: Request, winner: Candidate) -> str:
    row, (flash, ram) = winner.row, request.sizes
    built = f" at {' '.join(winner.flags)}" if winner.flags else ""
    missed = "" if row.stall_cycles is None else f" ({count(row.stall_cycles)} in cache misses)"
    return (
        f"Take {winner.title}{built}: {count(round(row.cycles, 1))} cycles{missed}, "
        f"{count(row.flash_bytes)} bytes of {flash}, {count(row.ram_bytes)} of {ram}."
    )


def _ratios(choice: Choice, winner: Candidate) -> str:
    """The next cores' costs, as multiples of the winner's."""
    objective = choice.request.objective
    best = costs_of(winner.row, objective)[0]
    following = choice.ranking[1 : 1 + _COMPARED]
    if not best or not following:
        return ""
    first, *others = (
        (one.name, f"{costs_of(one.row, objective)[0] / best:.2f} times") for one in following
    )
    more = "".join(f", {name} {times}" for name, times in others)
    told = f"{first[0]} takes {first[1]} the {objective_told(choice.request)}{more}"
    tie = "; they tie, because it depends on where the code lies" if choice.ties else ""
    return f"  {told}{tie}."


def _timing(choice: Choice, winner: Candidate) -> str:
    """Whether the winner's timing leaks, and the cost of a core constant-time everywhere."""
    request, row = choice.request, winner.row
    if row.constant_time == "always":
        return f"Its timing does not leak the key, proved of this image ({row.proved})."
    if row.constant_time == "sampled":
        return _sampled(request, winner)
    if row.constant_time == "uniform-memory":
        ideal = "; with caches or flash buffers it may" if request.platform.ideal else ""
        memory = "ideal" if request.platform.ideal else "this"
        told = f"Its timing does not leak the key with {memory} memory{ideal}"
    else:
        out = way_out(request, row)
        told = f"Its timing leaks the key{f', but not with {out}' if out else ''}"
    safe = constant_everywhere(choice, winner)
    return f"{told}. {safe[0].upper()}{safe[1:]}."


def _sampled(request: Request, winner: Candidate) -> str:
    command = command_for(request, winner.name, winner.flags)
    more = f"; this may prove it: {command}" if command else ""
    return f"Its timing did not leak in runs with different secrets, which is not a proof{more}."


def _basis(trusted: Trust) -> str:
    """The evidence for the cycles, in short; the long sentence has all of it."""
    found = trusted.found
    if trusted.model is None or found is None:
        return f"Basis: {trusted.sentence}."
    if trusted.rest:
        return f"Basis: {trusted.checked_against}."
    exact = not found.max_error_cycles
    agreement = "to the cycle" if exact else found.agreement
    return f"Basis: {trusted.checked_against}, {agreement}."
