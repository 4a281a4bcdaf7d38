# SPDX-License-Identifier: MIT
"""The parts of a platform file: what they are, and how each is read.

What is wrong is refused with file, line and what is allowed there.
"""

from dataclasses import dataclass
from typing import cast, get_args

from ..caches.cache import Cache, CacheKind, Penalty, Replacement
from .memory import whole_bytes
from .names import BLOCK_OPS, simulated, timing_models
from .toml_file import Quantity, TomlTable
from .trust import PACKAGES, command_refusal, flag_refusal

EMULATORS = ("emulator", "vliw")


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
class Stores:
    """Stores that go to the memory one by one, past a cache that is written through."""

    cycles: Quantity
    """That one takes of the memory."""
    in_flight: Quantity
    """Given away before the processor waits."""


@dataclass(frozen=True)
class Rules:
    """How a processor is counted without its Verilog."""

    timing: str
    """Module of aesfit/rigs/emulator/timing."""
    miss_penalty: Penalty | None
    """With a memory of no wait states, which add to `base`; None without caches."""
    stores: Stores | None
    """The same: they add to `cycles`."""


@dataclass(frozen=True)
class Coefficient:
    """What the cache model needs of a core, where it was published and nothing can be run."""

    core: str
    """The core of this library that reads the same tables as often."""
    cycles_per_call: Quantity
    """E: of one call when nothing misses."""
    overhead: Quantity
    """c: once a burst."""


def read_compiler(root: TomlTable, rig: str) -> Compiler:
    """What compiles; nothing where nothing runs."""
    if rig == "published":
        if root.has("compiler"):
            root.wrong("the rig 'published' runs nothing; [compiler] is not allowed", "compiler")
        return Compiler("", "", (), (), "nothing is compiled")
    table = root.table("compiler")
    table.only(("command", "package", "target", "optimise", "source"))
    made = Compiler(
        command=table.text("command"),
        package=table.text("package"),
        target=table.texts("target"),
        optimise=table.texts("optimise"),
        source=table.text("source"),
    )
    if not PACKAGES.fullmatch(made.package):
        table.wrong(
            f"'package' is {made.package!r:.40}; it must be names of Debian packages", "package"
        )
    if refused := command_refusal(made.command, table.path):
        table.wrong(refused, "command")
    for key, flags in (("target", made.target), ("optimise", made.optimise)):
        if refused := flag_refusal(key, flags, table.path):
            table.wrong(refused, key)
    return made


def read_cache(table: TomlTable) -> Cache:
    """A [[cache]]."""
    table.only(("kind", "size", "ways", "line", "replacement", "write_allocate", "source"))
    table.text("source")
    return Cache(
        size=whole_bytes(table, "size"),
        line=int(table.quantity("line", ("B",), positive=True).value),
        ways=table.whole("ways", least=1),
        replacement=cast(Replacement, table.choice("replacement", get_args(Replacement), "lru")),
        write_allocate=table.flag("write_allocate", default=True),
        kind=cast(CacheKind, table.choice("kind", get_args(CacheKind))),
    )


def read_published(table: TomlTable) -> Published:
    """A [[published]] result."""
    table.only(("core", "op", "key_bits", "cycles"))
    cycles = table.quantity("cycles", ("cycles",), positive=True)
    bits = table.whole("key_bits", among=(128, 192, 256))
    op = table.choice("op", BLOCK_OPS)
    return Published(table.text("core"), op, cycles.value, bits, cycles.source)


def read_miss_penalty(root: TomlTable) -> Penalty | None:
    """[miss_penalty], where it is known."""
    if not root.has("miss_penalty"):
        return None
    table = root.table("miss_penalty")
    table.only(("base", "per_byte"))
    base = table.quantity("base", ("cycles",))
    return Penalty(base.value, table.quantity("per_byte", ("cycles/B",)).value)


def read_predictor(root: TomlTable) -> bool:
    """[predictor]: whether there is the one branch predictor that the emulator follows."""
    if not root.has("predictor"):
        return False
    table = root.table("predictor")
    table.only(("kind", "source"))
    table.text("source")
    return bool(table.choice("kind", ("last-backward-branch",)))


def _coefficient(table: TomlTable) -> Coefficient:
    table.only(("core", "E", "c"))
    return Coefficient(
        table.text("core"),
        table.quantity("E", ("cycles",), positive=True),
        table.quantity("c", ("cycles",)),
    )


def read_coefficients(root: TomlTable, rig: str) -> tuple[Coefficient, ...]:
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


def read_timing(root: TomlTable, rig: str) -> str | None:
    """The timing model, where the rig needs one."""
    untimed = {
        "host": "measures time itself",
        "vliw": "counts packets",
        "published": "runs nothing",
    }
    if rig == "rtl":  # counts cycles itself: see read_rules
        return None
    if rig in untimed:
        if root.has("timing"):
            what = untimed[rig]
            root.wrong(f"the rig '{rig}' {what}; 'timing' is not allowed", "timing")
        return None
    if rig == "fake" and not root.has("timing"):
        return None
    return root.choice("timing", timing_models())


def _stores(root: TomlTable) -> Stores | None:
    if not root.has("stores"):
        return None
    table = root.table("stores")
    table.only(("cycles", "in_flight"))
    return Stores(
        table.quantity("cycles", ("cycles",), positive=True),
        table.quantity("in_flight", ("stores",), positive=True),
    )


def read_rules(root: TomlTable, rig: str) -> Rules | None:
    """What counts a processor of the rig 'rtl' quickly, where there is such a thing."""
    if rig != "rtl":
        if root.has("stores"):
            root.wrong(f"the rig '{rig}' prices no stores; [stores] is not allowed", "stores")
        return None
    if not root.has("timing"):
        for key in ("miss_penalty", "stores"):
            if root.has(key):
                root.wrong(f"the rig 'rtl' needs [{key}] for 'timing' alone", key)
        return None
    timing, penalty = root.choice("timing", timing_models()), read_miss_penalty(root)
    if root.has("cache") and penalty is None:
        root.wrong("'timing' needs [miss_penalty] where there are caches", "timing")
    return Rules(timing, penalty, _stores(root))


def read_cpu(root: TomlTable, rig: str) -> str | None:
    """The processor's Verilog, where the rig simulates that."""
    if rig != "rtl":
        if root.has("cpu"):
            root.wrong(f"the rig '{rig}' simulates no Verilog; 'cpu' is not allowed", "cpu")
        return None
    return root.choice("cpu", simulated())
