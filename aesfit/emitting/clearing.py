# SPDX-License-Identifier: MIT
"""How much of the stack the calls of a drop-in have to clear, shown of its own images.

The library clears a constant that is enough for any core on any microcontroller.  Files made for
one processor need clear no more than their own frames: a run without clearing gives the depth, and
the prover confirms that with it no more is left behind than with the library's constant.  Another
compiler may have deeper frames, so the depth stands in the file under a condition on the macros of
the compiler that it was confirmed with; any other compiler clears the library's constant.
"""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..building.build import compiler_version
from ..building.tools import Tool
from ..building.unit import DropIn
from ..errors import ArgumentError
from ..jobs.job import Progress
from ..measuring.measure import Refusal
from ..measuring.measure import measure as measure_jobs
from ..platforms.platform import Platform

_LEVELS: Mapping[str, tuple[str, ...]] = {
    "defined(__OPTIMIZE_SIZE__)": ("-Os", "-Oz"),
    "defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)": ("-Og", "-O1", "-O2", "-O3"),
}
"""Levels of the compiler, by the condition that holds at them and at no other."""
Left = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]
"""Secret bytes by the function that wrote them, and registers that hold a secret."""
_SWITCH, _STEP, _MOST = "AESFIT_CLEAR_BYTES", 32, 1024
"""The library's switch, which takes multiples of the step; more than any call needs."""
_INTERRUPT = 96
"""More than a Cortex-M saves of an interrupted call below its stack: 36 bytes (DDI 0403E, B1.5.6),
and the handler's eight registers."""
_COMPILER = ("__GNUC__", "__GNUC_MINOR__")
_INSTRUCTIONS: Mapping[str, tuple[str, ...]] = {
    "__arm__": ("__ARM_ARCH", "__ARM_ARCH_PROFILE", "__thumb__", "__ARM_FEATURE_DSP",
                "__ARM_FEATURE_UNALIGNED", "__SOFTFP__"),
    "__riscv": ("__riscv_xlen", "__riscv_mul", "__riscv_compressed", "__riscv_zbb",
                "__riscv_zbkb", "__riscv_32e"),
}  # fmt: skip
"""Macros that name the instructions which the compiler may use, by that of the architecture."""
_CHANGE_FRAMES = ("__clang__", "__NO_INLINE__", "__PIC__", "__SSP__", "__SSP_ALL__",
                  "__SSP_STRONG__", "__SANITIZE_ADDRESS__")  # fmt: skip
"""Macros of compilers and options that were not tried, and that change frames."""


@dataclass(frozen=True)
class ClearedDepth:
    """What files clear where a condition on the compiler's macros holds."""

    condition: str
    bytes: int
    levels: tuple[str, ...]
    """Levels of optimisation that it was confirmed at."""


def check(platform: Platform | None, in_pieces: bool) -> None:
    """Raise ValueError if the depth cannot be confirmed."""
    if platform is None:
        reason = "it depends on the compiler of one platform; give {platform} too"
    elif in_pieces:
        reason = "it is confirmed of whole messages; leave {streaming} and {all_functions} out"
    elif not platform.emulated:
        reason = f"it is confirmed of processors that are emulated; {platform.name} is not"
    else:
        return
    raise ArgumentError(reason, argument="least_ram")


def confirmed(
    jobs: Sequence[DropIn], progress: Progress, level: str | None = None
) -> tuple[ClearedDepth, ...]:
    """The depth for each condition; RuntimeError if none can be confirmed.

    `jobs`: all operations of the files, on a platform whose images can be proved.
    `level`: only for the condition that holds there.
    """
    wanted = {one: levels for one, levels in _LEVELS.items() if level in (None, *levels)}
    total, over, found = len(jobs) * sum(map(len, wanted.values())), 0, list[ClearedDepth]()

    def told(done: int) -> None:
        progress(over + done, total)

    for condition, levels in wanted.items():
        compiled = [replace(job, flags=(level,)) for level in levels for job in jobs]
        every = f"{_compiler(jobs[0].platform)} && {condition}"
        found.append(ClearedDepth(every, _enough(compiled, told) + _INTERRUPT, levels))
        over += len(compiled)
    return tuple(found)


