# SPDX-License-Identifier: MIT
"""The chooser's question: its parts, defaults and checks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any, Literal, get_args

from .. import catalog
from ..cachemodel.versions import behind, hierarchy
from ..caches.cache import Hierarchy
from ..errors import ArgumentError, about, unknown
from ..jobs import message
from ..jobs.job import Job, Placement, check_tables
from ..jobs.secrecy import Secrecy
from ..platforms.chip import setting_named
from ..platforms.platform import Platform, at, counted
from ..units import count, plain
from .deadline import TimeLimit
from .multipliers import DEFAULT, chosen_of, competing

Objective = Literal["cycles", "flash", "ram"]
OBJECTIVES: tuple[Objective, ...] = ("cycles", "flash", "ram")
TimingLimit = Literal["proved", "independent", "any"]
"""`proved`: independent of the key, with a proof of the image; `independent`: runs or the code's
own claim will do."""
TIMING_LIMITS: tuple[TimingLimit, ...] = get_args(TimingLimit)
PacketSizes = tuple[tuple[int, float], ...]
"""Payload bytes of messages, and how often each size comes relative to the others."""
Flags = tuple[str, ...] | None
"""Optimisation flags; None: those of the platform file."""
SEARCHED_FLAGS: tuple[tuple[str, ...], ...] = (
    ("-Os",),
    ("-O2",),
    ("-O3",),
    ("-O2", "-funroll-loops"),
    ("-O3", "-funroll-loops"),
)
"""Sets of flags tried by `--flags search`."""
BLOCK = "block"
"""In place of a mode: the block cipher alone, called with one block at a time, so that the other
lanes of a core idle.  Modes fill the lanes if they can; chained modes cannot."""
BLOCK_ALONE = "ecb"
"""The mode that measures BLOCK in a firmware that only encrypts."""
MODES = (BLOCK, *catalog.MODES)
BLOCK_BYTES = 16
KEY_BITS = (128, 192, 256)
DEFAULT_BYTES = 1504
LONGEST = 65536
"""Calls of the longest burst."""


@dataclass(frozen=True)
class Limits:
    """Limits that a core must keep; None: any value."""

    flash: int | None = None
    """Bytes of code, constants and tables."""
    ram: int | None = None
    """Bytes of expanded keys and stack."""
    timing: TimingLimit | None = None
    """None: the strongest kind of timing first, and nothing is dropped for its timing."""


def allows(limit: TimingLimit | None, found: Secrecy) -> bool:
    """Whether a limit allows a timing and its evidence."""
    if limit == "proved":
        return found.kind == "proved"
    return limit != "independent" or found.timing == "independent"


@dataclass(frozen=True)
class Bursts:
    """How often other programs use the processor's caches."""

    calls: int
    """Blocks of payload, 16 bytes each, between two such uses."""
    evicted: float = 1.0
    """Fraction, 0 to 1, of the cache lines that they evict."""

    @property
    def told(self) -> str:
        """A phrase for sentences."""
        calls = f"bursts of {count(self.calls)} call{'s' if self.calls != 1 else ''}"
        share = f"{100 * self.evicted:.6g}%"
        return f"{calls} of 16 bytes, {share} of the caches evicted between them"


@dataclass(frozen=True)
class GivenCache:
    """A data cache that replaces the platform's own; None: as in the platform file."""

    size: int | None = None
    """Bytes."""
    line: int | None = None
    """Bytes."""
    ways: int | None = None
    penalty: float | None = None
    """Cycles of a miss."""

    @property
    def given(self) -> bool:
        """Whether any field is set."""
        return self != GivenCache()

    def on(self, platform: Platform) -> Hierarchy:
        """The platform's caches with these values; ValueError for missing or invalid ones."""
        return hierarchy(
            platform, size=self.size, line=self.line, ways=self.ways, penalty=self.penalty
        )


