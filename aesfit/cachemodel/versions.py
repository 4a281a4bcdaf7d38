# SPDX-License-Identifier: MIT
"""The cache model's versions of cores, from published coefficients or from measurements.

Tables and reads come from the core's own struct (the catalogue); E, c and bytes from the platform
file where they are published, else from bursts on the emulator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from ..caches.cache import Cache, CacheKind, Hierarchy, Penalty, Replacement, sets_of
from ..catalog import MODES, Core, Table
from ..catalog import cores as all_cores
from ..errors import ArgumentError, unknown
from ..jobs.job import Job, Progress, Row
from ..measuring.measure import Refusal, cores_for, measure
from ..platforms.platform import Platform
from ..rigs import why_not
from ..rigs.rig import RigUnavailableError
from .question import Lookup, Region, Version

if TYPE_CHECKING:
    from ..measuring.bursts import Coefficients

ALL = "all"
"""The name of all cores, those included that exist for the papers."""
OUTDONE = {
    "armv6-m": (
        "transposed_armv6m",
        frozenset(
            {
                "sbox_columns",
                "sbox_columns_mul",
                "transposed",
                "ttable1_wide",
                "ttable4",
                "ttable4_wide",
                "ttable8",
            }
        ),
    )
}
"""By instruction set: a core in assembly, and cores that have to be named there, because it takes
at most 5 % more cycles, flash and RAM than any of them, with timing as safe, in every question that
the atlas answered when it had their rows: nine platforms, six modes, three payloads."""
_MOST_PENALTY = 1e6
"""Largest cycles of a miss; memories take hundreds."""


class UnmeasuredError(RuntimeError):
    """A figure that is neither in the atlas nor stored, where nothing was to be measured."""


def modelled_cores(platform: Platform) -> list[str]:
    """Cores whose coefficients are published or can be measured."""
    if platform.rig == "published":
        return [one.core for one in platform.coefficients]
    return [core.name for core in cores_for(platform)]


def ranked_cores(platform: Platform) -> list[str]:
    """Those that compete if none is named: not those that exist for the papers or are OUTDONE."""
    if platform.rig == "published":
        return modelled_cores(platform)
    _, outdone = OUTDONE.get(platform.isa, ("", frozenset[str]()))
    return [
        core.name for core in cores_for(platform) if not core.study and core.name not in outdone
    ]


def versions(
    platform: Platform,
    names: Sequence[str],
    *,
    mode: str | None = None,
    key_bits: int = 128,
    only_known: bool = False,
    progress: Progress = lambda done, total: None,
) -> tuple[Version, ...]:
    """A version for each core; ValueError in a sentence if a coefficient is not available.

    RigUnavailableError: the rig lacks something that can be installed.  `only_known`: measure
    nothing; UnmeasuredError where something would have to be.
    """
    known = {core.name: core for core in all_cores()}
    found = []
    for done, name in enumerate(names, 1):
        if name not in known:
            raise unknown("core", name, modelled_cores(platform))
        if platform.rig == "published":
            found.append(_published(platform, known[name], mode, key_bits))
        else:
            found.append(_measured(platform, known[name], mode, key_bits, only_known))
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
    if mode is None:
        return 1
    if mode in MODES and MODES[mode].block_calls:
        return MODES[mode].block_calls
    known = [one.name for one in MODES.values() if one.block_calls]
    raise ValueError(
        f"the published coefficients are of the block cipher alone, which says nothing of "
        f"{MODES[mode].title if mode in MODES else mode}; choose from: {', '.join(known)}"
    )


def _published(platform: Platform, core: Core, mode: str | None, key_bits: int) -> Version:
    """The paper's version; a mode's work besides calling the cipher costs nothing in it."""
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


def _measured(
    platform: Platform, core: Core, mode: str | None, key_bits: int, only_known: bool
) -> Version:
    reason = why_not(platform)
    if reason:
        raise RigUnavailableError(reason)
    from ..measuring.bursts import coefficients, kept_coefficients  # needs the emulator's packages

    op = "encrypt-block" if mode is None else "encrypt"
    find = kept_coefficients if only_known else coefficients
    found = find(platform, core.name, key_bits, op, mode)
    if found is None:
        raise UnmeasuredError(f"{core.name} in bursts on {platform.name} is not measured yet")
    reads, streams = found.reads, found.stream_bytes
    if mode and MODES[mode].hashes:  # of many blocks at a time; one shows one stage
        reads = {table.name: table.reads_per_block(key_bits) for table in _tables(core)}
        streams = min(streams, 32)
    return Version(
        core=core.name,
        cycles_per_call=found.E,
        overhead=found.c,
        lookups=_lookups(core, reads, found.addresses),
        fixed_bytes=found.fixed_bytes,
        stream_bytes=streams,
        code_bytes=found.code_bytes,
        fixed=_regions(found),
        setup=_lookups(core, found.setup_reads, found.addresses),
        setup_code_bytes=found.setup_code_bytes,
        stored_bytes=found.stored_bytes,
    )


def _lookups(
    core: Core, reads: Mapping[str, int], addresses: Mapping[str, int]
) -> tuple[Lookup, ...]:
    """The tables that were read, with their addresses in the image."""
    sizes = {table.name: table.bytes for table in core.tables}
    at_once = {table.name for table in _tables(core) if table.reads_middle_round == 0}
    return tuple(
        Lookup(name, sizes[name], many, addresses[name], name in at_once)
        for name, many in reads.items()
    )


def _regions(found: "Coefficients") -> tuple[Region, ...]:
    """Data at the same addresses in each call, and data that only key set-up uses."""
    each_call = [Region(start, size, moments=when) for start, size, when in found.fixed]
    setup = [
        Region(start, size, touches=0.0, stored=not loaded)
        for start, size, loaded in found.setup_fixed
    ]
    return (*each_call, *setup)


def key_setup_cycles(
    platform: Platform, names: Sequence[str], *, mode: str | None = None, key_bits: int = 128
) -> dict[str, float]:
    """The cost of a new key for each core, a part of its version's overhead.

    ValueError or RigUnavailableError if it cannot be measured.  The paper attributes all of c to
    the key schedule.
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
    """The platform's caches, with given values in place of theirs.

    ValueError names what is missing or invalid.
    """
    if penalty is not None and not 0 <= penalty <= _MOST_PENALTY:
        raise ValueError(
            f"a miss costs from 0 to {_MOST_PENALTY:,.0f} cycles, not {penalty:g}; give fewer"
        )
    data = _data_cache(platform, size, line, ways, replacement, no_penalty=penalty is None)
    cost = _penalty(platform.miss_penalty, penalty, critical_word_first)
    instruction = _instruction_cache(platform, data, replacement, icache)
    for one in filter(None, (instruction, data)):
        sets_of(one)
    return Hierarchy(data, cost, instruction)


