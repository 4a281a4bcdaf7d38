# SPDX-License-Identifier: MIT
"""The chooser: which core fits a processor, from measured rows.  Pure functions.

A core may stand for several variants (compiler flags); the best one within the limits counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Literal, Protocol

from .pareto import front
from .platforms import Platform
from .quantity import count
from .rigs.rig import ConstantTime, Job, Placement, Row

Objective = Literal["cycles", "flash", "ram"]
OBJECTIVES: tuple[Objective, ...] = ("cycles", "flash", "ram")
SEARCHED_FLAGS: tuple[tuple[str, ...], ...] = (
    ("-Os",),
    ("-O2",),
    ("-O3",),
    ("-O2", "-funroll-loops"),
    ("-O3", "-funroll-loops"),
)
"""What `--flags search` tries."""
_WORST: tuple[ConstantTime, ...] = ("always", "here", "no")


@dataclass(frozen=True)
class Limits:
    """What a core must keep to; None: anything."""

    flash: int | None = None
    """Bytes of code, constants and tables."""
    ram: int | None = None
    """Bytes of expanded keys and stack."""
    constant_time: bool = False


@dataclass(frozen=True)
class Bursts:
    """How often other programs take the caches, on a processor that has some."""

    calls: int
    """Of 16 bytes of payload, between two such times."""
    evicted: float = 1.0
    """Share, 0 to 1, of the caches' lines that they take."""

    @property
    def told(self) -> str:
        """In words."""
        calls = f"bursts of {self.calls} call{'s' if self.calls != 1 else ''}"
        return f"{calls} of 16 bytes, {self.evicted:.0%} of the caches evicted between them"


@dataclass(frozen=True)
class Request:
    """The question."""

    platform: Platform
    mode: str = "ccm"
    bytes: int = 1504
    """Payload of one message."""
    key_bits: int = 128
    limits: Limits = field(default_factory=Limits)
    encrypt_only: bool = False
    """The firmware encrypts and never decrypts; so it is in modes without verification."""
    messages_per_key: int | None = None
    """Messages between key set-ups, which are charged to them; None: not charged."""
    objective: Objective = "cycles"
    clock_hz: float | None = None
    """The platform's own where None, if it has one."""
    rate: float | None = None
    """Payload bits per second to keep up with."""
    placement: Placement = field(default_factory=Placement)
    ghash: str = "shift32"
    """Multiplier of GCM."""
    bursts: Bursts | None = None
    """None: cache misses are those that were measured, if any."""

    @property
    def clock(self) -> float | None:
        """Cycles per second: those asked for, else the platform's."""
        if self.clock_hz is not None:
            return self.clock_hz
        return self.platform.clock.value * 1e6 if self.platform.clock else None

    @property
    def whole_op(self) -> str:
        """The operation whose image carries all that the firmware needs."""
        return "message" if self.encrypt_only else "both"


@dataclass(frozen=True)
class Candidate:
    """One core in its best variant."""

    row: Row
    """Cycles and instructions of one message with its share of key set-up; sizes of the whole."""
    setup_cycles: float
    flags: tuple[str, ...] | None = None
    """As the job asked for; None: those of the platform file."""
    rank: int = 0
    """1 is best; 0: not ranked."""

    @property
    def name(self) -> str:
        """Of the core."""
        return self.row.core

    def flags_on(self, platform: Platform) -> str:
        """The flags that name the processor and optimise for it."""
        chosen = platform.compiler.optimise if self.flags is None else self.flags
        return " ".join((*platform.compiler.target, *chosen))

    def as_json(self) -> dict[str, Any]:
        """A row of `measure` with what the chooser adds."""
        sizes = {"flash_bytes": self.row.flash_bytes, "ram_bytes": self.row.ram_bytes}
        return {**self.row.as_json(), "rank": self.rank, **sizes}


@dataclass(frozen=True)
class Dropped:
    """A core that is not ranked, and why."""

    core: str
    reason: str
    candidate: Candidate | None
    """None where nothing could be measured."""


