#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records which images are proved independent of secrets: aesfit/measuring/proven_images.tsv.

`aesfit measure` and `aesfit fit` give `proved` as the evidence of an image in this file, even if
the prover is not installed.  Digests change with the library, the flags, the compiler and the
linker, so the file must be renewed after a change of these; the store keeps proofs, so unchanged
images take no time.  The file is written after each platform, mode and key size, and keeps the
lines of all others.  `--missing` proves only images that the file does not have.  `--check` proves
images of the file anew, all of them or one part of `--parts`, and writes nothing; `--kept` proves
nothing.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from aesfit.building import build
from aesfit.catalog import MODES, Core, cores
from aesfit.choosing.multipliers import competing
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job
from aesfit.measuring.executed import encoded, unproved
from aesfit.measuring.proofs import (
    COLUMNS,
    RECORDED,
    covers,
    lengths_of,
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
MESSAGES = tuple(MODES)
"""Modes proved over cores that encrypt two blocks at once."""
BLOCKS = "-"
"""What stands for blocks alone in the place of a mode."""
KEY_BITS = (128, 192, 256)
LANES = 2
_SETUPS = ("key-setup-encrypt", "key-setup-decrypt")
_BLOCKS = ("encrypt-block", "decrypt-block")


def constant_time(platform: Platform) -> list[Core]:
    """The cores that claim to be constant-time and that the platform can run."""
    return [core for core in cores() if core.constant_time and not lacks(core, platform)]


def block_images(platform: Platform, bits: int) -> Iterator[Job]:
    """Key set-up and blocks of every constant-time core."""
    for core, op in product(constant_time(platform), (*_SETUPS, *_BLOCKS)):
        yield Job(platform, core.name, bits, op)


def message_images(platform: Platform, mode: str, bits: int) -> Iterator[Job]:
    """All images of a mode that `measure` and `fit` use."""
    backward = ("decrypt", "both") if MODES[mode].verifies else ()
    for core in constant_time(platform):
        if core.lanes != LANES or bits not in MODES[mode].key_bits:
            continue
        for ghash in _multipliers(platform, core.name) if mode == "gcm" else (None,):
            for op in ("key-setup", "encrypt", *backward):
                size = MODES[mode].least if op == "key-setup" else 16
                job = Job(platform, core.name, bits, op, mode=mode, bytes=size)
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
    shape = job.shape
    return tuple(str(n) for n in PAYLOADS if n in shape.payloads)


def asked(job: Job, size: str) -> Job:
    """The measurement of that payload."""
    return job if size == "any" else replace(job, bytes=int(size))


def is_kept(job: Job) -> bool:
    """Every proof of the job's image is in the store."""
    sha256, timing = build.build(job).sha256, timing_of(job) or ""
    return all(remembered(sha256, timing, size) is not None for size in lengths_of(job))


@dataclass(frozen=True)
class ImageGroup:
    """Images that are recorded together."""

    platform: str
    mode: str
    """Or BLOCKS."""
    key_bits: int

    def images(self) -> Iterator[Job]:
        """All of them."""
        found = platform_named(self.platform)
        if self.mode == BLOCKS:
            return block_images(found, self.key_bits)
        return message_images(found, self.mode, self.key_bits)

    def holds(self, line: str) -> bool:
        """The line is of one of them."""
        cells = line.split("\t")
        return (cells[2], cells[5], cells[4]) == (self.platform, self.mode, str(self.key_bits))


def lines_of(jobs: Iterable[Job]) -> list[str]:
    """The lines of those images that are proved; key set-ups of several modes may be one image."""
    return sorted(set(filter(None, map(line, jobs))))


def told(path: Path) -> list[str]:
    """The lines of a file, without its head."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [one for one in lines if len(one.split("\t")) == len(COLUMNS)][1:]


def text(lines: Iterable[str]) -> str:
    """The file with these lines."""
    compilers = {name: build.compiler_version(platform_named(name)) for name in PLATFORMS}
    head = [
        "# SPDX-License-Identifier: MIT",
        "# Images proved independent of secrets; written by tools/record_proofs.py.",
        *(f"# {name}: {version}" for name, version in compilers.items()),
        "\t".join(COLUMNS),
    ]
    return "\n".join((*head, *sorted(set(lines)))) + "\n"


def differing(path: Path, groups: Iterable[ImageGroup], part: int, parts: int) -> list[str]:
    """Recorded lines of these groups that are not made again, and their new ones.

    Of an image that may be called by more names than are recorded, only these are compared.
    """
    found: list[str] = []
    lines = [one for one in told(path) if int(one.split("\t")[1], 16) % parts == part % parts]
    for group in groups:
        before = {one for one in lines if group.holds(one)}
        named = {tuple(one.split("\t")[2:7]) for one in before}
        known = {one.split("\t")[1] for one in before}
        jobs = [job for job in group.images() if _name(job) in named] if before else []
        made = lines_of(job for job in jobs if parts == 1 or build.build(job).sha256 in known)
        found += sorted(" ".join(one.split("\t")[:8]) for one in before ^ set(made))
    return found


def _name(job: Job) -> tuple[str, ...]:
    return (job.platform.name, job.core, str(job.key_bits), job.mode or BLOCKS, job.op)


def record(path: Path, group: ImageGroup, kept: bool, missing: bool) -> int:
    """Renew the lines of a group, and say how many there are."""
    before = {one for one in told(path) if group.holds(one)}
    jobs, known = list(group.images()), {_image(one): one for one in before}
    lines = [known[one] for one in map(_called, jobs) if missing and one in known]
    jobs = [job for job in jobs if not missing or _called(job) not in known]
    lines += lines_of(filter(is_kept, jobs) if kept else jobs)
    others = [one for one in told(path) if one not in before]
    path.write_text(text([*others, *lines]), encoding="utf-8")
    return len(lines)


def _image(line: str) -> tuple[str, ...]:
    """What a line is about, and what its proof covers."""
    return tuple(line.split("\t")[:8])


def _called(job: Job) -> tuple[str, ...]:
    """The same of a job."""
    return (str(timing_of(job)), build.build(job).sha256, *_name(job), covers(job))


def groups_of(platforms: str, modes: str, key_bits: str) -> list[ImageGroup]:
    """Every combination, mode by mode."""
    chosen = product(modes.split(","), map(int, key_bits.split(",")), platforms.split(","))
    return [ImageGroup(platform, mode, bits) for mode, bits, platform in chosen]


def main() -> int:
    """Write the file, or compare it."""
    ask = argparse.ArgumentParser(description="Record which images are proved.")
    ask.add_argument("--check", action="store_true", help="prove what is recorded, and compare")
    ask.add_argument("--part", type=int, default=0, help="with --check: the part, from 0")
    ask.add_argument("--parts", type=int, default=1, help="with --check: the number of parts")
    ask.add_argument("--kept", action="store_true", help="record what is proved already, no more")
    ask.add_argument("--missing", action="store_true", help="leave recorded images as they are")
    ask.add_argument("--platform", default=",".join(PLATFORMS), help="these platforms alone")
    ask.add_argument(
        "--mode",
        default=",".join((BLOCKS, *MESSAGES)),
        help=f"these modes alone; {BLOCKS} is blocks",
    )
    ask.add_argument(
        "--key-bits", default=",".join(map(str, KEY_BITS)), help="these sizes of key alone, in bits"
    )
    ask.add_argument("--output", type=Path, default=RECORDED, help="the file to write")
    given = ask.parse_args()
    before = time.process_time()
    groups = groups_of(given.platform, given.mode, given.key_bits)
    if given.check:
        wrong = differing(given.output, groups, given.part, given.parts)
        print(f"{len(wrong)} lines differ; {time.process_time() - before:.0f} s of processor")
        for one in wrong:
            print(one, file=sys.stderr)
        if wrong:
            print("renew them with: tools/record_proofs.py", file=sys.stderr)
        return 1 if wrong else 0
    for group in groups:
        count = record(given.output, group, given.kept, given.missing)
        used = time.process_time() - before
        said = f"{group.platform} {group.mode} {group.key_bits}"
        print(f"{said}: {count} lines, {used:.0f} s of processor", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