def _of_kind(platform: Platform, *kinds: CacheKind) -> Cache | None:
    """The platform's cache of the first kind available."""
    caches = {one.kind: one for one in platform.caches}
    return next((caches[kind] for kind in kinds if kind in caches), None)


def _data_cache(
    platform: Platform,
    size: int | None,
    line: int | None,
    ways: int | None,
    replacement: Replacement | None,
    *,
    no_penalty: bool,
) -> Cache:
    """The data cache; ValueError names what neither the platform nor the question says."""
    own = _of_kind(platform, "data", "unified")
    if own is not None:
        line = own.line if line is None else line
        ways = own.ways if ways is None else ways
        size = own.size if size is None else size
    needed = (("{cache_bytes}", size), ("{line_bytes}", line), ("{ways}", ways))
    missing = [argument for argument, value in needed if value is None]
    if no_penalty and platform.miss_penalty is None:
        missing.append("{miss_penalty}")
    if missing or size is None or line is None or ways is None:
        asked = ", ".join(missing)
        raise ArgumentError(f"{{}} says nothing of its data cache; give {asked}", platform.name)
    by = replacement or (own.replacement if own else "lru")
    return Cache(size, line, ways, by, own is None or own.write_allocate)


def _penalty(own: Penalty | None, given: float | None, critical_word_first: bool) -> Penalty:
    """The miss penalty: given cycles, or the platform's own rule."""
    if given is not None and critical_word_first:
        raise ValueError(
            "the miss penalty given is all that a miss costs; leave critical word first out"
        )
    if given is None and own is not None:
        return replace(own, critical_word_first=critical_word_first)
    return Penalty(given or 0.0, 0.0)


def _instruction_cache(
    platform: Platform, data: Cache, replacement: Replacement | None, size: int | None
) -> Cache | None:
    """The platform's instruction cache, or one like the data cache if a size is given."""
    own = _of_kind(platform, "instruction")
    if own is None and size is None:
        return None
    line, ways = (own.line, own.ways) if own else (data.line, data.ways)
    bytes_ = size if size is not None else own.size if own else 0
    by = replacement or (own.replacement if own else "lru")
    return Cache(bytes_, line, ways, by, kind="instruction")


def behind(platform: Platform, built: Hierarchy) -> Platform:
    """The platform with these caches and this penalty in place of its file's."""
    made = {"data": built.data, "unified": built.data, "instruction": built.instruction}
    caches = tuple(
        replace(new, kind=one.kind)
        for one in platform.caches
        if (new := made[one.kind]) is not None
    )
    digest = sha256(f"{platform.sha256} {built}".encode()).hexdigest()
    return replace(platform, caches=caches, miss_penalty=built.penalty, sha256=digest)
