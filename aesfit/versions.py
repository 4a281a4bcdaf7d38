# SPDX-License-Identifier: MIT
"""Cores as the cache model sees them, from published coefficients or from traces and measurements.

Tables and reads come from the core's own struct (the catalogue); E, c and bytes from the platform
file where they are published, else from bursts on the emulator.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from .catalog import Core, Table
from .catalog import cores as all_cores
from .errors import unknown
from .measure import Refusal, cores_for, measure
from .model.question import (
    Cache,
    Hierarchy,
    Lookup,
    Penalty,
    Region,
    Replacement,
    Version,
    sets_of,
)
from .platform_file import Quantity
from .platforms import MissPenalty, Platform
from .rigs import why_not
from .rigs.firmware.message import MODES, Shape
from .rigs.rig import Job, Progress, RigUnavailableError, Row

_SCALE = {"B": 1, "KiB": 1024}
_MOST_PENALTY = 1e6
"""Cycles of a miss; memories take hundreds."""


def modelled_cores(platform: Platform) -> list[str]:
    """Cores whose coefficients are published or can be measured."""
    if platform.rig == "published":
        return [one.core for one in platform.coefficients]
    return [core.name for core in cores_for(platform)]


def versions(
    platform: Platform,
    names: Sequence[str],
    *,
    mode: str | None = None,
    key_bits: int = 128,
    progress: Progress = lambda done, total: None,
) -> tuple[Version, ...]:
    """One for each core; ValueError in a sentence where a coefficient is not to be had.

    RigUnavailableError: where the rig lacks something that can be installed.
    """
    known = {core.name: core for core in all_cores()}
    found = []
    for done, name in enumerate(names, 1):
        if name not in known:
            raise unknown("core", name, modelled_cores(platform))
        if platform.rig == "published":
            found.append(_published(platform, known[name], mode, key_bits))
        else:
            found.append(_measured(platform, known[name], mode, key_bits))
        progress(done, len(names))
    return tuple(found)


def _tables(core: Core) -> list[Table]:
    return [table for table in core.tables if table.direction == "encrypt"]


def _lookup(table: Table, reads: int) -> Lookup:
    return Lookup(table.name, table.bytes, reads, at_once=table.reads_middle_round == 0)


def block_calls(mode: str | None) -> int:
    """Calls of the block cipher for each 16 bytes of payload; ValueError for modes without a rule.

    CCM calls it for the text and for the tag.
    """
    twice, once = ("ccm", "ccmp"), ("ecb", "cbc", "pkcs7", "ctr", "cfb", "ofb", "cbc_mac", "cmac")
    if mode is None or mode in once:
        return 1
    if mode in twice:
        return 2
    raise ValueError(
        f"the published coefficients are of the block cipher alone, which says nothing of "
        f"{MODES.get(mode, Shape()).title or mode}; choose from: {', '.join((*once, *twice))}"
    )


def _published(platform: Platform, core: Core, mode: str | None, key_bits: int) -> Version:
    """The paper's version; what a mode does beside calling the cipher costs nothing in it."""
    given = {one.core: one for one in platform.coefficients}
    if core.name not in given:
        raise ValueError(
            f"no E of core '{core.name}' is published for {platform.name}; published are: "
            f"{', '.join(given)}"
        )
    if key_bits != 128:
        raise ValueError(f"what is published for {platform.name} holds for keys of 128 bits alone")
    each, one = block_calls(mode), given[core.name]
    return Version(
        core.name,
        each * one.cycles_per_call.value,
        one.overhead.value,
        tuple(_lookup(table, each * table.reads_per_block(key_bits)) for table in _tables(core)),
    )


def _measured(platform: Platform, core: Core, mode: str | None, key_bits: int) -> Version:
    reason = why_not(platform)
    if reason:
        raise RigUnavailableError(reason)
    from .bursts import coefficients  # brings the emulator, which needs packages of its own

    op = "encrypt-block" if mode is None else "encrypt"
    found = coefficients(platform, core.name, key_bits, op, mode)
    reads, streams = found.reads, found.stream_bytes
    if mode == "gcm":  # works on many blocks at a time, so that a block's cut shows one stage alone
        reads = {table.name: table.reads_per_block(key_bits) for table in _tables(core)}
        streams = min(streams, 32)
    sizes = {table.name: table for table in core.tables}
    at_once = {table.name for table in _tables(core) if table.reads_middle_round == 0}

    def lookups(reads: dict[str, int]) -> tuple[Lookup, ...]:
        return tuple(
            Lookup(name, sizes[name].bytes, many, found.addresses[name], name in at_once)
            for name, many in reads.items()
        )

    return Version(
        core.name,
        found.E,
        found.c,
        lookups(reads),
        found.fixed_bytes,
        streams,
        found.code_bytes,
        (
            *(Region(start, size, moments=when) for start, size, when in found.fixed),
            *(
                Region(start, size, touches=0.0, stored=not loaded)
                for start, size, loaded in found.setup_fixed
            ),
        ),
        lookups(found.setup_reads),
        found.setup_code_bytes,
        found.stored_bytes,
    )


