# SPDX-License-Identifier: MIT
"""Platform files, read strictly: processors, chips, and soft cores with their memory.

Every quantity is a table of `value`, `unit` and `source`; what is wrong is refused with file, line
and what is allowed there.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import cast, get_args

from . import parts
from .chip import check_sources, read_chip, read_chip_memories
from .clock import read_energy
from .memory import Memory, ideal_memories, read_memories
from .platform import RIGS, Isa, Platform, at
from .toml_file import PlatformError, TomlTable

_PROCESSOR = (
    *("name", "title", "isa", "rig", "timing", "compiler", "tables", "cache", "miss_penalty"),
    *("predictor", "constant_time", "published", "coefficient"),
)
_SOFT_CORE = (
    *("name", "title", "isa", "rig", "timing", "cpu", "compiler", "clock", "memory", "cache"),
    *("miss_penalty", "stores", "energy", "constant_time", "published"),
)
_CHIP = (
    *("name", "title", "processor", "clock", "counter", "memory", "wait_states", "interface"),
    *("energy", "part", "published"),
)


def read_platform(
    root: TomlTable, sha256: str, processor: Callable[[str], Platform], chips: Iterable[str]
) -> Platform:
    """The platform of a file.

    `processor`: finds the one that a chip names; `chips`: names of all chips, which the sources of
    this one may not hold.
    """
    if root.text("name") != root.path.stem:
        root.wrong(
            f"'name' is '{root.text('name')}'; it must be the file's: '{root.path.stem}'", "name"
        )
    if root.has("processor"):
        return _chip(root, sha256, processor, chips)
    if root.has("cpu") or root.has("memory"):
        return _soft_core(root, sha256)
    return _processor(root, sha256)


def _processor(root: TomlTable, sha256: str) -> Platform:
    root.only(_PROCESSOR)
    rig = root.choice("rig", RIGS)
    tables = root.choice("tables", ("flash", "ram"), "flash")
    isa = root.choice("isa", get_args(Isa))
    runs = rig in (*parts.EMULATORS, "fake")
    return replace(
        _common(root, sha256, rig, ideal_memories(isa, tables) if runs else ()),
        miss_penalty=parts.read_miss_penalty(root),
        coefficients=parts.read_coefficients(root, rig),
        predictor=parts.read_predictor(root),
    )


def _soft_core(root: TomlTable, sha256: str) -> Platform:
    root.only(_SOFT_CORE)
    rig = root.choice("rig", RIGS)
    memories = read_memories(root, None)
    if rig == "rtl" and len({region.wait_states.value for region in memories}) > 1:
        root.wrong("this rig has one memory, so both regions need the same wait_states", "memory")
    read_energy(root)
    return replace(
        _common(root, sha256, rig, memories),
        clock=root.quantity("clock", ("MHz",), positive=True),
        miss_penalty=parts.read_miss_penalty(root) if rig != "rtl" else None,
        cpu=parts.read_cpu(root, rig),
        rules=parts.read_rules(root, rig),
        kind="chip",
    )


def _common(root: TomlTable, sha256: str, rig: str, memories: tuple[Memory, ...]) -> Platform:
    constant_time = root.table("constant_time")
    constant_time.only(("data_cache", "variable_multiply", "variable_multiply_low", "source"))
    variable = constant_time.flag("variable_multiply")
    return Platform(
        name=root.text("name"),
        title=root.text("title"),
        isa=cast(Isa, root.choice("isa", get_args(Isa))),
        rig=rig,
        timing=parts.read_timing(root, rig),
        compiler=parts.read_compiler(root, rig),
        clock=None,
        memories=memories,
        caches=tuple(parts.read_cache(table) for table in root.tables("cache")),
        energy=None,
        data_cache=constant_time.flag("data_cache"),
        variable_multiply=variable,
        variable_multiply_low=(
            constant_time.flag("variable_multiply_low")
            if constant_time.has("variable_multiply_low")
            else variable
        ),
        constant_time_source=constant_time.text("source"),
        published=tuple(parts.read_published(table) for table in root.tables("published")),
        sha256=sha256,
        path=root.path,
    )


def _chip(
    root: TomlTable, sha256: str, processor: Callable[[str], Platform], chips: Iterable[str]
) -> Platform:
    root.only(_CHIP)
    check_sources(root, chips)
    try:
        core = processor(root.text("processor"))
    except PlatformError:
        raise
    except ValueError as error:
        root.wrong(str(error), "processor")
    maximum = root.quantity("clock", ("MHz",), positive=True)
    both = hashlib.sha256(f"{sha256} {core.sha256}".encode()).hexdigest()
    return at(
        replace(
            core,
            name=root.text("name"),
            title=root.text("title"),
            clock=maximum,
            memories=read_chip_memories(root),
            published=tuple(parts.read_published(table) for table in root.tables("published")),
            sha256=both,
            path=root.path,
            chip=read_chip(root, maximum),
            kind="chip",
        )
    )
