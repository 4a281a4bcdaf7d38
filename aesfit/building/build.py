# SPDX-License-Identifier: MIT
"""From (core, operation, platform, options) to an image and its sizes; cached by content.

What is compiled is the library's own source, bound to one core and one mode at compile time, with
the harness of building/firmware/ around it; what is linked is what this one operation reaches.

The block functions are the core's own to the instruction.  Key expansion is made to measure for one
key size and the directions in use, as in a firmware that has one (building/firmware/harness.c).
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from ..extras import SIZES, missing
from ..jobs.job import Job
from ..platforms.platform import Platform
from ..store import closure
from ..store.contents import CacheError, cache_folder, cached, key
from . import sources
from .linker import linker_script
from .loaded import image_sha256, loaded
from .sources import library_folder
from .toolchain import COMMON_FLAGS, toolchain_of
from .unit import DropIn, entries, measured, unit_source, units, window

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

__all__ = [
    "COMMON_FLAGS",
    "BuildError",
    "Image",
    "Sizes",
    "build",
    "cache_folder",
    "compile_object",
    "compile_unit",
    "compiler_line",
    "compiler_version",
    "digest",
    "entries",
    "library_folder",
    "measured",
    "unit_source",
    "why_not",
    "window",
]

FIRMWARE = Path(__file__).resolve().parent / "firmware"

_SHF_ALLOC = 2
_SECTIONS = (".code", ".tables", ".harness")


class BuildError(RuntimeError):
    """A compiler or linker is missing or failed; the message says which command would help."""


@dataclass(frozen=True)
class Sizes:
    """What the linked image holds, in bytes; code, tables and harness are all that it holds."""

    code_bytes: int
    """Code and constants, tables left out, the harness's own left out."""
    table_bytes: int
    context_bytes: int
    """RAM of the expanded key, or of the mode's key."""
    harness_bytes: int = 0
    """What the rig added and no firmware carries."""


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
    sha256: str
    """Of the bytes that take memory, with their addresses (building/loaded.py)."""


def include_folders() -> tuple[Path, ...]:
    """Where a job's translation unit includes from."""
    return (*sources.include_folders(), FIRMWARE)


def include_flags() -> tuple[str, ...]:
    """include_folders() as compilers take them."""
    return tuple(f"-I{folder}" for folder in include_folders())


def why_not(platform: Platform) -> str | None:
    """None when the compiler is there; else a sentence with the command that installs it."""
    if shutil.which(platform.compiler.command):
        return missing("reading sizes", SIZES)
    return (
        f"{platform.name} needs the compiler {platform.compiler.command}; install it "
        f"with: sudo apt-get install {platform.compiler.package}"
    )


@cache
def compiler_line(command: str) -> str:
    """First line of what a compiler says of its version."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode or not done.stdout.strip():
        raise BuildError(f"{command} does not run: `--version` failed")
    return done.stdout.splitlines()[0]


@cache
def _linker_line(command: tuple[str, ...]) -> str:
    asked = [*command, "-Wl,--version"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode or not done.stdout.strip():
        raise BuildError(f"{command[0]} calls no linker that works: it tells no version")
    return done.stdout.splitlines()[0]


def linker_version(platform: Platform) -> str:
    """First line of the --version of the linker that the compiler calls."""
    compiler, link = platform.compiler, toolchain_of(platform).link
    return _linker_line((compiler.command, *compiler.target, *link))


def compiler_version(platform: Platform) -> str:
    """First line of the compiler's --version."""
    reason = why_not(platform)
    if reason:
        raise BuildError(reason)
    return compiler_line(platform.compiler.command)


