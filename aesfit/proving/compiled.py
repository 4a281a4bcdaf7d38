# SPDX-License-Identifier: MIT
"""The image of a job with its lines: linked again with -g, and compared with what is measured.

-g changes no byte that takes memory.  The comparison holds the compiler to it, so that what is
proved of this image is true of the other.
"""

from pathlib import Path

from ..building import build, sources
from ..building.linker import linker_script
from ..building.toolchain import toolchain_of
from ..building.tools import Tool
from ..building.unit import DropIn, entries, units
from ..jobs.job import Job
from ..store import closure
from ..store.contents import cached, key
from .image import ProofImage, read_image

_DEBUG = ("-g", "-gdwarf-4")
MAPPED = "lib"
"""What the library's folder is called in the lines of images."""
_DISCARDED = ".debug*"
"""What the linker script leaves out, and a proof needs."""


class ProofImageError(RuntimeError):
    """The image with lines is not the image that is measured."""


def proof_image(job: Job) -> ProofImage:
    """The measured image of a job, with lines."""
    built, image = build.build(job), unmeasured_image(job)
    if image.sha256 != built.sha256:
        raise ProofImageError(
            f"{job.core} on {job.platform.name}: the image changes when it is compiled with -g, so "
            "its lines say nothing about what is measured"
        )
    return image


def unmeasured_image(job: Job) -> ProofImage:
    """The image of a job with lines, which nobody has compared with the one that is measured."""
    return read_image(_linked(job), job.platform.isa)


def _linked(job: Job) -> Path:
    name = key("proof image", build.digest(job), _DEBUG, closure.digest(__name__))

    def make(target: Path) -> dict[str, object]:
        _link(job, target)
        return {}

    return cached(name, ".elf", make)[0]


def _link(job: Job, target: Path) -> None:
    """The commands of building/build.py with _DEBUG, and a linker script that keeps the lines."""
    compiler, ways = job.platform.compiler, toolchain_of(job.platform)
    debug = (*_DEBUG, f"-ffile-prefix-map={sources.library_folder()}={MAPPED}")
    optimise = compiler.optimise if job.flags is None else job.flags
    flags = (*compiler.target, *optimise)
    tool = Tool(compiler.command, build.compiler_version(job.platform), (compiler.command, *flags))
    folder = target.parent
    script = folder / "proof.ld"
    text = linker_script(job).replace(_DISCARDED, "")
    script.write_text(text, encoding="utf-8")
    apart = ways.compile_apart if isinstance(job, DropIn) else ways.compile
    objects = []
    for number, unit in enumerate(units(job)):
        source, made = _kept(unit), folder / f"unit{number}.o"
        tool.run([*apart, *debug, *build.include_flags(), "-c", source, "-o", made])
        objects.append(made)
    objects.append(_support(tool, (*apart, *ways.support, *_DEBUG), ways.support_text))
    roots = (*ways.roots, *entries(job), "rig_context_bytes")
    roots += job.roots if isinstance(job, DropIn) else ()
    wanted = [f"-Wl,--undefined={root}" for root in roots]
    link = [one for one in ways.link if "orphan" not in one]
    tool.run(
        [*link, "-T", script, f"-Wl,--entry={roots[0]}", *wanted, *objects, *ways.libraries,
         "-o", target]
    )  # fmt: skip


def _support(tool: Tool, flags: tuple[str, ...], unit: str) -> Path:
    """What else is in the image, which includes nothing of the library: the same for many jobs."""
    asked = tool.command, tool.version, flags, build.text_digest(unit)

    def make(target: Path) -> dict[str, object]:
        tool.run([*flags, *build.include_flags(), "-c", _kept(unit), "-o", target])
        return {}

    return cached(key("proof support", *asked, closure.digest(__name__)), ".o", make)[0]


def _kept(unit: str) -> Path:
    """A unit as a file that stays, so that its lines can be looked at."""

    def make(target: Path) -> dict[str, object]:
        target.write_text(unit, encoding="utf-8")
        return {}

    return cached(key("proof unit", unit), ".c", make)[0]
