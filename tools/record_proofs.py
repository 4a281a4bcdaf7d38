#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records which images are proved independent of secrets: aesfit/measuring/proven_images.tsv.

`aesfit measure` and `aesfit fit` give `proved` as the evidence of an image in this file, even if
the prover is not installed.  Digests change with the library, the flags, the compiler and the
linker, so the file must be renewed after a change of these; the store keeps proofs, so unchanged
images take no time.  `--check` proves the images of the file anew, and writes nothing; `--kept`
proves nothing.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

from aesfit.building import build
from aesfit.catalog import Core, cores
from aesfit.choosing.multipliers import competing
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job
from aesfit.jobs.message import MODES
from aesfit.measuring.executed import encoded, unproved
from aesfit.measuring.proofs import (
    COLUMNS,
    RECORDED,
    covers,
    lengths_of,
    recorded,
    remembered,
    timing_of,
)
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.proving.independence import claimed
from aesfit.proving.prove import independent
from aesfit.web.schema import PAYLOADS

PLATFORMS = (
    *("cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"),
    *("arm7tdmi", "arm9tdmi", "rv32im-e31", "ibex-maxperf"),
)
MESSAGES = ("ctr", "ccm", "cbc", "gcm", "cmac", "xts")
"""Modes proved over cores that encrypt two blocks at once, with 128-bit keys."""
LANES = 2
_SETUPS = ("key-setup-encrypt", "key-setup-decrypt")
_BLOCKS = ("encrypt-block", "decrypt-block")


def constant_time(platform: Platform) -> list[Core]:
    """The cores that claim to be constant-time and that the platform can run."""
    return [core for core in cores() if core.constant_time and not lacks(core, platform)]


def block_images(platform: str) -> Iterator[Job]:
    """Key set-up and blocks of every constant-time core, at every key size."""
    found = platform_named(platform)
    for core, bits in product(constant_time(found), (128, 192, 256)):
        for op in (*_SETUPS, *_BLOCKS):
            yield Job(found, core.name, bits, op)


def message_images(platform: str, mode: str) -> Iterator[Job]:
    """All images of a mode that `measure` and `fit` use."""
    found = platform_named(platform)
    for core in constant_time(found):
        if core.lanes == LANES:
            yield from _messages(found, core.name, mode)


def _messages(platform: Platform, core: str, mode: str) -> Iterator[Job]:
    backward = ("decrypt", "both") if MODES[mode].verifies else ()
    for ghash in _multipliers(platform, core) if mode == "gcm" else (None,):
        for op in ("key-setup", "encrypt", *backward):
            size = MODES[mode].least if op == "key-setup" else 16
            job = Job(platform, core, 128, op, mode=mode, bytes=size)
            yield replace(job, ghash=ghash or job.ghash)


def _multipliers(platform: Platform, core: str) -> list[str]:
    """The GHASH multipliers that `fit` compares and that claim constant time there."""
    job = Job(platform, core, 128, "encrypt", mode="gcm", bytes=16)
    return [name for name in competing(platform) if claimed(replace(job, ghash=name))]


def line(job: Job) -> str:
    """The line of an image; empty, with a printed sentence, if it is not proved."""
    sha256, shown, ran = independent(job)
    said = (job.platform.name, job.core, str(job.key_bits), job.mode or "-", job.op)
    if shown != "proved":
        print(f"not recorded, for it is {shown}: {' '.join(said)}", file=sys.stderr)
        return ""
    checked = ",".join(size for size in sizes(job) if not unproved(asked(job, size), sha256, ran))
    return "\t".join((str(timing_of(job)), sha256, *said, covers(job), checked, encoded(ran)))


def sizes(job: Job) -> tuple[str, ...]:
    """Payloads that the page offers, as the column `checked` names them."""
    if lengths_of(job) == (None,):
        return ("any",)
    shape = MODES[str(job.mode)]
    return tuple(str(n) for n in PAYLOADS if n in shape.payloads)


def asked(job: Job, size: str) -> Job:
    """The measurement of that payload."""
    return job if size == "any" else replace(job, bytes=int(size))


def is_kept(job: Job) -> bool:
    """Every proof of the job's image is in the store."""
    sha256, timing = build.build(job).sha256, timing_of(job) or ""
    return all(remembered(sha256, timing, size) is not None for size in lengths_of(job))


def images(platforms: tuple[str, ...], modes: tuple[str, ...]) -> Iterator[Job]:
    """All images of these platforms and modes."""
    for one in platforms:
        yield from block_images(one)
    for one, mode in product(platforms, modes):
        yield from message_images(one, mode)


def lines_of(jobs: Iterable[Job]) -> list[str]:
    """The lines of those images that are proved; key set-ups of several modes may be one image."""
    return sorted(set(filter(None, map(line, jobs))))


def text(platforms: tuple[str, ...], lines: Iterable[str]) -> str:
    """The file with these lines."""
    compilers = {name: build.compiler_version(platform_named(name)) for name in platforms}
    head = [
        "# SPDX-License-Identifier: MIT",
        "# Images proved independent of secrets; written by tools/record_proofs.py.",
        *(f"# {name}: {version}" for name, version in compilers.items()),
        "\t".join(COLUMNS),
    ]
    return "\n".join((*head, *lines)) + "\n"


def differing(path: Path, platforms: tuple[str, ...], modes: tuple[str, ...]) -> list[str]:
    """Recorded lines of these platforms and modes that are not made again, and their new ones."""
    known = {sha256 for _, sha256 in recorded(path)}
    jobs = (job for job in images(platforms, modes) if build.build(job).sha256 in known)
    told = [one.split("\t") for one in path.read_text(encoding="utf-8").splitlines()]
    before = {
        tuple(cells)
        for cells in told
        if len(cells) == len(COLUMNS) and cells[2] in platforms and cells[5] in (*modes, "-")
    }
    named = {cells[2:7] for cells in before}  # an image may have more names than are recorded
    made = {tuple(one.split("\t")) for one in lines_of(jobs)}
    after = {cells for cells in made if cells[2:7] in named}
    return sorted(" ".join(cells[:8]) for cells in before ^ after)


def main() -> int:
    """Write the file, or compare it."""
    ask = argparse.ArgumentParser(description="Record which images are proved.")
    ask.add_argument("--check", action="store_true", help="prove what is recorded, and compare")
    ask.add_argument("--kept", action="store_true", help="record what is proved already, no more")
    ask.add_argument("--platform", default=",".join(PLATFORMS), help="these platforms alone")
    ask.add_argument("--mode", default=",".join(MESSAGES), help="these modes alone")
    ask.add_argument("--output", type=Path, default=RECORDED, help="the file to write")
    given = ask.parse_args()
    before = time.process_time()
    platforms, modes = tuple(given.platform.split(",")), tuple(given.mode.split(","))
    if given.check:
        wrong = differing(given.output, platforms, modes)
        print(f"{len(wrong)} lines differ; {time.process_time() - before:.0f} s of processor")
        for one in wrong:
            print(one, file=sys.stderr)
        if wrong:
            print("renew them with: tools/record_proofs.py", file=sys.stderr)
        return 1 if wrong else 0
    jobs = images(platforms, modes)
    lines = lines_of(filter(is_kept, jobs) if given.kept else jobs)
    given.output.write_text(text(platforms, lines), encoding="utf-8")
    print(f"{len(lines)} lines in {time.process_time() - before:.0f} s of processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