def _run(command: Sequence[str], target: Path, text: str = "") -> None:
    """Run a command that makes `target`."""
    done = subprocess.run(  # noqa: S603
        [*command, "-o", str(target)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        cwd=FIRMWARE,
    )
    always = {*COMMON_FLAGS, "-nostdlib", "-fuse-ld=lld"}
    shown = shlex.join(takewhile(lambda word: word not in always, command))
    if done.returncode != 0:
        raise BuildError(f"{_complaint(done.stderr)} (command: {shown} ...)")
    if not target.is_file():
        raise BuildError(f"the compiler made no {target.suffix} file (command: {shown} ...)")


def _complaint(output: str) -> str:
    """The line of a compiler or linker that says what is wrong."""
    idle = re.compile(r"collect2:|.*\bwarning:|.*: in function `")
    told = [line.strip() for line in output.splitlines() if not idle.match(line)]
    lines = [line.rpartition("bin/ld: ")[2] for line in told]
    wrong = (line for line in lines if re.search(r"error:|undefined|overlaps|region|\bld:", line))
    return next(wrong, lines[0] if lines else "failed without a message")


def _flags(job: Job) -> tuple[str, ...]:
    optimise = job.platform.compiler.optimise if job.flags is None else job.flags
    return (*job.platform.compiler.target, *optimise)


def _compile(command: Sequence[str], text: str, version: str) -> Path:
    """Object made of a translation unit's text."""
    name = key("object", list(command), text_digest(text), version, _own())

    def make(target: Path) -> dict[str, object]:
        _run([*command, *include_flags(), "-x", "c", "-c", "-"], target, text)
        return {}

    return cached(name, ".o", make)[0]


def compile_object(platform: Platform, text: str) -> Path:
    """Object made of C that includes of the library, with the flags of the platform's images."""
    version = compiler_version(platform)
    compiler = platform.compiler
    flags = (*compiler.target, *compiler.optimise, *toolchain_of(platform).compile)
    return _compile([compiler.command, *flags], text, version)


def text_digest(text: str) -> str:
    """SHA-256 of a translation unit with all that it includes of the library and the harness."""
    return sources.digest(text, include_folders())


def _link(command: Sequence[str], job: Job, target: Path) -> None:
    try:
        _run(command, target)
    except BuildError as error:
        full = re.search(r"region `(\w+)'", str(error))
        if full is None:
            raise
        what = f"{job.core}, {job.mode or 'block'} {job.op}"
        size = job.platform.memory(full[1]).size
        raise BuildError(
            f"{what}, does not fit in the {size} bytes of {full[1]} of {job.platform.name}"
        ) from None


def _plan(job: Job) -> tuple[list[str], str, tuple[str, ...], str, tuple[str, ...]]:
    """Compiler command, its version, the units, the linker script and the entries."""
    version = compiler_version(job.platform)
    ways = toolchain_of(job.platform)
    flags, roots = ways.compile, (*ways.roots, *entries(job), "rig_context_bytes")
    if isinstance(job, DropIn):
        flags, roots = ways.compile_apart, (*roots, *job.roots)
    command = [job.platform.compiler.command, *_flags(job), *flags]
    return command, version, units(job), linker_script(job), roots


def _sources_sha256(job: Job, texts: Iterable[str]) -> str:
    support = toolchain_of(job.platform).support_text
    return key(*map(text_digest, texts), text_digest(support))


def digest(job: Job) -> str:
    """Digest of all that the image depends on: sources, harness, flags, tools, this code."""
    command, version, texts, script, roots = _plan(job)
    tools = version, linker_version(job.platform)
    return key("image", command, tools, _sources_sha256(job, texts), script, roots, _own())


def _own() -> str:
    """Digest of what composes commands and reads sizes: toolchain.py among others."""
    return closure.digest(__name__)


def build(job: Job) -> Image:
    """Build the image of a job, or take it from the cache."""
    command, version, texts, script, roots = _plan(job)
    ways = toolchain_of(job.platform)

    def make(target: Path) -> dict[str, object]:
        support = [*command, *ways.support]
        objects = (
            *(_compile(command, text, version) for text in texts),
            _compile(support, ways.support_text, version),
        )
        note = target.with_suffix(".ld")
        note.write_text(script, encoding="utf-8")
        wanted = (f"-Wl,--undefined={root}" for root in roots)
        link = [command[0], *_flags(job), *ways.link, "-T", str(note), f"-Wl,--entry={roots[0]}"]
        _link([*link, *wanted, *map(str, objects), *ways.libraries], job, target)
        return {"sizes": asdict(read_sizes(target)), "sha256": read_sha256(target)}

    try:
        elf, facts = cached(digest(job), ".elf", make)
    except CacheError as error:
        raise BuildError(str(error)) from None
    digests = _sources_sha256(job, texts)
    sizes, held = Sizes(**facts["sizes"]), str(facts["sha256"])
    return Image(elf, sizes, version, shlex.join(command[1:]), digests, held)


def read_sizes(elf: Path) -> Sizes:
    """Sizes of an image's three sections, and of the context that it asks for."""
    from elftools.elf.elffile import ELFFile  # of the extra: why_not() tells

    with elf.open("rb") as stream:
        file = ELFFile(stream)
        sizes = {s.name: s["sh_size"] for s in file.iter_sections() if s["sh_flags"] & _SHF_ALLOC}
        stray = sorted(name for name, size in sizes.items() if size and name not in _SECTIONS)
        if stray:
            raise BuildError(f"{elf} holds more than {', '.join(_SECTIONS)}: {', '.join(stray)}")
        code, tables, harness = (sizes.get(name, 0) for name in _SECTIONS)
        return Sizes(code, tables, word(file, "rig_context_bytes"), harness)


def read_sha256(elf: Path) -> str:
    """Digest of the bytes of an image that take memory."""
    from elftools.elf.elffile import ELFFile  # of the extra: why_not() tells

    with elf.open("rb") as stream:
        return image_sha256(loaded(ELFFile(stream)))


def word(file: "ELFFile", name: str) -> int:
    """The 32-bit constant of that name."""
    symbol = file.get_section_by_name(".symtab").get_symbol_by_name(name)[0]  # type: ignore[union-attr]
    section = file.get_section(symbol["st_shndx"])
    at = symbol["st_value"] - section["sh_addr"]
    return int.from_bytes(section.data()[at : at + 4], "little")


def compile_unit(job: Job, extra_sources: Iterable[Path], flags: Iterable[str]) -> Path:
    """A program or shared object for the host: the job's unit, C files beside it, more flags.

    The unit exports what entries() names and rig_context_bytes, and needs a libc's
    memcpy and memset.  `flags` come last and may add -shared, -fPIC, -lm.
    """
    version = compiler_version(job.platform)
    unit, extra = unit_source(job), list(extra_sources)
    command = [job.platform.compiler.command, *_flags(job), *COMMON_FLAGS]
    texts = [text_digest(path.read_text(encoding="utf-8")) for path in extra]
    tools, flags = (version, linker_version(job.platform)), tuple(flags)
    name = key("program", command, tools, text_digest(unit), texts, flags, _own())

    def make(target: Path) -> dict[str, object]:
        files = ["-x", "c", "-", *map(str, extra), "-x", "none"]
        _run([*command, *include_flags(), *files, *flags], target, unit)
        return {}

    return cached(name, ".bin", make)[0]
