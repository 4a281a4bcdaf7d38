# SPDX-License-Identifier: MIT
"""`aesfit.measure`: cycles and sizes of cores on platforms."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ..cachemodel.versions import hierarchy
from ..choosing.request import BLOCK, GivenCache, with_cache
from ..choosing.worst import WorstCase, worst_of
from ..errors import ArgumentError, about, unknown
from ..jobs.job import Job, Placement, Progress, Row, check_tables
from ..measuring.flat import FlatRow, flat
from ..measuring.measure import Refusal, Result
from ..measuring.measure import measure as run
from ..platforms.boards import check_waits
from ..platforms.names import BLOCK_OPS, MODE_OPS
from ..platforms.platform import Platform
from ..rigs import rig_named
from ..rigs.emulator.trust import trust
from ..rigs.host.rig import HostRig
from ..units import count, five_lines
from .arguments import (
    Names,
    PlatformLike,
    check_flash_wait,
    check_messages,
    check_multiplier,
    chip_of,
    cores_on,
    flags_of,
    key_sizes,
    mode_called,
    multiplier_of,
    names_of,
    placement_of,
    platform_of,
    told,
    whole,
)

BYTES = 1504
"""Default payload of a message: a full frame of IEEE 802.11."""


@dataclass(frozen=True, repr=False)
class Measurements:
    """Measured rows, and jobs that could not be measured."""

    results: tuple[Result, ...]
    """Rows and refusals in the order of the jobs: platform by platform, core by core."""
    worst: tuple[WorstCase | None, ...] = ()
    """The worst case of each measured row; None where it is not known (choosing/worst.py)."""

    def __repr__(self) -> str:
        """How many rows and refusals, and the first of them."""
        first = f"Measurements: {len(self.measured)} measured, {len(self.refused)} refused"
        rows = [
            f"{one.core}, {one.mode or 'block'}, {one.op}, {one.key_bits} bits, {one.platform}: "
            f"{count(one.cycles)} cycles"
            for one in self.measured
        ]
        return five_lines(first, rows + [one.reason for one in self.refused])

    @property
    def measured(self) -> tuple[Row, ...]:
        """The measured rows."""
        return tuple(one for one in self.results if isinstance(one, Row))

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """Jobs that could not be measured, each with the reason."""
        return tuple(one for one in self.results if isinstance(one, Refusal))

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """A flat mapping for each measured job, with the columns of `aesfit measure -o`."""
        return tuple(flat(one) for one in self.measured)

    def as_json(self) -> list[dict[str, Any]]:
        """What `aesfit measure --json` prints."""
        return [
            {**row.as_json(), "worst_cycles": worst.cycles if worst else None}
            for row, worst in zip(self.measured, self.worst, strict=True)
        ]


def measure(  # long: what each argument means is said once, here
    platform: PlatformLike | Iterable[PlatformLike],
    *,
    cores: Names | None = None,
    key_bits: int | Iterable[int] = 128,
    ops: Names | None = None,
    mode: str | None = None,
    payload_bytes: int | None = None,
    encrypt_only: bool = False,
    ghash: str | None = None,
    flags: str | Sequence[str] | None = None,
    clock_hz: float | None = None,
    buffers: str | None = None,
    flash_wait: int | None = None,
    tables: str | None = None,
    cache_bytes: int | None = None,
    ways: int | None = None,
    line_bytes: int | None = None,
    miss_penalty: float | None = None,
    warm: bool = False,
    instructions: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Measurements:
    """Measure cores on platforms: cycles, instructions, flash, RAM, stack.

    Every combination of platform, core, key size and operation is one row.

    Source: docs/measuring.md says what is counted, and what the timing models cover.

    Args:
        platform: a name that `aesfit platforms` lists, the path of a TOML file, or a `Platform`;
            or several of them.
        cores: only these cores; without it all but those for the papers, which "all" adds.
        key_bits: 128, 192 or 256, or several of them.
        ops: operations of the block cipher, or with `mode` those of a message; see
            docs/measuring.md.
        mode: "ecb", "cbc", "ctr", "ccm", "gcm" ...; None or "block": the block cipher alone.
        payload_bytes: payload of one message, in bytes, with `mode`; 1504 by default.
        encrypt_only: leave out operations that decrypt.
        ghash: GHASH multiplier of GCM; "shift32" or, with the instruction, "clmul" by default.
        flags: optimisation flags; by default the platform's.
        clock_hz: clock of a chip in Hz, which sets the wait states of its flash; its highest by
            default.
        buffers: setting of the chip's flash buffers: "usual", "reset" or "uniform".
        flash_wait: wait states of flash, in cycles.
        tables: memory that holds the lookup tables: "flash", "ram" or another one of the platform.
        cache_bytes: size of the data cache in bytes.
        ways: its associativity.
        line_bytes: bytes of a cache line.
        miss_penalty: cycles of a cache miss.
        warm: start with the caches as an equal call left them (soft processors).
        instructions: on this computer, also count instructions with valgrind.
        fresh: ignore stored results.
        progress: called with the jobs done and their number.

    Returns:
        Measurements: `measured` has the rows, `refused` the jobs that could not be measured, each
        with its reason.  `as_json()` is what `aesfit measure --json` prints.  `rows` has a flat
        mapping for each measured job; cycles of one call or message, sizes in bytes.

    Raises:
        ValueError: the question makes no sense, or names what does not exist.
        TypeError: an argument is of a wrong kind.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    with about():
        named = [chip_of(one, clock_hz, buffers) for one in platforms_of(platform)]
        chosen = behind(named, GivenCache(cache_bytes, line_bytes, ways, miss_penalty))
        check_warm(chosen, warm)
        called = block_or_mode(mode)
        check_multiplier(ghash, (called,))
        placement = placement_of(flash_wait, tables)
        check_placement(chosen, placement)
        for one in chosen:
            check_flash_wait(one, flash_wait)
        jobs = jobs_of(
            chosen,
            names_of(cores, "cores"),
            key_sizes(key_bits),
            ops_of(names_of(ops, "ops"), called, encrypt_only),
            ghash,
            mode=called,
            bytes=payload_of(called, whole("payload_bytes", payload_bytes)),
            flags=flags_of(flags),
            placement=placement,
            warm=warm,
        )
        check_messages(jobs)
    count_on_host(instructions)
    return _measured(jobs, named, fresh=fresh, progress=told(progress))