def written(depths: Sequence[ClearedDepth]) -> str:
    """The lines for the .c."""
    if not depths:
        return ""
    lines = [
        "",
        "/* Bytes of stack that a call clears.  With these, less the last "
        f"{_INTERRUPT}, it leaves no more behind",
        f" * than with {_MOST:,}: proved by aesfit of these levels, for this compiler, these "
        "instructions, and",
        f" * messages as short as its proofs run.  The {_INTERRUPT} are for registers that an "
        "interrupt saves; its",
        " * handler's own frames stay.  Other compilers take the constants further down. */",
    ]
    for at, one in enumerate(depths):
        condition = f"#{'el' if at else ''}if !defined({_SWITCH}) && {one.condition}"
        lines += [" \\\n    ".join(textwrap.wrap(condition, 96, break_long_words=False))]
        lines += [f"#define {_SWITCH} {one.bytes} /* {', '.join(one.levels)} */"]
    return "\n".join([*lines, "#endif", ""])


def _depth(job: DropIn) -> int:
    """The multiple of the step that is above what a run reaches below the public function."""
    bare, whole = _stack(_with(job, "AESFIT_CLEAR=0")), _stack(_cleared(job, _MOST))
    return -(-(bare - (whole - _MOST)) // _STEP) * _STEP


def _stack(job: DropIn) -> int:
    (row,) = measure_jobs([job])
    if isinstance(row, Refusal):
        raise RuntimeError(f"{job.mode} {job.op} with {' '.join(job.flags or ())}: {row.reason}")
    return row.stack_bytes or 0


def _cleared(job: DropIn, size: int) -> DropIn:
    return _with(job, f"{_SWITCH}={size}")


def _with(job: DropIn, macro: str) -> DropIn:
    return replace(job, flags=(*(job.flags or ()), f"-D{macro}"))


def _enough(jobs: Sequence[DropIn], told: Callable[[int], None]) -> int:
    """The bytes that all of the jobs were shown to need no more than.

    The cleared array may begin a few words apart from the frames that it covers, so the depth of a
    run is tried first, and then steps beyond it.
    """
    size, at = max(map(_depth, jobs)), 0
    while at < len(jobs):
        if _is_enough(jobs[at], size):
            at += 1
            told(at)
        else:
            size, at = size + _STEP, 0
        if size >= _MOST:
            raise RuntimeError("no depth of the stack could be confirmed; leave --least-ram out")
    return size


def _is_enough(job: DropIn, size: int) -> bool:
    """No more is left behind than by the deepest clearing."""
    return _left(_cleared(job, size)) == _left(_cleared(job, _MOST))


@cache
def _left(job: DropIn) -> list[Left]:
    """What is left behind at each length."""
    from ..proving.prove import left_behind  # it cannot be imported without the extra

    return left_behind(job)


@cache
def _compiler(platform: Platform) -> str:
    """A condition that holds of this compiler and these instructions."""
    compiler = platform.compiler
    command = (compiler.command, *compiler.target)
    tool = Tool(compiler.command, compiler_version(platform), command)
    told = tool.run(["-dM", "-E", "-xc", "/dev/null"])
    macros = dict(re.findall(r"^#define (\w+) ?(.*)$", told, re.MULTILINE))
    (known,) = [names for one, names in _INSTRUCTIONS.items() if one in macros]
    alike = [
        f"{one} == {macros[one]}" if one in macros else f"!defined({one})"
        for one in (*_COMPILER, *known)
    ]
    return " && ".join(alike + [f"!defined({one})" for one in _CHANGE_FRAMES])
