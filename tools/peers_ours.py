# SPDX-License-Identifier: MIT
"""Our own rows of bench/peers.csv: cores with the platform's flags, small ones, drop-ins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from peers_rows import BLOCK_OPS, MODES, OURS, SIZES, UNCLEARED, PeerRow, row_of

from aesfit.emitting import clearing
from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.measured import jobs as drop_in_jobs
from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import Refusal, measure
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform

CORES = {
    "cortex-m3": ("ttable1_armv7m", "ttable1_wide", "fixslice_armv7m", "fixslice_4k_armv7m"),
    "cortex-m4": ("ttable1_armv7m", "sbox_columns_dsp", "fixslice_armv7m", "fixslice_4k_armv7m"),
    "cortex-m0plus": (
        "ttable_diffused",
        "ttable_diffused_armv6m",
        "transposed_armv6m",
        "fixslice_armv6m",
    ),
    "rv32im-e31": ("ttable4", "ttable1", "ttable_diffused_rv32", "fixslice_rv32"),
    **dict.fromkeys(
        ("arm7tdmi", "arm9tdmi"), ("ttable1_armv4", "transposed_armv4", "fixslice_armv4")
    ),
}
"""Ours with the platform's flags: some of the fastest on the processor, with and without tables."""
SMALL_CORES = ("sbox_columns", "tiny", "transposed", "sbox_columns_otf", "transposed_otf")
"""Ours with -Os; the last two keep the key alone and compute round keys as they are needed."""
MULTIPLIERS = {
    "cortex-m3": ("mul_low", "table4"),
    "cortex-m4": ("mul32", "table4"),
    "cortex-m0plus": ("mul_low", "table4"),
    "rv32im-e31": ("mul32", "table4"),
    **dict.fromkeys(("arm7tdmi", "arm9tdmi"), ("shift32", "table4")),
}
"""Of GHASH: one that is constant-time on the processor, and one that reads a table."""
_LONG_KEYS = "table8"
"""Of GHASH: the fastest, by a table of 4 KiB for each key."""
_LEAST_RAM_CORE, _LEAST_RAM_GHASH = "sbox_columns_otf", "shift32"
_SMALL = "-Os"
_NO_CLEARING = "-DAESFIT_CLEAR=0"
_MESSAGES = [("key-setup", SIZES[0]), *(("encrypt", size) for size in SIZES)]


@dataclass(frozen=True)
class Build:
    """How some cores of ours are compiled for a mode."""

    mode: str
    cores: tuple[str, ...]
    flags: str | None
    """None: those of the platform."""
    ghash: str = _LEAST_RAM_GHASH
    clears: bool = True

    def jobs(self, platform: Platform) -> list[Job]:
        """Its operations, on messages of all sizes."""
        mode = None if self.mode == "block" else self.mode
        asked = [(op, None) for op in BLOCK_OPS] if mode is None else _MESSAGES
        flags = None if self.flags is None else (self.flags, *((_NO_CLEARING,) * (not self.clears)))
        return [
            Job(platform, core, 128, op, mode=mode, bytes=size, flags=flags, ghash=self.ghash)
            for core, (op, size) in product(self.cores, asked)
        ]

    def row(self, row: Row, platform: Platform) -> PeerRow:
        """A row of the file."""
        hashes = f", GHASH {self.ghash}" * (self.mode == "gcm")
        name = f"{row.core}{hashes}{f', {UNCLEARED}' * (not self.clears)}"
        return _row(row, name, self.flags or " ".join(platform.compiler.optimise))


def builds(platform: str) -> Iterator[Build]:
    """Cores with the platform's flags, small ones with -Os, and one that clears nothing."""
    known = MULTIPLIERS[platform]
    for mode in MODES:
        for ghash in (*known, _LONG_KEYS) if mode == "gcm" else (_LEAST_RAM_GHASH,):
            yield Build(mode, CORES[platform], None, ghash)
        for ghash in known if mode == "gcm" else (_LEAST_RAM_GHASH,):
            yield Build(mode, SMALL_CORES, _SMALL, ghash)
    for mode in MODES[1:]:
        yield Build(mode, (_LEAST_RAM_CORE,), _SMALL, clears=False)


def our_rows(platform: str) -> list[PeerRow]:
    """Rows of all builds and of drop-ins."""
    target = platform_named(platform)
    asked = [(build, job) for build in builds(platform) for job in build.jobs(target)]
    found = measured([job for _, job in asked])
    rows = [build.row(row, target) for (build, _), row in zip(asked, found, strict=True)]
    return [*rows, *(row for mode in MODES[1:] for row in drop_ins(target, mode))]


def drop_ins(platform: Platform, mode: str) -> Iterator[PeerRow]:
    """Rows of what `aesfit emit --encrypt-only` writes for one mode, small and with least RAM."""
    yield from _drop_in(DropInChoice("tiny", (mode,), ghash="table4", **_of(platform)), "drop-in")
    choice = DropInChoice(_LEAST_RAM_CORE, (mode,), ghash=_LEAST_RAM_GHASH, **_of(platform))
    deep = clearing.confirmed(drop_in_jobs(choice), lambda done, total: None, _SMALL)
    yield from _drop_in(replace(choice, cleared=deep), "drop-in of --least-ram")


def _of(platform: Platform) -> dict[str, Any]:
    return {"encrypt_only": True, "platform": platform}


def _drop_in(choice: DropInChoice, what: str) -> list[PeerRow]:
    setup, *messages = (job for size in SIZES for job in drop_in_jobs(choice, size, (_SMALL,)))
    asked = [setup, *(job for job in messages if job.op != setup.op)]
    hashes = f", GHASH {choice.ghash}" * ("gcm" in choice.modes)
    return [_row(row, f"{choice.core}{hashes}, {what}", _SMALL) for row in measured(asked)]


def measured(asked: Sequence[Job]) -> list[Row]:
    """Rows of the jobs; RuntimeError where one is refused."""
    rows = []
    for result in measure(asked):
        if isinstance(result, Refusal):
            raise RuntimeError(f"{result.job.core} {result.job.op}: {result.reason}")
        rows.append(result)
    return rows


def _row(row: Row, name: str, flags: str) -> PeerRow:
    return row_of(row, OURS, row.provenance.version, name, flags, "this tree")
