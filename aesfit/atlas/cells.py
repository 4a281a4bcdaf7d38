# SPDX-License-Identifier: MIT
"""Rows as cells of the atlas, and back: what follows from the job is left out.

The cell of an image is `digest:code:tables:context`, in bytes; the digest is whole and in
base64 where a proof may name it, else its first digits in hex.  What no answer shows is left out
(abridged).  The cell of a run is `cycles:instructions:stack:time`, where `100~6` cycles are the
middle of 97 and 103, `100^8` are 8 lost to cache misses, and time is s (independent of the key), u
(independent here) or n (depends on the key).  Two fields may follow, for what the row says in words
of its cycles and of its memory.
"""

import re
import shlex
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..building.build import Image, Sizes, window
from ..building.toolchain import toolchain_of
from ..jobs.job import Job, Provenance, Row
from ..jobs.secrecy import Secrecy, Timing, runs_agree
from ..rigs.accounts import row as row_of
from ..rigs.emulator.rig import RUNS
from .keys import timing_sha256

DIGITS = 8
"""Of the digest of an image that no proof can name."""
_MESSAGE = "encrypt"
"""The operation whose words an answer shows."""
_WHOLE = ("both", "message")
"""Operations of which an answer takes the sizes alone."""
_TIMES: dict[str, Timing] = {
    "s": "independent",
    "u": "independent here",
    "n": "depends on the key",
}
_LETTERS = {time: letter for letter, time in _TIMES.items()}
"""The evidence is always the emulator's runs; a proof is added when a row is read, for it may come
later than the row."""
_WORDS = {
    "s": "cycles over 4 secrets",
    "w": "cycles without stalls over 4 secrets",
    "c": "cycles when cold",
}
_TOLD = re.compile(r"(\d+)(?: to (\d+))? (cycles.*)")
_SHORT = re.compile(r"(\d+)(?:-(\d+))?([swc])")
_NUMBER = re.compile(r"(\d+)(?:~(\d+))?(?:\^(\d+))?")


class UnfitRowError(ValueError):
    """A row that cells cannot hold, or cells that hold no row."""


@dataclass(frozen=True)
class Setting:
    """What all rows of a platform share and no job says."""

    compiler: str
    """First line of its --version."""
    version: str
    """Of aesfit."""
    memory: str
    """How every `Provenance.memory` begins."""


def abridged(job: Job, row: Row, memory: str) -> Row:
    """The row as the atlas keeps it; `memory`: how the provenance of every row begins."""
    told = row.provenance
    if job.op != _MESSAGE:
        told = replace(told, window=window(job), memory=memory)
    if row.timing != "independent":
        told = replace(told, image_sha256=told.image_sha256[:DIGITS])
    if job.op in _WHOLE:
        row = replace(row, instructions=None, cycles_min=None, cycles_max=None)
    return replace(row, provenance=told)


def image_cell(row: Row) -> str:
    """What is flashed for the operation."""
    digest = _packed(row.provenance.image_sha256)
    return f"{digest}:{row.code_bytes}:{row.table_bytes}:{row.context_bytes}"


def _packed(digest: str) -> str:
    """A whole digest in base64, without the padding: two thirds of its length in hex."""
    if len(digest) == DIGITS:
        return digest
    return urlsafe_b64encode(bytes.fromhex(digest)).decode().rstrip("=")


def _unpacked(digest: str) -> str:
    """In hex, as sha256sum prints it."""
    return digest if len(digest) == DIGITS else urlsafe_b64decode(f"{digest}=").hex()


def names_image(cell: str, sha256: str) -> bool:
    """Whether the cell of an image has this digest, as far as the cell holds its digits."""
    return sha256.startswith(_unpacked(cell.partition(":")[0]))


def run_cell(job: Job, row: Row, memory: str) -> str:
    """What one run showed, of an abridged row."""
    told = _rest(row.provenance.window, window(job)), _rest(row.provenance.memory, memory)
    counted = "" if row.instructions is None else row.instructions
    fields = (_cycles(row), counted, row.stack_bytes, _LETTERS[row.timing])
    shortened = ";".join(map(_shortened, told[0].split("; ")[1:]))
    cell = ":".join(map(str, (*fields, shortened, told[1])))
    return cell.rstrip(":")


