# SPDX-License-Identifier: MIT
"""The question of the chooser: what it consists of, its defaults, and what is refused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import Literal

from ..cachemodel.versions import behind, hierarchy
from ..caches.cache import Hierarchy
from ..errors import unknown
from ..jobs import message
from ..jobs.job import ConstantTime, Job, Placement, check_tables
from ..platforms.chip import setting_named
from ..platforms.platform import Platform, at, counted
from ..units import count
from .multipliers import DEFAULT, chosen_of, competing

Objective = Literal["cycles", "flash", "ram"]
OBJECTIVES: tuple[Objective, ...] = ("cycles", "flash", "ram")
Flags = tuple[str, ...] | None
"""Optimisation flags; None: those of the platform file."""
SEARCHED_FLAGS: tuple[tuple[str, ...], ...] = (
    ("-Os",),
    ("-O2",),
    ("-O3",),
    ("-O2", "-funroll-loops"),
    ("-O3", "-funroll-loops"),
)
"""What `--flags search` tries."""
BLOCK = "block"
"""In the place of a mode: the block cipher alone, called for one block at a time, so that the other
lanes of a core idle.  The modes fill the lanes where they can; chained modes cannot."""
BLOCK_ALONE = "ecb"
"""BLOCK in a firmware that only encrypts: the mode whose encrypting call is the block cipher."""
MODES = (BLOCK, *message.MODES)
BLOCK_BYTES = 16
KEY_BITS = (128, 192, 256)
DEFAULT_BYTES = 1504
LONGEST = 65536
"""Calls of the longest burst."""


@dataclass(frozen=True)
class Limits:
    """What a core must keep to; None: anything."""

    flash: int | None = None
    """Bytes of code, constants and tables."""
    ram: int | None = None
    """Bytes of expanded keys and stack."""
    constant_time: ConstantTime | None = None
    """The weakest value allowed; None: any."""


@dataclass(frozen=True)
class Bursts:
    """How often other programs use the caches, on a processor that has some."""

    calls: int
    """Blocks of payload, 16 bytes each, between two such times."""
    evicted: float = 1.0
    """Fraction, 0 to 1, of the cache lines that they evict."""

    @property
    def told(self) -> str:
        """In words."""
        calls = f"bursts of {count(self.calls)} call{'s' if self.calls != 1 else ''}"
        share = f"{100 * self.evicted:.6g}%"
        return f"{calls} of 16 bytes, {share} of the caches evicted between them"


@dataclass(frozen=True)
class GivenCache:
    """A data cache to put in the place of the platform's own; None: as the platform file says."""

    size: int | None = None
    """Bytes."""
    line: int | None = None
    """Bytes."""
    ways: int | None = None
    penalty: float | None = None
    """Cycles of a miss."""

    @property
    def given(self) -> bool:
        """Whether anything is."""
        return self != GivenCache()

    def on(self, platform: Platform) -> Hierarchy:
        """The platform's caches with these; ValueError for what is missing or makes no sense."""
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
    """Multiplier of GCM; None: every one that competes there."""
    bursts: Bursts | None = None
    """None: cache misses are those that were measured, if any."""
    geometry: GivenCache = field(default_factory=GivenCache)
    """The data cache that bursts meet."""

    @property
    def ghashes(self) -> tuple[str, ...]:
        """Multipliers to measure; misses in bursts are expected with the default alone."""
        if self.mode != "gcm" or self.bursts is not None:
            return (DEFAULT,)
        return competing(self.platform) if self.ghash is None else (self.ghash,)

    @property
    def clock(self) -> float | None:
        """Cycles per second; None where nobody named the clock of a processor."""
        return self.platform.clock.value * 1e6 if self.platform.clock else None

    @property
    def only_encrypts(self) -> bool:
        """Asked for, or as the mode has no decrypting call."""
        return self.encrypt_only or self.mode == BLOCK or not message.MODES[self.mode].verifies

    @property
    def ops(self) -> tuple[str, ...]:
        """Measured for each core; the image of the last carries all that the firmware needs."""
        if self.mode == BLOCK:
            return ("encrypt-block",)
        return ("key-setup", "encrypt", "message" if self.only_encrypts else "both")

    @property
    def blocks(self) -> int:
        """Calls that one message takes: blocks of payload, the last maybe not full."""
        return calls_of(self.bytes)

    @property
    def counted_on(self) -> Platform:
        """Where it is measured: bursts need an emulator, for addresses and misses."""
        return self.platform if self.bursts is None else counted(self.platform)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The caches that bursts meet; ValueError where they are not known."""
        return self.geometry.on(self.counted_on)

    @property
    def sizes(self) -> tuple[str, str]:
        """What its figures of flash and RAM are; published coefficients come without code."""
        return ("tables", "round keys") if self.platform.rig == "published" else ("flash", "RAM")


def calls_of(size: int) -> int:
    """Calls that a message of so many bytes takes."""
    return ceil(size / BLOCK_BYTES)


def default_mode(platform: Platform) -> str:
    """What is asked where no mode is named."""
    return BLOCK if platform.rig == "published" else "ccm"


def default_bytes(mode: str) -> int:
    """Payload of a message where no number is given."""
    return BLOCK_BYTES if mode == BLOCK else DEFAULT_BYTES


def mode_of(platform: Platform, name: str | None) -> str:
    """The mode of that name, or the platform's default; ValueError names the nearest."""
    if name is None:
        return default_mode(platform)
    if name not in MODES:
        raise unknown("mode", name, MODES)
    return name


