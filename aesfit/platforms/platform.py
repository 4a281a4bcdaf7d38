# SPDX-License-Identifier: MIT
"""Platforms: one TOML file each, read strictly.

Every quantity is a table of `value`, `unit` and `source`; what is wrong is refused with file, line
and what is allowed there.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from ..caches.cache import Cache as Cache
from ..caches.cache import CacheKind as CacheKind
from ..caches.cache import Penalty as Penalty
from ..errors import unknown
from . import parts
from .parts import CONTENTS as CONTENTS
from .parts import Coefficient as Coefficient
from .parts import Compiler as Compiler
from .parts import Memory as Memory
from .parts import Published as Published
from .parts import Stores as Stores
from .places import project_folder
from .toml_file import PlatformError as PlatformError
from .toml_file import Quantity as Quantity
from .toml_file import TomlTable, read_table

Isa = Literal[
    "armv4t",
    "armv6-m",
    "armv7-m",
    "armv7e-m",
    "rv32i",
    "rv32im",
    "hexagon",
    "i686",
    "x86-64",
    "st200",
]

RIGS = ("emulator", "vliw", "rtl", "host", "fake", "published")
_WITHOUT_TIMING = {"arm926ej-s": "ARM9EJ-S", "arm946e-s": "ARM9E-S"}
"""Platforms that one might look for, and their cores, of which no timing model exists."""
_KEYS = (
    *("name", "title", "isa", "rig", "timing", "cpu", "compiler", "clock"),
    *("memory", "cache", "energy", "constant_time", "published"),
    *("miss_penalty", "stores", "coefficient"),
)


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
    """In MHz; None on a host, which has its own."""
    memories: tuple[Memory, ...]
    caches: tuple[Cache, ...]
    energy: Quantity | None
    """Picojoules per cycle; None where no source is known."""
    data_cache: bool
    """Addresses can show in time: there is a cache, or memory that is not uniform."""
    variable_multiply: bool
    """A multiply instruction takes a time that depends on its operands."""
    constant_time_source: str
    published: tuple[Published, ...]
    sha256: str
    """Of the file."""
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

    @property
    def emulated(self) -> bool:
        """Its own code is executed here, exactly, and traced."""
        return self.rig in parts.EMULATORS

    @property
    def exact(self) -> bool:
        """Its own code is executed here, and figures repeat to the cycle."""
        return self.emulated or self.rig == "rtl"

    def memory(self, name: str) -> Memory:
        """The region of that name."""
        return next(memory for memory in self.memories if memory.name == name)


def _platform(root: TomlTable, sha256: str) -> Platform:
    root.only(_KEYS)
    name, rig = root.text("name"), root.choice("rig", RIGS)
    if name != root.path.stem:
        root.wrong(f"'name' is '{name}'; it must be the file's: '{root.path.stem}'", "name")
    constant_time = root.table("constant_time")
    constant_time.only(("data_cache", "variable_multiply", "source"))
    has_clock = rig in ("emulator", "rtl") or root.has("clock")
    return Platform(
        name=name,
        title=root.text("title"),
        isa=cast(Isa, root.choice("isa", get_args(Isa))),
        rig=rig,
        timing=parts.read_timing(root, rig),
        compiler=parts.read_compiler(root, rig),
        clock=root.quantity("clock", ("MHz",), positive=True) if has_clock else None,
        memories=parts.read_memories(root, rig),
        caches=tuple(parts.read_cache(table) for table in root.tables("cache")),
        energy=parts.read_energy(root),
        data_cache=constant_time.flag("data_cache"),
        variable_multiply=constant_time.flag("variable_multiply"),
        constant_time_source=constant_time.text("source"),
        published=tuple(parts.read_published(table) for table in root.tables("published")),
        sha256=sha256,
        path=root.path,
        miss_penalty=parts.read_miss_penalty(root) if rig != "rtl" else None,
        coefficients=parts.read_coefficients(root, rig),
        cpu=parts.read_cpu(root, rig),
        rules=parts.read_rules(root, rig),
    )


_COUNTED = "-emulated"


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
        name=platform.name + _COUNTED,
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


@lru_cache
def _load(path: Path, _state: tuple[int, ...]) -> Platform:
    raw = path.read_bytes()
    return _platform(read_table(path, raw), hashlib.sha256(raw).hexdigest())


def load(path: Path) -> Platform:
    """Read one file, again only after it changed; PlatformError tells what is wrong."""
    try:
        state = path.stat()
        return _load(path, (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size))
    except OSError as error:
        raise PlatformError(f"{path}: cannot be read: {error.strerror}") from None


def _files() -> Sequence[Path]:
    folder = project_folder("platforms")
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise PlatformError(f"{folder} holds no platform files; install aesfit again")
    return files


def platforms() -> tuple[Platform, ...]:
    """Every platform, in the order people want to read them: emulated ones, then the host's.

    Those of `twins` are left out, as they are no other processors.
    """
    return tuple(sorted(map(load, _files()), key=lambda one: (one.rig == "host", one.name)))


def twins() -> tuple[Platform, ...]:
    """Platforms of `platforms` as the emulator counts them, where that is another way."""
    return tuple(counted(one) for one in platforms() if one.rules)


def platform_named(name: str) -> Platform:
    """The platform of that name or of that .toml path; ValueError names the nearest one."""
    if name.endswith(".toml"):
        return load(Path(name))
    files = {path.stem: path for path in _files()}
    if name.endswith(_COUNTED) and (simulated := name.removesuffix(_COUNTED)) in files:
        found = counted(load(files[simulated]))
        if found.name == name:
            return found
    if name in _WITHOUT_TIMING:
        raise ValueError(
            f"there are no timing rules for the {_WITHOUT_TIMING[name]} core of {name}, which are "
            "not the ARM9TDMI's; the nearest platform is arm920t"
        )
    if name not in files:
        raise unknown("platform", name, list(files))
    return load(files[name])
