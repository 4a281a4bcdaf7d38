# SPDX-License-Identifier: MIT
"""The ranking: limits drop cores, the objective orders the rest.  Pure functions.

Where the question sets no limit of timing, cores whose independence of the key is proved come
first, then those that are independent, then those that are independent here, then the others.

A core may stand for several variants (compiler flags, GHASH multipliers); the best one within the
limits counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..jobs.job import Job, Row
from ..jobs.secrecy import PROVED, weakest
from ..platforms.platform import Platform
from ..units import count
from .pareto import front
from .pricing import Costs, Modelled, as_call, asked_at, cycles, rounded, with_misses
from .request import BLOCK, Flags, Limits, Objective, Request, allows
from .unproved import unproved


@dataclass(frozen=True)
class Candidate:
    """One core in its best variant."""

    row: Row
    """Figures of one message with its share of key set-up; sizes of the whole firmware."""
    costs: Costs
    """The costs from which the cycles are computed."""
    flags: Flags = None
    """Flags of the job; None: those of the platform file."""
    ghash: str | None = None
    """Multiplier of GCM; None in other modes."""
    rank: int = 0
    """1 is best; 0: not ranked."""

    @property
    def name(self) -> str:
        """Name of the core."""
        return self.row.core

    @property
    def title(self) -> str:
        """The core and, in GCM, its multiplier."""
        return self.name if self.ghash is None else f"{self.name} with the GHASH {self.ghash}"

    @property
    def setup_cycles(self) -> float:
        """Cycles of one key set-up."""
        return self.costs.setup

    def flags_on(self, platform: Platform) -> str:
        """The flags for processor and optimisation."""
        chosen = platform.compiler.optimise if self.flags is None else self.flags
        return " ".join((*platform.compiler.target, *chosen))

    def as_json(self) -> dict[str, Any]:
        """A row of `measure` with the chooser's columns."""
        sizes = {"flash_bytes": self.row.flash_bytes, "ram_bytes": self.row.ram_bytes}
        return {**self.row.as_json(), "ghash": self.ghash, "rank": self.rank, **sizes}


@dataclass(frozen=True)
class Dropped:
    """A core that is not ranked, and why."""

    core: str
    reason: str
    candidate: Candidate | None
    """None if it could not be measured."""


@dataclass(frozen=True)
class Choice:
    """The answer without its words."""

    request: Request
    ranking: tuple[Candidate, ...]
    """Best first: the strongest kind of timing, unless the question limits it, then the costs."""
    dropped: tuple[Dropped, ...]
    pareto: tuple[str, ...]
    """Cores that no other core of the ranking beats in cycles, flash and RAM at once."""
    fastest: Candidate | None = None
    """The best variant within the limits of sizes, whatever its timing."""
    independent: Candidate | None = None
    """The best variant of all cores whose time is independent of the key, proved if any is."""

    @property
    def winner(self) -> Candidate | None:
        """The best core; None if no core is left."""
        return self.ranking[0] if self.ranking else None

    @property
    def rivals(self) -> tuple[Candidate, ...]:
        """The ranked cores that compete with the winner by their costs, the winner first."""
        first = [order_of(self.request, one)[0] for one in self.ranking]
        return tuple(one for one, kind in zip(self.ranking, first, strict=True) if kind == first[0])

    @property
    def trade(self) -> Candidate | None:
        """A core that costs less than the winner, and was left behind for its timing."""
        best, other, objective = self.winner, self.fastest, self.request.objective
        if best is None or other is None or other.row.secrecy.place <= best.row.secrecy.place:
            return None
        less = costs_of(other.row, objective)[0] < costs_of(best.row, objective)[0]
        return other if less else None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All measured cores, within the limits or not; the best first."""
        beyond = (one.candidate for one in self.dropped)
        return (*self.ranking, *(one for one in beyond if one is not None))

    @property
    def needed_clock_hz(self) -> float | None:
        """Cycles per second at which the winner keeps up with the rate asked for.

        It holds for the worst placement of its code.
        """
        if self.winner is None or self.request.rate is None:
            return None
        row = self.winner.row
        most = row.cycles if row.cycles_max is None else row.cycles_max
        return most * self.request.rate / (8 * self.request.payload)

    @property
    def keeps_up(self) -> bool | None:
        """Whether the clock is fast enough; None if rate or clock are not known.

        With ideal memory cycles are a lower bound, which can only show that it is too slow.
        """
        needed, clock = self.needed_clock_hz, self.request.clock
        if needed is None or clock is None:
            return None
        return None if needed <= clock and self.request.platform.ideal else needed <= clock

    @property
    def ties(self) -> tuple[Candidate, ...]:
        """Rivals whose range of cycles over code placements overlaps the winner's."""
        winner = self.winner
        if winner is None or self.request.objective != "cycles":
            return ()
        highest = winner.row.cycles_max
        return tuple(
            one
            for one in self.rivals[1:]
            if highest is not None
            and one.row.cycles_min is not None
            and one.row.cycles_min <= highest
        )

    def as_json(self, sentence: str) -> dict[str, Any]:
        """The stable keys."""
        ranking = [candidate.as_json() for candidate in self.ranking]
        return {
            "winner": ranking[0] if ranking else None,
            "runner_up": ranking[1] if len(ranking) > 1 else None,
            "trade": self.trade.as_json() if self.trade else None,
            "sentence": sentence,
            "ranking": ranking,
            "dropped": [{"core": one.core, "reason": one.reason} for one in self.dropped],
            "pareto": list(self.pareto),
            "ties": [one.name for one in self.ties],
            "keeps_up": self.keeps_up,
            "needed_clock_hz": self.needed_clock_hz,
        }


