# SPDX-License-Identifier: MIT
"""Images under proof: of the library, of a library with a fault, of an image with a flipped bit."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from platform import machine

import pytest

from aesfit.building import sources
from aesfit.extras import PROOFS, missing
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.freestanding import followed
from aesfit.rigs import why_not

LACKING = missing("the prover", PROOFS) or why_not(platform_named("cortex-m3"))
needs_prover = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))
on_x86 = machine() == "x86_64"
needs_x86 = pytest.mark.skipif(not on_x86, reason="gcc makes code of another processor")

ENCRYPT, DECRYPT = "encrypt-block", "decrypt-block"


def block_job(platform: str, core: str, op: str = ENCRYPT, key_bits: int = 128) -> Job:
    """A core's key set-up and blocks."""
    return Job(followed(platform_named(platform)), core, key_bits, op)


def plant(
    folder: Path, patch: pytest.MonkeyPatch, file: str, edits: Sequence[tuple[str, str]]
) -> None:
    """From here on the library is a copy in which each text, found once, is another."""

    def edited(text: str) -> str:
        for old, new in edits:
            assert text.count(old) == 1, f"{file} holds {old!r} {text.count(old)} times"
            text = text.replace(old, new)
        return text

    change(folder, patch, file, edited)


def change(
    folder: Path, patch: pytest.MonkeyPatch, file: str, edited: Callable[[str], str]
) -> None:
    """From here on the library is a copy in which the text of a file is another."""
    library = folder / "lib"
    shutil.copytree(sources.library_folder(), library)
    path = library / "src" / file
    path.write_text(edited(path.read_text(encoding="utf-8")), encoding="utf-8")
    patch.setattr(sources, "library_folder", lambda: library)


def line_of(file: str, text: str) -> int:
    """Number of the one line of a library file that holds a text."""
    lines = (sources.library_folder() / "src" / file).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found
