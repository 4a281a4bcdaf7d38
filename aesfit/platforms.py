# SPDX-License-Identifier: MIT
"""Platforms: one TOML file each, read strictly.

Every quantity is a table of `value`, `unit` and `source`; what is wrong is refused with file, line
and what is allowed there.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from .errors import unknown
from .model.question import Replacement
from .platform_file import PlatformError as PlatformError
from .platform_file import Quantity as Quantity
from .platform_file import Table, read_table

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
CacheKind = Literal["instruction", "data", "unified"]

RIGS = ("emulator", "vliw", "host", "fake", "published")
_EMULATORS = ("emulator", "vliw")
CONTENTS = ("code", "tables", "data", "stack")
_WITHOUT_TIMING = {"arm926ej-s": "ARM9EJ-S", "arm946e-s": "ARM9E-S"}
"""Platforms that one might look for, and their cores, of which no timing model exists."""
_BYTES = {"KiB": 1024, "B": 1}
_ADDRESSES = 1 << 32
_KEYS = (
    *("name", "title", "isa", "rig", "timing", "compiler", "clock"),
    *("memory", "cache", "energy", "constant_time", "published"),
    *("miss_penalty", "coefficient"),
)


@dataclass(frozen=True)
class Compiler:
    """What compiles for the platform."""

    command: str
    """"arm-none-eabi-gcc"."""
    package: str
    """Debian package that brings it."""
    target: tuple[str, ...]
    """Flags that name the processor: ("-mcpu=cortex-m3", "-mthumb")."""
    optimise: tuple[str, ...]
    """Flags chosen by measuring: ("-O2",)."""
    source: str
    """Why these."""


@dataclass(frozen=True)
class Memory:
    """A memory region."""

    name: str
    """"flash" or "ram"."""
    start: int
    size: int
    """Bytes."""
    wait_states: Quantity
    holds: tuple[str, ...]
    """Of "code", "tables", "data", "stack"."""


@dataclass(frozen=True)
class Cache:
    """A cache of instructions or data."""

    kind: CacheKind
    size: Quantity
    ways: int
    line: Quantity
    source: str
    replacement: Replacement = "lru"
    write_allocate: bool = True
    """A store that misses fills its line; else it goes past the cache for nothing."""


@dataclass(frozen=True)
class Published:
    """A published result to compare with."""

    core: str
    """The core of this library that comes nearest."""
    op: str
    cycles: float
    """Of one operation: a block operation is one call over as many blocks as the core has lanes."""
    key_bits: int
    source: str


@dataclass(frozen=True)
class MissPenalty:
    """Cycles that a miss in the data cache costs: base + per_byte * bytes of a line."""

    base: Quantity
    per_byte: Quantity


@dataclass(frozen=True)
class Coefficient:
    """What the cache model needs of a core, where it was published and nothing can be run."""

    core: str
    """The core of this library that reads the same tables as often."""
    cycles_per_call: Quantity
    """E: of one call when nothing misses."""
    overhead: Quantity
    """c: once a burst."""


@dataclass(frozen=True)
class Platform:
    """One processor with its memories, compiler, rig and timing model."""

    name: str
    title: str
    isa: Isa
    rig: str
    """One of RIGS."""
    timing: str | None
    """Module of aesfit/rigs/timing; None where the rig measures time itself."""
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
    miss_penalty: MissPenalty | None = None
    """None where it is not known; the command line gives it then."""
    coefficients: tuple[Coefficient, ...] = ()
    """Published ones; elsewhere they are measured."""

    @property
    def emulated(self) -> bool:
        """Its own code is executed here, exactly: figures repeat."""
        return self.rig in _EMULATORS

    def memory(self, name: str) -> Memory:
        """The region of that name."""
        return next(memory for memory in self.memories if memory.name == name)


def _compiler(root: Table, rig: str) -> Compiler:
    if rig == "published":
        if root.has("compiler"):
            root.wrong("the rig 'published' runs nothing; [compiler] is not allowed", "compiler")
        return Compiler("", "", (), (), "nothing is compiled")
    table = root.table("compiler")
    table.only(("command", "package", "target", "optimise", "source"))
    return Compiler(
        command=table.text("command"),
        package=table.text("package"),
        target=table.texts("target"),
        optimise=table.texts("optimise"),
        source=table.text("source"),
    )


def _whole_bytes(table: Table, key: str) -> int:
    size = table.quantity(key, tuple(_BYTES), positive=True)
    count = size.value * _BYTES[size.unit]
    if count != int(count):
        table.wrong(f"'{key}' in {table.title} is {count} bytes; it must be whole bytes", key)
    return int(count)


def _memory(table: Table) -> Memory:
    table.only(("name", "start", "size", "wait_states", "holds"))
    start = table.quantity("start", ("address",))
    region = Memory(
        name=table.choice("name", ("flash", "ram")),
        start=int(start.value),
        size=_whole_bytes(table, "size"),
        wait_states=table.quantity("wait_states", ("cycles",)),
        holds=table.texts("holds", CONTENTS),
    )
    if start.value != region.start or region.start + region.size > _ADDRESSES:
        table.wrong(f"{region.name} must lie at whole addresses below {_ADDRESSES:#x}", "start")
    return region


def _memories(root: Table, *, needed: bool) -> tuple[Memory, ...]:
    """Regions in the order of the file: no two alike, none over another, all contents once."""
    tables = root.tables("memory")
    found: list[Memory] = []
    for table in tables:
        region = _memory(table)
        for other in found:
            if region.name == other.name:
                table.wrong(f"there are two regions named '{region.name}'; one is allowed", "name")
            if region.start < other.start + other.size and other.start < region.start + region.size:
                table.wrong(
                    f"{region.name} from {region.start:#x} overlaps {other.name}, which ends "
                    f"before {other.start + other.size:#x}",
                    "start",
                )
        found.append(region)
    held = sorted(content for region in found for content in region.holds)
    if needed and {region.name for region in found} != {"flash", "ram"}:
        root.wrong("this rig needs a [[memory]] named flash and one named ram", "memory")
    if found and held != sorted(CONTENTS):
        root.wrong(
            f"the regions hold {', '.join(held) or 'nothing'} in all; {', '.join(CONTENTS)} must "
            "be held once each",
            "memory",
        )
    return tuple(found)


def _cache(table: Table) -> Cache:
    table.only(("kind", "size", "ways", "line", "replacement", "write_allocate", "source"))
    return Cache(
        kind=cast(CacheKind, table.choice("kind", get_args(CacheKind))),
        size=table.quantity("size", tuple(_BYTES), positive=True),
        ways=table.whole("ways", least=1),
        line=table.quantity("line", ("B",), positive=True),
        source=table.text("source"),
        replacement=cast(Replacement, table.choice("replacement", get_args(Replacement), "lru")),
        write_allocate=table.flag("write_allocate", default=True),
    )


def _published(table: Table) -> Published:
    from .rigs.rig import BLOCK_OPS  # rig.py imports this module

    table.only(("core", "op", "key_bits", "cycles"))
    cycles = table.quantity("cycles", ("cycles",), positive=True)
    bits = table.whole("key_bits", among=(128, 192, 256))
    op = table.choice("op", BLOCK_OPS)
    return Published(table.text("core"), op, cycles.value, bits, cycles.source)


def _miss_penalty(root: Table) -> MissPenalty | None:
    if not root.has("miss_penalty"):
        return None
    table = root.table("miss_penalty")
    table.only(("base", "per_byte"))
    return MissPenalty(
        table.quantity("base", ("cycles",)), table.quantity("per_byte", ("cycles/B",))
    )


def _coefficient(table: Table) -> Coefficient:
    table.only(("core", "E", "c"))
    return Coefficient(
        table.text("core"),
        table.quantity("E", ("cycles",), positive=True),
        table.quantity("c", ("cycles",)),
    )


def _coefficients(root: Table, rig: str) -> tuple[Coefficient, ...]:
    """One for a core; a platform on which nothing runs has nothing else."""
    tables = root.tables("coefficient")
    found: list[Coefficient] = []
    for table in tables:
        one = _coefficient(table)
        if one.core in [other.core for other in found]:
            table.wrong(f"there are two coefficients of '{one.core}'; one is allowed", "core")
        found.append(one)
    if (rig == "published") != bool(found):
        root.wrong("[[coefficient]] is what the rig 'published' needs and no other has", "rig")
    return tuple(found)


def _energy(root: Table) -> Quantity | None:
    """A figure, or the reason why there is none; one of them must be given."""
    table = root.table("energy")
    table.only(("per_cycle", "none"))
    if table.has("none") == table.has("per_cycle"):
        table.wrong("[energy] needs either 'per_cycle', a quantity in pJ, or 'none', the reason")
    if table.has("none"):
        table.text("none")
        return None
    return table.quantity("per_cycle", ("pJ",), positive=True)


def _timing(root: Table, rig: str) -> str | None:
    """The timing model, where the rig needs one."""
    if rig in ("host", "published", "vliw"):
        if root.has("timing"):
            what = {"host": "measures time itself", "vliw": "counts packets"}.get(
                rig, "runs nothing"
            )
            root.wrong(f"the rig '{rig}' {what}; 'timing' is not allowed", "timing")
        return None
    if rig == "fake" and not root.has("timing"):
        return None
    from .rigs import timing_models  # rigs imports this module

    return root.choice("timing", timing_models())


def _platform(root: Table, sha256: str) -> Platform:
    root.only(_KEYS)
    name, rig = root.text("name"), root.choice("rig", RIGS)
    if name != root.path.stem:
        root.wrong(f"'name' is '{name}'; it must be the file's: '{root.path.stem}'", "name")
    constant_time = root.table("constant_time")
    constant_time.only(("data_cache", "variable_multiply", "source"))
    has_clock = rig == "emulator" or root.has("clock")
    return Platform(
        name=name,
        title=root.text("title"),
        isa=cast(Isa, root.choice("isa", get_args(Isa))),
        rig=rig,
        timing=_timing(root, rig),
        compiler=_compiler(root, rig),
        clock=root.quantity("clock", ("MHz",), positive=True) if has_clock else None,
        memories=_memories(root, needed=rig in _EMULATORS),
        caches=tuple(_cache(table) for table in root.tables("cache")),
        energy=_energy(root),
        data_cache=constant_time.flag("data_cache"),
        variable_multiply=constant_time.flag("variable_multiply"),
        constant_time_source=constant_time.text("source"),
        published=tuple(_published(table) for table in root.tables("published")),
        sha256=sha256,
        path=root.path,
        miss_penalty=_miss_penalty(root),
        coefficients=_coefficients(root, rig),
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


def platform_folder() -> Path:
    """Where the TOML files are: beside the package in a checkout, inside it once installed."""
    package = Path(__file__).resolve().parent
    beside = package.parent / "platforms"
    in_checkout = (package.parent / "pyproject.toml").is_file() and beside.is_dir()
    return beside if in_checkout else package / "data" / "platforms"


def _files() -> Sequence[Path]:
    folder = platform_folder()
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise PlatformError(f"{folder} holds no platform files; install aesfit again")
    return files


def platforms() -> tuple[Platform, ...]:
    """Every platform, in the order people want to read them: emulated ones, then the host's."""
    return tuple(sorted(map(load, _files()), key=lambda one: (one.rig == "host", one.name)))


def platform_named(name: str) -> Platform:
    """The platform of that name or of that .toml path; ValueError names the nearest one."""
    if name.endswith(".toml"):
        return load(Path(name))
    files = {path.stem: path for path in _files()}
    if name in _WITHOUT_TIMING:
        raise ValueError(
            f"there are no timing rules for the {_WITHOUT_TIMING[name]} core of {name}, which are "
            "not the ARM9TDMI's; the nearest platform is arm920t"
        )
    if name not in files:
        raise unknown("platform", name, list(files))
    return load(files[name])