def key_setup_cycles(
    platform: Platform, names: Sequence[str], *, mode: str | None = None, key_bits: int = 128
) -> dict[str, float]:
    """What a new key costs each core, out of the overhead of its version.

    ValueError or RigUnavailableError where that cannot be measured.  The paper calls all of c the
    key schedule.
    """
    if platform.rig == "published":
        return {one.core: one.overhead.value for one in platform.coefficients}
    op = "key-setup-encrypt" if mode is None else "key-setup"
    size = None if mode is None else 16 * 512
    found = measure([Job(platform, name, key_bits, op, mode, size) for name in names])
    for one in found:
        if isinstance(one, Refusal):
            raise ValueError(f"{one.job.core}: {one.reason}")
    return {one.core: one.cycles for one in found if isinstance(one, Row)}


def hierarchy(
    platform: Platform,
    *,
    line: int | None = None,
    penalty: float | None = None,
    ways: int | None = None,
    size: int | None = None,
    replacement: Replacement | None = None,
    critical_word_first: bool = False,
    icache: int | None = None,
) -> Hierarchy:
    """The platform's caches with what is given in their place.

    ValueError names what is missing, or what makes no sense.
    """
    if penalty is not None and not 0 <= penalty <= _MOST_PENALTY:
        raise ValueError(
            f"a miss costs from 0 to {_MOST_PENALTY:,.0f} cycles, not {penalty:g}; give fewer"
        )
    caches = {one.kind: one for one in platform.caches}
    own = caches.get("data") or caches.get("unified")
    if own is not None:
        line = int(own.line.value) if line is None else line
        ways = own.ways if ways is None else ways
        size = int(own.size.value * _SCALE[own.size.unit]) if size is None else size
    missing = [
        option
        for option, value in (("--cache", size), ("--line", line), ("--ways", ways))
        if value is None
    ]
    if penalty is None and platform.miss_penalty is None:
        missing.append("--miss-penalty")
    if missing or size is None or line is None or ways is None:
        raise ValueError(
            f"{platform.name} says nothing of its data cache; give {', '.join(missing)}"
        )
    if penalty is not None and critical_word_first:
        raise ValueError(
            "the miss penalty given is all that a miss costs; leave critical word first out"
        )
    given = platform.miss_penalty
    cost = (
        Penalty(given.base.value, given.per_byte.value, critical_word_first)
        if penalty is None and given is not None
        else Penalty(penalty or 0.0, 0.0)
    )
    code = caches.get("instruction")
    instruction = None
    if icache is not None or code is not None:
        code_line = int(code.line.value) if code else line
        code_ways = code.ways if code else ways
        code_size = int(code.size.value * _SCALE[code.size.unit]) if code else 0
        by = replacement or (code.replacement if code else "lru")
        instruction = Cache(code_size if icache is None else icache, code_line, code_ways, by)
        sets_of(instruction)
    by = replacement or (own.replacement if own else "lru")
    data = Cache(size, line, ways, by, own is None or own.write_allocate)
    sets_of(data)
    return Hierarchy(data, cost, instruction)


def behind(platform: Platform, built: Hierarchy) -> Platform:
    """The platform with these caches and this penalty in place of its file's."""
    made = {"data": built.data, "unified": built.data, "instruction": built.instruction}
    source, penalty = "command line", built.penalty
    caches = tuple(
        replace(
            one,
            size=Quantity(new.size, "B", source),
            ways=new.ways,
            line=Quantity(new.line, "B", source),
            replacement=new.replacement,
        )
        for one in platform.caches
        if (new := made[one.kind]) is not None
    )
    cost = MissPenalty(
        Quantity(penalty.base, "cycles", source), Quantity(penalty.per_byte, "cycles/B", source)
    )
    digest = sha256(f"{platform.sha256} {built}".encode()).hexdigest()
    return replace(platform, caches=caches, miss_penalty=cost, sha256=digest)