@dataclass(frozen=True)
class Choice:
    """The answer without its words."""

    request: Request
    ranking: tuple[Candidate, ...]
    """Best first."""
    dropped: tuple[Dropped, ...]
    pareto: tuple[str, ...]
    """Cores that no other core of the ranking beats in cycles, flash and RAM at once."""

    @property
    def winner(self) -> Candidate | None:
        """The best; None when nothing is left."""
        return self.ranking[0] if self.ranking else None

    @property
    def needed_clock_hz(self) -> float | None:
        """Cycles per second at which the winner keeps up with the rate asked for."""
        if self.winner is None or self.request.rate is None:
            return None
        return self.winner.row.cycles * self.request.rate / (8 * self.request.bytes)

    @property
    def keeps_up(self) -> bool | None:
        """Whether the clock is fast enough; None where rate or clock are not known."""
        needed, clock = self.needed_clock_hz, self.request.clock
        return None if needed is None or clock is None else needed <= clock

    def as_json(self, sentence: str) -> dict[str, Any]:
        """The stable keys."""
        ranking = [candidate.as_json() for candidate in self.ranking]
        return {
            "winner": ranking[0] if ranking else None,
            "runner_up": ranking[1] if len(ranking) > 1 else None,
            "sentence": sentence,
            "ranking": ranking,
            "dropped": [{"core": one.core, "reason": one.reason} for one in self.dropped],
            "pareto": list(self.pareto),
            "keeps_up": self.keeps_up,
            "needed_clock_hz": self.needed_clock_hz,
        }


class Refused(Protocol):
    """A job that could not be measured."""

    @property
    def reason(self) -> str:
        """One sentence."""


def jobs(
    request: Request, cores: Iterable[str], flags: Sequence[tuple[str, ...] | None] = (None,)
) -> list[Job]:
    """What has to be measured: three operations of each core in each variant."""
    return [
        Job(
            platform=request.platform,
            core=core,
            key_bits=request.key_bits,
            op=op,
            mode=request.mode,
            bytes=request.bytes,
            flags=variant,
            ghash=request.ghash,
            placement=request.placement,
        )
        for core in cores
        for variant in flags
        for op in ("key-setup", "encrypt", request.whole_op)
    ]


def choose(request: Request, asked: Sequence[Job], results: Sequence[Row | Refused]) -> Choice:
    """Drop what breaks a limit and rank the rest; `results` in the order of `asked`."""
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for core in dict.fromkeys(job.core for job in asked):
        mine = [(j, r) for j, r in zip(asked, results, strict=True) if j.core == core]
        variants = _variants(request, mine)
        within = [one for one in variants if not broken(request.limits, one.row)]
        if within:
            kept.append(min(within, key=lambda one: _costs(request.objective, one.row)))
        elif variants:
            near = min(variants, key=lambda one: excess(request.limits, one.row))
            reason = "; ".join(broken(request.limits, near.row))
            dropped.append(Dropped(core, reason, near))
        else:
            reason = next(r.reason for _, r in mine if not isinstance(r, Row))
            dropped.append(Dropped(core, reason, None))
    kept.sort(key=lambda one: _costs(request.objective, one.row))
    ranking = tuple(replace(one, rank=rank) for rank, one in enumerate(kept, 1))
    return Choice(request, ranking, tuple(dropped), pareto(ranking))


def broken(limits: Limits, row: Row) -> list[str]:
    """The limits that a row breaks, in words with numbers."""
    found = []
    for what, value, limit in (
        ("flash", row.flash_bytes, limits.flash),
        ("RAM", row.ram_bytes, limits.ram),
    ):
        if limit is not None and value > limit:
            over = f"{count(value - limit)} above the limit of {count(limit)}"
            found.append(f"{count(value)} bytes of {what}, {over}")
    if limits.constant_time and row.constant_time == "no":
        found.append("not constant-time here: its time tells about the key")
    return found