def models_misses(platform: Platform) -> bool:
    """Whether the cache model answers for it; this computer, whose caches are its own, is timed."""
    return platform.data_cache and platform.rig != "host"


def with_cache(platform: Platform, geometry: GivenCache) -> Platform:
    """The platform with that cache simulated in the place of its own; ValueError where none is."""
    if not geometry.given:
        return platform
    if not (platform.rig == "emulator" and platform.caches and platform.miss_penalty is not None):
        raise ValueError(
            f"on {platform.name} no caches are simulated; leave --cache, --ways, --line and "
            "--miss-penalty out, or take arm9-cached"
        )
    return behind(platform, geometry.on(platform))


def request_of(
    platform: Platform,
    *,
    mode: str | None = None,
    bytes: int | None = None,  # noqa: A002 - as everywhere in aesfit
    key_bits: int = 128,
    limits: Limits | None = None,
    encrypt_only: bool = False,
    messages_per_key: int | None = None,
    objective: Objective = "cycles",
    clock_hz: float | None = None,
    rate: float | None = None,
    placement: Placement | None = None,
    buffers: str | None = None,
    ghash: str | None = None,
    bursts: Bursts | None = None,
    geometry: GivenCache | None = None,
) -> Request:
    """The question with its defaults; ValueError in one sentence for what cannot be answered."""
    cache = geometry or GivenCache()
    mode = mode_of(platform, mode)
    platform = at_clock(platform, clock_hz, buffers)
    request = Request(
        platform=platform if bursts else with_cache(platform, cache),
        mode=BLOCK_ALONE if mode == BLOCK and encrypt_only and bursts is None else mode,
        bytes=default_bytes(mode) if bytes is None else bytes,
        key_bits=key_bits,
        limits=limits or Limits(),
        encrypt_only=encrypt_only,
        messages_per_key=messages_per_key,
        objective=objective,
        rate=rate,
        placement=placement or Placement(),
        ghash=chosen_of(platform, ghash),
        bursts=bursts,
        geometry=cache if bursts else GivenCache(),
    )
    check(request)
    check_tables(platform, request.placement)
    return request


def at_clock(platform: Platform, clock_hz: float | None, buffers: str | None) -> Platform:
    """The platform at a clock, with its flash buffers set like that; None: as it is."""
    return at(platform, clock_hz / 1e6 if clock_hz else None, setting_named(buffers))


def jobs(request: Request, cores: Iterable[str], flags: Sequence[Flags] = (None,)) -> list[Job]:
    """What has to be measured: the operations of each core in each variant."""
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
    """ValueError in one sentence for a question that makes no sense or cannot be answered."""
    if request.mode == BLOCK:
        _check_block(request)
    elif request.platform.rig == "published":
        raise ValueError(
            f"for {request.platform.name} coefficients of the block cipher alone are published; "
            f"take the mode {BLOCK}, not {request.mode}"
        )
    else:
        for job in jobs(request, ["any"]):
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
        raise ValueError(
            f"the mode {BLOCK} is priced in bursts, on a platform with a data cache; give "
            "--calls-per-burst, or --encrypt-only for a firmware that encrypts blocks, or name a "
            "mode of operation"
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
        raise ValueError(
            f"{platform.name} has no data cache that is simulated here, so no misses are expected; "
            "leave --calls-per-burst, --evicted and --explain out"
        )
    if not 1 <= bursts.calls <= LONGEST:
        raise ValueError(f"a burst has 1 to {LONGEST} calls of 16 bytes, not {bursts.calls}")
    if not 0.0 <= bursts.evicted <= 1.0:
        raise ValueError(f"a fraction of {bursts.evicted} evicted is not between 0 and 1")
    if request.placement != Placement():
        raise ValueError(
            "misses are expected where the platform file puts tables and code; leave --tables and "
            "--flash-wait out"
        )
    if request.mode == "gcm" and request.ghash not in (None, DEFAULT):
        raise ValueError(f"misses of gcm are expected with the GHASH {DEFAULT}; leave --ghash out")
    _ = request.hierarchy  # which says what is missing or makes no sense