@dataclass(frozen=True)
class Request:
    """The question; `request_of` fills in the defaults and checks it."""

    platform: Platform
    mode: str = "ccm"
    """One of MODES."""
    bytes: int = DEFAULT_BYTES
    """Payload of one message."""
    key_bits: int = 128
    limits: Limits = field(default_factory=Limits)
    encrypt_only: bool = False
    """The firmware encrypts and never decrypts."""
    messages_per_key: int | None = None
    """Messages between key set-ups, which are charged to them; None: not charged."""
    objective: Objective = "cycles"
    rate: float | None = None
    """Payload bits per second to keep up with."""
    placement: Placement = field(default_factory=Placement)
    ghash: str | None = None
    """Multiplier of GCM; None: compare all that compete there."""
    bursts: Bursts | None = None
    """Bursts; None: cache misses are those measured, if any."""
    geometry: GivenCache = field(default_factory=GivenCache)
    """The data cache in bursts."""
    packets: PacketSizes = ()
    """Of a mix of messages: their sizes; `bytes` is then the longest."""
    deadline: TimeLimit | None = None
    """The time that one message may take."""

    @property
    def hashes(self) -> bool:
        """Whether the mode multiplies by a GHASH multiplier."""
        return self.mode != BLOCK and catalog.MODES[self.mode].hashes

    @property
    def ghashes(self) -> tuple[str, ...]:
        """Multipliers to measure; in bursts only the default, as the model covers no other."""
        if not self.hashes or self.bursts is not None:
            return (DEFAULT,)
        return competing(self.platform) if self.ghash is None else (self.ghash,)

    @property
    def clock(self) -> float | None:
        """Cycles per second; None if the clock of a processor is not given."""
        return self.platform.clock.value * 1e6 if self.platform.clock else None

    @property
    def only_encrypts(self) -> bool:
        """Whether the firmware only encrypts: as asked, or because the mode never decrypts."""
        return self.encrypt_only or self.mode == BLOCK or not catalog.MODES[self.mode].verifies

    @property
    def ops(self) -> tuple[str, ...]:
        """Operations measured for each core; the image of the last holds all the firmware needs."""
        if self.mode == BLOCK:
            return ("encrypt-block",)
        return ("key-setup", "encrypt", "message" if self.only_encrypts else "both")

    @property
    def payload(self) -> float:
        """Bytes of a message, on average where they differ."""
        return mean_of(self.packets, float) if self.packets else self.bytes

    @property
    def blocks(self) -> float:
        """Calls that one message takes, on average: blocks of payload, the last maybe not full."""
        return mean_of(self.packets, calls_of) if self.packets else calls_of(self.bytes)

    @property
    def parts(self) -> "tuple[Request, ...]":
        """Questions about one size each; of a mix several."""
        if not self.packets:
            return (self,)
        return tuple(replace(self, bytes=size, packets=()) for size, _ in self.packets)

    @property
    def counted_on(self) -> Platform:
        """The platform to measure on: bursts need an emulator, for addresses and misses."""
        return self.platform if self.bursts is None else counted(self.platform)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The caches in bursts; ValueError if they are not known."""
        return self.geometry.on(self.counted_on)

    @property
    def sizes(self) -> tuple[str, str]:
        """Meaning of its flash and RAM figures; published coefficients come without code."""
        return ("tables", "round keys") if self.platform.rig == "published" else ("flash", "RAM")


def mean_of(packets: PacketSizes, value: Callable[[int], float]) -> float:
    """The mean of a value over the sizes of packets."""
    whole = sum(share for _, share in packets)
    return sum(share * value(size) for size, share in packets) / whole


def mix_told(packets: PacketSizes) -> str:
    """In words."""
    *first, last = (f"{count(size)}" for size, _ in packets)
    sizes = f"{', '.join(first)} and {last}" if first else last
    shares = ":".join(plain(share) for _, share in packets)
    return f"packets of {sizes} bytes" + (f" in the shares {shares}" if first else "")


def calls_of(size: int) -> int:
    """Calls that a message of so many bytes takes."""
    return ceil(size / BLOCK_BYTES)


def default_mode(platform: Platform) -> str:
    """The default mode of a platform."""
    return BLOCK if platform.rig == "published" else "ccm"


def default_bytes(mode: str) -> int:
    """The default payload of a message."""
    return BLOCK_BYTES if mode == BLOCK else DEFAULT_BYTES


def mode_of(platform: Platform, name: str | None) -> str:
    """The mode of that name, or the platform's default; ValueError names the nearest."""
    if name is None:
        return default_mode(platform)
    if name not in MODES:
        raise unknown("mode", name, MODES)
    return name


def models_misses(platform: Platform) -> bool:
    """Whether the cache model supports it; this computer is timed with its own caches instead."""
    return platform.data_cache and platform.rig != "host"


def with_cache(platform: Platform, geometry: GivenCache) -> Platform:
    """The platform with that cache in place of its own; ValueError if it simulates no cache."""
    if not geometry.given:
        return platform
    if not (platform.rig == "emulator" and platform.caches and platform.miss_penalty is not None):
        raise ArgumentError(
            "on {} no caches are simulated; leave {cache_bytes}, {ways}, {line_bytes} and "
            "{miss_penalty} out, or take arm9-cached",
            platform.name,
        )
    return behind(platform, geometry.on(platform))