def row_from(job: Job, image: str, run: str, sources: str, setting: Setting) -> Row:
    """The row that two cells hold; `sources`: their digest.  UnfitRowError where they hold none."""
    try:
        packed, *sizes = image.split(":")
        digest = _unpacked(packed)
        code, tables, context = map(int, sizes)
        cycles, instructions, stack, time, *told = run.split(":")
    except ValueError:
        raise UnfitRowError(f"no cells of a row: {image} and {run}") from None
    told += [""] * (2 - len(told))
    held = Sizes(code, tables, context)
    middle, least, most, stalls = _counted(cycles)
    words = "".join(f"; {_lengthened(one)}" for one in told[0].split(";") if one)
    provenance = _provenance(job, sources, setting, window(job) + words, told[1])
    return row_of(
        job,
        Image(Path(), held, setting.compiler, provenance.flags, "", digest),
        cycles=middle,
        instructions=int(instructions) if instructions else None,
        stack_bytes=int(stack),
        secrecy=_secrecy(_TIMES[time]),
        provenance=provenance,
        stall_cycles=stalls,
        cycles_min=least,
        cycles_max=most,
    )


def _secrecy(timing: Timing) -> Secrecy:
    return Secrecy(timing, None if timing == "depends on the key" else runs_agree(RUNS))


def _provenance(job: Job, sources: str, setting: Setting, told: str, memory: str) -> Provenance:
    """`told`: what is inside the window; `memory`: what it says beyond the setting's words."""
    platform = job.platform
    compiler = platform.compiler
    flags = (*compiler.target, *compiler.optimise, *toolchain_of(platform).compile)
    return Provenance(
        sources_sha256=sources,
        platform_sha256=platform.sha256,
        timing_sha256=timing_sha256(platform.timing or ""),
        compiler=setting.compiler,
        flags=_joined(flags),
        rig=platform.rig,
        version=setting.version,
        window=told,
        memory=setting.memory + memory,
    )


@cache
def _joined(flags: tuple[str, ...]) -> str:
    """As one text; the same for most rows of a platform."""
    return shlex.join(flags)


def _cycles(row: Row) -> str:
    spread = stalls = ""
    if row.cycles_min is not None and row.cycles_max is not None:
        spread = f"~{row.cycles_max - row.cycles_min}"
    if row.stall_cycles is not None:
        stalls = f"^{row.stall_cycles}"
    text = f"{row.cycles}{spread}{stalls}"
    if _counted(text) != (row.cycles, row.cycles_min, row.cycles_max, row.stall_cycles):
        raise UnfitRowError(f"the cycles {text} of {row.core} are not the middle of their range")
    return text


def _counted(text: str) -> tuple[int, int | None, int | None, int | None]:
    """Cycles, the least and the most of them, and those lost to misses."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise UnfitRowError(f"no cycles: {text}")
    middle = int(found[1])
    stalls = None if found[3] is None else int(found[3])
    if found[2] is None:
        return middle, None, None, stalls
    spread = int(found[2])
    least = middle - (spread + 1) // 2  # the middle is rounded half up
    return middle, least, least + spread, stalls


def _rest(text: str, start: str) -> str:
    if not text.startswith(start):
        raise UnfitRowError(f"'{text}' does not begin with '{start}'")
    return text.removeprefix(start)


def _shortened(told: str) -> str:
    found = _TOLD.fullmatch(told)
    letter = next((one for one, words in _WORDS.items() if found and found[3] == words), None)
    if found is None or letter is None:
        raise UnfitRowError(f"the atlas has no short form of '{told}'")
    return f"{found[1]}-{found[2]}{letter}" if found[2] else f"{found[1]}{letter}"


def _lengthened(short: str) -> str:
    found = _SHORT.fullmatch(short)
    if found is None:
        raise UnfitRowError(f"no words: {short}")
    most = f" to {found[2]}" if found[2] else ""
    return f"{found[1]}{most} {_WORDS[found[3]]}"