class Refused(Protocol):
    """A job that could not be measured."""

    @property
    def reason(self) -> str:
        """The reason in a sentence."""


def choose(
    request: Request,
    asked: Sequence[Job],
    results: Sequence[Row | Refused],
    modelled: Mapping[tuple[str, Flags], Modelled] | None = None,
) -> Choice:
    """Drop cores over a limit and rank the rest; `results` in the order of `asked`.

    `modelled`: in bursts, what the cache model needs of each variant.
    """
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    every: list[Candidate] = []
    for core in dict.fromkeys(job.core for job in asked):
        mine = [(j, r) for j, r in zip(asked, results, strict=True) if j.core == core]
        variants = _variants(request, mine, modelled or {})
        every += variants
        found = _best(request, variants)
        if found is not None:
            kept.append(found)
        elif variants:
            dropped.append(_over(request, variants))
        else:
            reason = next(r.reason for _, r in mine if not isinstance(r, Row))
            dropped.append(Dropped(core, reason, None))
    kept.sort(key=lambda one: order_of(request, one))
    ranking = tuple(replace(one, rank=rank) for rank, one in enumerate(kept, 1))
    fastest = _best(_whatever_timing(request), every)
    independent = _independent(request, every)
    return Choice(request, ranking, tuple(dropped), pareto(ranking), fastest, independent)


def _whatever_timing(request: Request) -> Request:
    return replace(request, limits=replace(request.limits, timing="any"))


def _independent(request: Request, variants: Sequence[Candidate]) -> Candidate | None:
    """The best core whose time is independent of the key: by a proof, or else by runs and claim."""
    independent = [one for one in variants if one.row.timing == "independent"]
    proved = [one for one in independent if one.row.evidence == PROVED]
    return _best(request, proved) or _best(request, independent)


def _best(request: Request, variants: Iterable[Candidate]) -> Candidate | None:
    """The best variant within the limits."""
    within = [one for one in variants if not broken(request, one.row, one.flags)]
    return min(within, key=lambda one: order_of(request, one), default=None)


def order_of(request: Request, one: Candidate) -> tuple[float, ...]:
    """The sort key of a question: kind of timing, where no limit of it is set, then the costs."""
    kind = one.row.secrecy.place if request.limits.timing is None else 0
    return kind, *costs_of(one.row, request.objective)


def _over(request: Request, variants: Iterable[Candidate]) -> Dropped:
    """The variant nearest to the limits."""
    near = min(variants, key=lambda one: excess(request.limits, one.row))
    return Dropped(near.name, "; ".join(broken(request, near.row, near.flags)), near)


def broken(request: Request, row: Row, flags: Flags = None) -> list[str]:
    """The limits that a row breaks, in words with numbers."""
    found = []
    limits = request.limits
    for what, value, limit in zip(
        request.sizes, (row.flash_bytes, row.ram_bytes), (limits.flash, limits.ram), strict=True
    ):
        if limit is not None and value > limit:
            over = f"{count(value - limit)} above the limit of {count(limit)}"
            found.append(f"{count(value)} bytes of {what}, {over}")
    if too_weak(limits, row):
        found.append(_LEAKS.get(row.timing) or unproved(request, row, flags))
    return found


_LEAKS = {
    "depends on the key": "its time may depend on the key, as its addresses or branches do",
    "independent here": "independent of the key here alone, where all memory takes the same time",
}


def too_weak(limits: Limits, row: Row) -> bool:
    """Whether its timing may depend on secrets more than the limits allow."""
    return not allows(limits.timing, row.secrecy)


def excess(limits: Limits, row: Row) -> tuple[int, float]:
    """Distance of a row from the limits: secret-dependent timing first, then the largest excess."""
    shares = [
        value / max(limit, 1) - 1
        for value, limit in ((row.flash_bytes, limits.flash), (row.ram_bytes, limits.ram))
        if limit is not None
    ]
    return too_weak(limits, row) * row.secrecy.place, max([0.0, *shares])


