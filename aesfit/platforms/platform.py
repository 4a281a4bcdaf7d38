# SPDX-License-Identifier: MIT
"""A platform: a processor with ideal memory, or a chip at a clock."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..caches.cache import Cache as Cache
from ..caches.cache import CacheKind as CacheKind
from ..caches.cache import Penalty as Penalty
from ..errors import ArgumentError, unknown
from . import parts
from .chip import Chip, Setting
from .memory import Memory as Memory
from .parts import Coefficient as Coefficient
from .parts import Compiler as Compiler
from .parts import Published as Published
from .parts import Stores as Stores
from .toml_file import Quantity as Quantity

Isa = Literal[
    "armv4t",
    "armv6-m",
    "armv7-m",
    "armv7e-m",
    "armv8-m.main",
    "rv32i",
    "rv32im",
    "rv32ec",
    "rv32imb",
    "hexagon",
    "i686",
    "x86-64",
    "st200",
]

Kind = Literal["processor", "chip"]
"""A processor alone, or one with its memories: a chip, or a soft core in its system."""

RIGS = ("emulator", "vliw", "rtl", "host", "fake", "published")
COUNTED = "-emulated"
"""Behind the name of a soft core that is counted by rules."""


@dataclass(frozen=True)
class Platform:
    """One processor with its memories, compiler, rig and timing model."""

    name: str
    title: str
    isa: Isa
    rig: str
    """One of RIGS."""
    timing: str | None
    """Module of aesfit/rigs/emulator/timing; None where the rig measures time itself."""
    compiler: Compiler
    clock: Quantity | None
    """In MHz; None where nobody said at which clock a processor runs."""
    memories: tuple[Memory, ...]
    caches: tuple[Cache, ...]
    energy: Quantity | None
    """Picojoules per cycle at the clock; None where no source is known."""
    data_cache: bool
    """There is a data cache, so that addresses can show in time."""
    variable_multiply: bool
    """A multiply instruction takes a time that depends on its operands."""
    constant_time_source: str
    published: tuple[Published, ...]
    sha256: str
    """Of the file, and of what else decides its cycles but the clock."""
    path: Path
    miss_penalty: Penalty | None = None
    """None where it is not known; the command line gives it then."""
    coefficients: tuple[Coefficient, ...] = ()
    """Published ones; elsewhere they are measured."""
    cpu: str | None = None
    """Verilog of the processor (names.processors), where the rig simulates that."""
    stores: parts.Stores | None = None
    """None where they cost nothing beyond the timing model's cycles."""
    rules: parts.Rules | None = None
    """Where the rig simulates Verilog, how to count without it: see `counted`."""
    chip: Chip | None = None
    """None for a processor, and for a soft core, whose memory waits as long at any clock."""
    setting: Setting = "usual"
    """Of buffers and caches in front of the chip's flash."""
    predictor: bool = False
    """It predicts the last conditional branch that jumped backward (tracer/predictor.c)."""
    kind: Kind = "processor"
    variable_multiply_low: bool = False
    """That holds of the instruction for the lower word of a product too."""

    @property
    def emulated(self) -> bool:
        """Its own code is executed here, exactly, and traced."""
        return self.rig in parts.EMULATORS

    @property
    def exact(self) -> bool:
        """Its own code is executed here, and figures repeat to the cycle."""
        return self.emulated or self.rig == "rtl"

    @property
    def ideal(self) -> bool:
        """A processor alone, without caches that miss: its memories answer at once."""
        misses = bool(self.caches) and self.miss_penalty is not None
        return self.emulated and self.kind == "processor" and not misses

    def memory(self, name: str) -> Memory:
        """The region of that name; ValueError names the nearest."""
        for memory in self.memories:
            if memory.name == name:
                return memory
        known = [memory.name for memory in self.memories]
        raise ValueError(f"on {self.name} {unknown('memory', name, known)}")

    def home(self, content: str) -> Memory:
        """The region that holds "code", "tables", "data" or "stack"."""
        for memory in self.memories:
            if content in memory.holds:
                return memory
        raise ValueError(f"no memory of platform {self.name} holds {content}")


def at(platform: Platform, mhz: float | None = None, setting: Setting | None = None) -> Platform:
    """The platform at a clock and with a setting of its flash; None: as it is.

    A processor alone takes any clock, and its memories stay ideal.  ValueError in one sentence for
    a clock that the chip does not reach.
    """
    if platform.chip is None:
        if setting is not None:
            raise ArgumentError(
                "{} has no flash whose buffers can be set; leave {buffers} out, or name a chip",
                platform.name,
            )
        if mhz is None:
            return platform
        asked = Quantity(mhz, "MHz", "as asked for")
        energy = platform.energy if platform.clock == asked else None
        return replace(platform, clock=asked, energy=energy)
    wanted = setting or platform.setting
    clock = platform.clock if mhz is None else Quantity(mhz, "MHz", "as asked for")
    assert clock is not None  # noqa: S101 - a chip's file gives its highest clock
    try:
        memories, energy = platform.chip.at(platform.memories, clock.value, wanted)
    except ValueError as error:
        raise ValueError(f"{platform.title}: {error}") from None
    digest = platform.sha256
    if wanted != platform.setting:
        digest = hashlib.sha256(f"{digest} {wanted}".encode()).hexdigest()
    return replace(
        platform, clock=clock, memories=memories, energy=energy, setting=wanted, sha256=digest
    )


def counted(platform: Platform, wait_states: float | None = None) -> Platform:
    """The processor as the emulator counts it: by timing rules, its caches simulated.

    Where its file names no rules beside its Verilog, the platform itself.  `wait_states` of its
    memory, else the file's, are part of what a miss costs then.
    """
    if platform.rules is None:
        return platform
    wait = platform.memories[0].wait_states.value if wait_states is None else wait_states
    behind = Quantity(0, "cycles", "in the miss penalty")
    cost, stores = platform.rules.miss_penalty, platform.rules.stores
    if cost is not None:
        cost = replace(cost, base=cost.base + wait)
    if stores is not None:
        stores = replace(stores, cycles=replace(stores.cycles, value=stores.cycles.value + wait))
    return replace(
        platform,
        name=platform.name + COUNTED,
        title=f"{platform.title}, counted by rules",
        rig="emulator",
        timing=platform.rules.timing,
        memories=tuple(replace(one, wait_states=behind) for one in platform.memories),
        miss_penalty=cost,
        stores=stores,
        cpu=None,
        rules=None,
        sha256=hashlib.sha256(f"{platform.sha256} counted {wait}".encode()).hexdigest(),
    )