def excess(limits: Limits, row: Row) -> tuple[bool, float]:
    """How far a row is from the limits: secret-dependent time first, then the worst share."""
    shares = [
        value / max(limit, 1) - 1
        for value, limit in ((row.flash_bytes, limits.flash), (row.ram_bytes, limits.ram))
        if limit is not None
    ]
    return limits.constant_time and row.constant_time == "no", max([0.0, *shares])


def pareto(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Names of those that no other beats: none is as good everywhere and better somewhere."""
    costs = {one.name: _costs("cycles", one.row) for one in candidates}
    names = list(costs)
    return tuple(names[at] for at in front(list(costs.values())))


def setups(messages: int, messages_per_key: int | None) -> int:
    """Key set-ups charged to so many messages."""
    return ceil(messages / messages_per_key) if messages_per_key else 0


def cut(size: int, message: int, multiple: int, least: int) -> tuple[int, int, int]:
    """A file of `size` bytes in messages: how many full ones, bytes of the last, bytes left out.

    The mode takes multiples of `multiple` bytes, no shorter than `least`.
    """
    full, rest = divmod(size, message)
    last = rest - rest % multiple
    if last < least:
        last = 0
    return full, last, rest - last


def _costs(objective: Objective, row: Row) -> tuple[float, ...]:
    """Cycles, flash and RAM, what is asked for first."""
    costs = {"cycles": float(row.cycles), "flash": row.flash_bytes, "ram": row.ram_bytes}
    return (costs.pop(objective), *costs.values())


def _variants(request: Request, measured: Iterable[tuple[Job, Row | Refused]]) -> list[Candidate]:
    """Candidates of one core, one for each variant whose operations were all measured."""
    variants: dict[tuple[str, ...] | None, dict[str, Row | Refused]] = {}
    for job, result in measured:
        variants.setdefault(job.flags, {})[job.op] = result
    found = []
    for flags, rows in variants.items():
        setup, message, whole = (rows[op] for op in ("key-setup", "encrypt", request.whole_op))
        if isinstance(setup, Row) and isinstance(message, Row) and isinstance(whole, Row):
            row = _charged(request, setup, message, whole)
            found.append(Candidate(row, setup.cycles, flags))
    return found


def _charged(request: Request, setup: Row, message: Row, whole: Row) -> Row:
    """One message with its share of key set-up, in a firmware of the size of `whole`."""
    share = 1 / request.messages_per_key if request.messages_per_key else 0.0
    cycles = _plain(message.cycles + share * setup.cycles)
    stacks = [row.stack_bytes for row in (setup, message, whole) if row.stack_bytes is not None]
    return replace(
        message,
        op="message" if request.messages_per_key == 1 else message.op,
        cycles=cycles,
        cycles_per_byte=cycles / request.bytes,
        cycles_median=_sum(message.cycles_median, setup.cycles_median, share),
        instructions=_whole(_sum(message.instructions, setup.instructions, share)),
        stall_cycles=_whole(_sum(message.stall_cycles, setup.stall_cycles, share)),
        code_bytes=whole.code_bytes,
        table_bytes=whole.table_bytes,
        round_key_bytes=whole.round_key_bytes,
        context_bytes=whole.context_bytes,
        stack_bytes=max(stacks, default=None),
        constant_time=max((row.constant_time for row in (setup, message, whole)), key=_WORST.index),
        provenance=replace(message.provenance, window=_window(request, message)),
    )


def _sum(message: float | None, setup: float | None, share: float) -> float | None:
    return None if message is None or setup is None else _plain(message + share * setup)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _plain(value: float) -> float:
    """Two decimals at most, and an integer where it is one."""
    return int(value) if value == int(value) else round(value, 2)


def _window(request: Request, message: Row) -> str:
    charged = charge(request.messages_per_key)
    carries = "encrypts" if request.encrypt_only else "encrypts and decrypts"
    return f"{message.provenance.window}; {charged}; sizes: a firmware that {carries}"


def charge(messages_per_key: int | None) -> str:
    """How key set-up is charged, in words."""
    if messages_per_key is None:
        return "key set-up not charged"
    if messages_per_key == 1:
        return "key set-up charged to every message"
    return f"key set-up charged once in {messages_per_key} messages"