def pareto(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Names of the cores that no other beats: as good everywhere and better somewhere."""
    costs = {one.name: costs_of(one.row) for one in candidates}
    names = list(costs)
    return tuple(names[at] for at in front(list(costs.values())))


def costs_of(row: Row, objective: Objective = "cycles") -> tuple[float, ...]:
    """Cycles, flash and RAM with the objective first: the costs that a ranking sorts by."""
    costs = {"cycles": float(row.cycles), "flash": row.flash_bytes, "ram": row.ram_bytes}
    return (costs.pop(objective), *costs.values())


def _variants(
    request: Request,
    measured: Iterable[tuple[Job, Row | Refused]],
    modelled: Mapping[tuple[str, Flags], Modelled],
) -> list[Candidate]:
    """Candidates of one core, one for each variant whose operations were all measured."""
    variants: dict[tuple[Flags, str | None], list[Row]] = {}
    core = ""
    for job, result in measured:
        core = job.core
        ghash = job.ghash if job.hashes else None
        rows = variants.setdefault((job.flags, ghash), [])
        if isinstance(result, Row):
            rows.append(result)
    return [
        replace(_candidate(request, rows, flags, modelled.get((core, flags))), ghash=ghash)
        for (flags, ghash), rows in variants.items()
        if len(rows) == len(request.ops)
    ]


def _candidate(
    request: Request, rows: Sequence[Row], flags: Flags, modelled: Modelled | None
) -> Candidate:
    """A variant from the rows of `request.ops`, priced."""
    if request.mode == BLOCK and modelled is not None:
        version = modelled.version
        costs = Costs(version.cycles_per_call, version.overhead, modelled)
        return Candidate(_told(request, as_call(rows[0], modelled, request)), costs, flags)
    if request.bursts is not None and modelled is not None:
        rows = [with_misses(row, modelled, request.bursts, request.blocks) for row in rows]
    setup, message, whole = rows
    missed = (message.stall_cycles or 0) if modelled is not None else 0
    costs = Costs(message.cycles - missed, setup.cycles, modelled)
    return Candidate(_charged(request, costs, (setup, message, whole)), costs, flags)


def _charged(request: Request, costs: Costs, rows: tuple[Row, Row, Row]) -> Row:
    """One message with its share of key set-up, in a firmware of the size of the last row."""
    setup, message, whole = rows
    share = 1 / request.messages_per_key if request.messages_per_key else 0.0
    total = cycles(request, costs, asked_at(request))
    secrecy = weakest(row.secrecy for row in (message, setup, whole))
    stacks = [row.stack_bytes for row in rows if row.stack_bytes is not None]
    return _told(
        request,
        replace(
            message,
            op="message" if request.messages_per_key == 1 else message.op,
            cycles=total,
            cycles_per_byte=total / request.payload,
            cycles_min=_whole(_sum(message.cycles_min, setup.cycles_min, share)),
            cycles_max=_whole(_sum(message.cycles_max, setup.cycles_max, share)),
            cycles_median=_sum(message.cycles_median, setup.cycles_median, share),
            instructions=_whole(_sum(message.instructions, setup.instructions, share)),
            stall_cycles=_whole(_sum(message.stall_cycles, setup.stall_cycles, share)),
            code_bytes=whole.code_bytes,
            table_bytes=whole.table_bytes,
            round_key_bytes=whole.round_key_bytes,
            context_bytes=whole.context_bytes,
            stack_bytes=max(stacks, default=None),
            timing=secrecy.timing,
            evidence=secrecy.evidence,
            proved=secrecy.proved,
            unproved=secrecy.unproved,
        ),
    )


def _sum(message: float | None, setup: float | None, share: float) -> float | None:
    return None if message is None or setup is None else rounded(message + share * setup)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _told(request: Request, row: Row) -> Row:
    """The row with a full description of its window."""
    carries = "encrypts" if request.only_encrypts else "encrypts and decrypts"
    sizes = f"sizes: a firmware that {carries}"
    if request.platform.rig == "published":
        sizes = "sizes: tables and the round keys of one direction, because no code is published"
    window = f"{row.provenance.window}; {charge(request)}; {sizes}"
    return replace(row, provenance=replace(row.provenance, window=window))


def charge(request: Request) -> str:
    """A phrase on how key set-up is charged."""
    if request.mode == BLOCK:
        return "key set-up and loop charged once a burst"
    if request.messages_per_key is None:
        return "key set-up not charged"
    if request.messages_per_key == 1:
        return "key set-up charged to every message"
    return f"key set-up charged once in {request.messages_per_key} messages"
