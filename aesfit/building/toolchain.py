# SPDX-License-Identifier: MIT
"""How the compilers of emulated platforms are asked for an image.

gcc makes all of them but Hexagon's, which clang and lld make; they differ in flags and in what an
image needs beside the job's unit.
"""

from dataclasses import dataclass

from ..platforms.platform import Platform

_NO_LIBC = ("-std=c11", "-ffreestanding", "-fbuiltin")
_APART = ("-ffunction-sections", "-fdata-sections")
COMMON_FLAGS = (*_NO_LIBC, "-fwhole-program", *_APART)
"""No libc is needed, yet copies of known size stay single loads and stores (-fbuiltin); only what
the harness exports is seen from outside (-fwhole-program)."""

_IMAGE_FLAGS = ("-fno-pic", "-fno-asynchronous-unwind-tables", "-fno-stack-protector")
_LINK_FLAGS = ("-nostdlib", "-nostartfiles", "-Wl,--gc-sections")
_NO_ORPHANS = "-Wl,--orphan-handling=error"
"""Not for lld: to it the symbol table is an orphan.  read_sizes() refuses what takes memory."""


@dataclass(frozen=True)
class Toolchain:
    """One compiler's ways."""

    compile: tuple[str, ...]
    """After the platform's flags, for the job's unit."""
    support: tuple[str, ...]
    """After those, for what else is in the image: memcpy must not become a call of memcpy."""
    link: tuple[str, ...]
    """After the platform's flags."""
    libraries: tuple[str, ...]
    """Last when linking."""
    units: tuple[str, ...]
    """What else is in the image: files named from building/firmware."""
    roots: tuple[str, ...] = ()
    """Symbols of theirs that an image holds in any case; it starts at the first, and where there
    is none, at the job's first entry."""

    @property
    def compile_apart(self) -> tuple[str, ...]:
        """For a unit that is one file among others, as in a user's project."""
        return tuple(flag for flag in self.compile if flag != "-fwhole-program")

    @property
    def support_text(self) -> str:
        """The units as one text, so that they can be digested."""
        return "".join(f'#include "{unit}"\n' for unit in self.units)


_GCC = Toolchain(
    compile=(*COMMON_FLAGS, *_IMAGE_FLAGS),
    support=("-fno-whole-program", "-fno-builtin", "-fno-tree-loop-distribute-patterns"),
    link=(*_LINK_FLAGS, _NO_ORPHANS),
    libraries=("-lgcc",),
    units=("memory.c",),
)
_HEXAGON = Toolchain(
    compile=(*_NO_LIBC, *_APART, *_IMAGE_FLAGS),
    support=("-fno-builtin",),
    link=("-fuse-ld=lld", "-static", *_LINK_FLAGS),
    libraries=(),
    units=("memory.c", "hexagon_division.c", "hexagon_driver.c"),
    roots=("_start",),
)


def toolchain_of(platform: Platform) -> Toolchain:
    """How that platform's compiler is asked."""
    return _HEXAGON if platform.isa == "hexagon" else _GCC
