# SPDX-License-Identifier: MIT
"""From (core, operation, platform, options) to an image and its sizes; cached by content.

What is compiled is the library's own source, bound to one core and one mode at compile time, with
the harness of rigs/firmware/ around it; what is linked is what this one operation reaches.
"""

from dataclasses import dataclass
from pathlib import Path

from .rigs.rig import Job


class BuildError(RuntimeError):
    """A compiler or linker is missing or failed; the message says which command would help."""


@dataclass(frozen=True)
class Sizes:
    """What the linked image holds, in bytes."""

    code_bytes: int
    """Code and constants, tables left out, the harness's own left out."""
    table_bytes: int
    context_bytes: int
    """RAM of the expanded key, or of the mode's key."""


@dataclass(frozen=True)
class Image:
    """A linked ELF file for one job."""

    elf: Path
    sizes: Sizes
    compiler: str
    """First line of the compiler's --version."""
    flags: str
    """All flags, as one line."""
    sources_sha256: str


def library_folder() -> Path:
    """The C library's sources: beside the package in a checkout, inside it once installed."""
    raise NotImplementedError


def cache_folder() -> Path:
    """The user's cache folder of aesfit; AESFIT_CACHE overrides it."""
    raise NotImplementedError


def why_not(job_or_platform: object) -> str | None:
    """None when the compiler is there; else a sentence with the command that installs it."""
    raise NotImplementedError


def digest(job: Job) -> str:
    """Digest of everything the image hangs on: sources, harness, flags, compiler, options."""
    raise NotImplementedError


def build(job: Job) -> Image:
    """Build the image of a job, or take it from the cache."""
    raise NotImplementedError