def request_of(
    platform: Platform,
    *,
    mode: str | None = None,
    bytes: int | None = None,  # noqa: A002 - the name used everywhere in aesfit
    clock_hz: float | None = None,
    **parts: Any,  # noqa: ANN401 - values of any field
) -> Request:
    """The question with its defaults; ValueError in one sentence for what cannot be answered.

    `parts`: fields of Request as they were asked for.
    """
    mode = mode_of(platform, mode)
    platform = at_clock(platform, clock_hz, None)
    asked = Request(platform, mode=mode, **parts)
    alone = mode == BLOCK and asked.encrypt_only and asked.bursts is None
    request = replace(
        asked,
        platform=platform if asked.bursts else with_cache(platform, asked.geometry),
        mode=BLOCK_ALONE if alone else mode,
        bytes=_length(mode, bytes, asked.packets),
        ghash=chosen_of(platform, asked.ghash),
        geometry=asked.geometry if asked.bursts else GivenCache(),
    )
    check(request)
    with about("tables"):
        check_tables(platform, request.placement)
    return request


def _length(mode: str, size: int | None, packets: PacketSizes) -> int:
    """Payload of a message, of packets the longest; ValueError for what a mix cannot be part of."""
    if not packets:
        return default_bytes(mode) if size is None else size
    if size is not None:
        raise ValueError("packets have their own sizes; leave the number of bytes out")
    if mode == BLOCK:
        raise ValueError(f"packets need a mode of operation, not {BLOCK}; name one, such as ccm")
    sizes = [one for one, _ in packets]
    if len(set(sizes)) < len(sizes):
        raise ValueError("a size of packets is given twice; give it once, with all of its share")
    return max(sizes)


def at_clock(platform: Platform, clock_hz: float | None, buffers: str | None) -> Platform:
    """The platform at a clock, with the given setting of its flash buffers; None: unchanged."""
    return at(platform, clock_hz / 1e6 if clock_hz else None, setting_named(buffers))


def jobs(request: Request, cores: Iterable[str], flags: Sequence[Flags] = (None,)) -> list[Job]:
    """The jobs to measure: the operations of each core in each variant."""
    block = request.mode == BLOCK
    return [
        Job(
            platform=request.counted_on,
            core=core,
            key_bits=request.key_bits,
            op=op,
            mode=None if block else request.mode,
            bytes=None if block else request.bytes,
            flags=variant,
            ghash=ghash,
            placement=request.placement,
        )
        for core in cores
        for ghash in request.ghashes
        for variant in flags
        for op in request.ops
    ]


def check(request: Request) -> None:
    """Raise ValueError, in one sentence, for a question that cannot be answered."""
    if request.mode == BLOCK:
        _check_block(request)
    elif request.platform.rig == "published":
        raise ValueError(
            f"for {request.platform.name} coefficients of the block cipher alone are published; "
            f"take the mode {BLOCK}, not {request.mode}"
        )
    else:
        for part in request.parts:
            for job in jobs(part, ["any"]):
                message.check(job)
    if request.key_bits not in KEY_BITS:
        raise ValueError(f"keys have 128, 192 or 256 bits, not {request.key_bits}")
    if request.platform.rig == "published" and request.key_bits != 128:
        raise ValueError(
            f"what is published for {request.platform.name} is for keys of 128 bits alone"
        )
    if request.bursts is not None:
        _check_bursts(request, request.bursts)


def _check_block(request: Request) -> None:
    if request.bursts is None:
        raise ArgumentError(
            "the mode {} is priced in bursts, on a platform with a data cache; give "
            "{calls_per_burst}, or {encrypt_only} for a firmware that encrypts blocks, or name a "
            "mode of operation",
            BLOCK,
        )
    if request.bytes != BLOCK_BYTES:
        raise ValueError(
            f"a call of the block cipher takes {BLOCK_BYTES} bytes, not {request.bytes}; leave the "
            "number of bytes out, or name a mode of operation"
        )
    if request.messages_per_key is not None:
        raise ValueError(
            f"a burst of the mode {BLOCK} begins with its own key set-up; leave the key changes "
            "out, or name a mode of operation"
        )


def _check_bursts(request: Request, bursts: Bursts) -> None:
    platform = request.platform
    if not models_misses(platform):
        raise ArgumentError(
            "{} has no data cache that is simulated here, so no misses are expected; leave "
            "{calls_per_burst}, {evicted} and {explain} out",
            platform.name,
        )
    if not 1 <= bursts.calls <= LONGEST:
        raise ValueError(f"a burst has 1 to {LONGEST} calls of 16 bytes, not {bursts.calls}")
    if not 0.0 <= bursts.evicted <= 1.0:
        raise ValueError(f"a fraction of {bursts.evicted} evicted is not between 0 and 1")
    if request.placement != Placement():
        raise ArgumentError(
            "the cache model supports only the platform's own placement; leave {tables} and "
            "{flash_wait} out"
        )
    if request.hashes and request.ghash not in (None, DEFAULT):
        raise ArgumentError(
            "misses of gcm are expected with the GHASH {}; leave {ghash} out", DEFAULT
        )
    _ = request.hierarchy  # for its ValueError