def _measured(
    jobs: Sequence[Job], named: Sequence[Platform], *, fresh: bool, progress: Progress
) -> Measurements:
    """Run the jobs; rows of platforms not among `named` state the caches that were given."""
    given = {job.platform.name: job.platform for job in jobs if job.platform not in named}
    results = run(jobs, fresh=fresh, progress=progress)
    worst = tuple(
        worst_of(row, job.platform, trust(job.platform, job.placement.flash_wait))
        for job, row in zip(jobs, results, strict=True)
        if isinstance(row, Row)
    )
    return Measurements(tuple(_told(result, given) for result in results), worst)


def _told(result: Result, given: dict[str, Platform]) -> Result:
    """The row with the given cache geometry in its provenance."""
    if isinstance(result, Refusal) or result.platform not in given:
        return result
    memory = result.provenance.memory + _geometry(given[result.platform])
    return replace(result, provenance=replace(result.provenance, memory=memory))


def _geometry(platform: Platform) -> str:
    """The data cache and what a miss costs."""
    data = hierarchy(platform).data
    return (
        f"; data cache of {data.size} bytes, {data.ways} ways, lines of {data.line} bytes, "
        f"{hierarchy(platform).penalty.of(data.line):g} cycles a miss"
    )


def platforms_of(platform: PlatformLike | Iterable[PlatformLike]) -> list[Platform]:
    """One platform or several."""
    if isinstance(platform, str):
        return [platform_of(name) for name in names_of(platform, "platform")]
    if isinstance(platform, Iterable):
        return [platform_of(one) for one in platform]
    return [platform_of(platform)]


def behind(platforms: Sequence[Platform], given: GivenCache) -> list[Platform]:
    """The platforms with the given data cache in place of their own."""
    return [with_cache(one, given) for one in platforms]


def check_placement(platforms: Sequence[Platform], placement: Placement) -> None:
    """Raise ValueError if a platform has no such memory for tables, or fixed wait states."""
    for one in platforms:
        with about("tables"):
            check_tables(one, placement)
        with about("flash_wait"):
            check_waits(one, placement.flash_wait)


def check_warm(platforms: Sequence[Platform], warm: bool) -> None:
    """Raise ValueError if the platform does not support warm caches."""
    for one in platforms:
        if warm and not (one.rig == "rtl" and one.caches):
            raise ArgumentError(
                "on {} no caches can be warm; leave it out, or take vexriscv-cached",
                one.name,
                argument="warm",
            )


def ops_of(names: Sequence[str], mode: str | None, encrypt_only: bool) -> tuple[str, ...]:
    """The operations of these names, or the default ones; only those that encrypt, if asked."""
    allowed = MODE_OPS if mode else BLOCK_OPS
    for name in names:
        if name not in allowed:
            where = "with {mode} {}" if mode else "without {mode} {}"
            raise ArgumentError(where, unknown("operation", name, allowed), argument="ops")
    asked = tuple(names) or (MODE_OPS[:1] if mode else BLOCK_OPS)
    left = _encrypting(asked) if encrypt_only else asked
    if not left:
        raise ArgumentError(
            "a firmware that only encrypts has none of these; it has: {}",
            ", ".join(_encrypting(allowed)),
            argument="ops",
        )
    return left


def _encrypting(ops: Sequence[str]) -> tuple[str, ...]:
    """Those of a firmware that only encrypts."""
    return tuple(op for op in ops if "decrypt" not in op and op != "both")


def block_or_mode(name: str | None) -> str | None:
    """The mode of that name; None for the block cipher alone, also named BLOCK."""
    called = None if name is None else mode_called(name, (BLOCK,))
    return None if called == BLOCK else called


def payload_of(mode: str | None, size: int | None) -> int | None:
    """Payload of a message; ValueError without a mode."""
    if mode is None and size is not None:
        raise ArgumentError("a message needs a mode; give {mode} too", argument="payload_bytes")
    return None if mode is None else size or BYTES


def jobs_of(
    platforms: Sequence[Platform],
    cores: Sequence[str],
    key_bits: Sequence[int],
    ops: Sequence[str],
    ghash: str | None,
    **options: Any,  # noqa: ANN401 - fields of Job
) -> list[Job]:
    """Every combination, platform by platform, core by core."""
    return [
        Job(platform, core, bits, op, ghash=multiplier_of(platform, ghash), **options)
        for platform in platforms
        for core in cores_on(platform, cores)
        for bits, op in product(key_bits, ops)
    ]


def count_on_host(instructions: bool) -> None:
    """Whether the rig of this computer also counts instructions."""
    host = rig_named("host")
    assert isinstance(host, HostRig)  # noqa: S101 - made by rigs/__init__.py
    host.instructions = instructions
