# SPDX-License-Identifier: MIT
"""What a platform or sweep file may say to a compiler, unless its user trusts it.

People pass such files around, and a compiler runs programs that its flags name: -wrapper, -fplugin,
-B, -specs, @file and others.  So a file that is not the project's own may name no command that the
project's files do not name, and no flag but those below: levels, processors and optimisations.
`aesfit --trust FILE` lifts that for one file.
"""

import re
from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path

from .places import project_folder

COMMANDS = ("arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "gcc", "clang")
"""Compilers that the project's own platform files name; a test compares."""
PACKAGES = re.compile(r"[a-z0-9][a-z0-9.+-]*( [a-z0-9][a-z0-9.+-]*)*")
"""Names by Debian's rule (Debian Policy, 5.6.1), which a sentence tells the user to install."""
_VALUE = r"[\w.+,-]+"
_OPTIMISATION = (
    "aggressive-loop-optimizations align-(functions|jumps|labels|loops) allocation-dce "
    "associative-math auto-inc-dec bit-tests branch-count-reg caller-saves code-hoisting "
    "combine-stack-adjustments compare-elim conserve-stack cprop-registers crossjumping "
    "cse-follow-jumps data-sections dce defer-pop delayed-branch dse early-inlining "
    "expensive-optimizations fast-math forward-propagate function-cse function-sections "
    "gcse(-[a-z-]+)? graphite(-identity)? guess-branch-probability hoist-adjacent-loads "
    "if-conversion2? indirect-inlining inline(-[a-z-]+)? ipa-[a-z-]+ ira-[a-z-]+ "
    "isolate-erroneous-paths-[a-z]+ ivopts jump-tables lifetime-dse live-range-shrinkage "
    "loop-[a-z-]+ lra-remat lto merge-[a-z-]+ modulo-sched(-allow-regmoves)? "
    "move-loop-(invariants|stores) omit-frame-pointer optimize-sibling-calls optimize-strlen "
    "partial-inlining peel-loops peephole2? pic pie PIC PIE predictive-commoning "
    "prefetch-loop-arrays ree rename-registers reorder-[a-z-]+ rerun-cse-after-loop "
    "reschedule-modulo-scheduled-loops sched2?-[a-z-]+ schedule-(fusion|insns2?) section-anchors "
    "sel-sched-[a-z-]+ selective-scheduling2? short-enums shrink-wrap(-separate)? "
    "simd-cost-model slp-vectorize split-[a-z-]+ ssa-[a-z]+ stack-protector(-[a-z]+)? stack-reuse "
    "stdarg-opt store-merging strict-aliasing thread-jumps toplevel-reorder tracer trapping-math "
    "tree-[a-z-]+ unroll-(all-)?loops unroll-completely-grow-size unswitch-loops "
    "variable-expansion-in-unroller vect-cost-model vectorize version-loops-for-strides "
    "vpt web whole-program wrapv zero-call-used-regs"
)
"""Names behind -f, of GCC 12's and Clang 14's optimisation options; none reads or runs a file."""
_MACHINE = (
    "abi arch arm branch-cost cmodel cpu div float-abi fpu general-regs-only generic "
    "low-precision-[a-z-]+ no-unaligned-access unaligned-access restrict-it save-restore "
    "small-data-limit soft-float strict-align thumb thumb-interwork tune"
)
"""Names behind -m that choose a processor or how code is made for it."""


def _any(names: str) -> str:
    return "|".join(names.split())


_ALLOWED = re.compile(
    r"-O([0-3sgz]|fast)?"
    rf"|-f(no-)?({_any(_OPTIMISATION)})(={_VALUE})?"
    rf"|-m(no-)?({_any(_MACHINE)})(={_VALUE})?"
    r"|-m(32|64|(no-)?(aes|avx|avx2|bmi2?|pclmul|sse[0-9.]*|ssse3|vaes|vpclmulqdq))"
    rf"|--param=[a-z0-9-]+=\d+|--target={_VALUE}|-G\d+|-g[0-3]?"
)
_TRUSTED: ContextVar[frozenset[Path]] = ContextVar("_TRUSTED", default=frozenset())


def trust(paths: Iterable[Path]) -> None:
    """Let these files name any command and flag, as long as this process lives."""
    _TRUSTED.set(_TRUSTED.get() | {path.resolve() for path in paths})


def any_trusted() -> bool:
    """Whether this process was told to trust a file."""
    return bool(_TRUSTED.get())


def trusted(path: Path) -> bool:
    """Whether a file is the project's own, or its user trusts it."""
    real = path.resolve()
    own = (project_folder(name).resolve() for name in ("platforms", "sweeps"))
    return real in _TRUSTED.get() or any(folder in real.parents for folder in own)


def flag_refusal(key: str, flags: Iterable[str], path: Path) -> str | None:
    """Why a file may not say these flags under `key`, with what to do; None where it may."""
    flag = untrusted_flag(flags)
    if flag is None or trusted(path):
        return None
    return (
        f"'{key}' holds {flag!r:.42}, which could run a program or read a file; choose levels, "
        f"processors and optimisations alone, or, {_how_to_trust(path)}"
    )


def command_refusal(command: str, path: Path) -> str | None:
    """Why a file may not name this compiler, with what to do; None where it may."""
    if command in COMMANDS or trusted(path):
        return None
    return (
        f"'command' is {command!r:.42}, a program that no platform of the project names; choose "
        f"one of {', '.join(COMMANDS)}, or, {_how_to_trust(path)}"
    )


def untrusted_flag(flags: Iterable[str]) -> str | None:
    """The first flag that is not one of those above."""
    return next((flag for flag in flags if not _ALLOWED.fullmatch(flag)), None)


def _how_to_trust(path: Path) -> str:
    return f"if you trust who wrote this file, say: aesfit --trust {path} ..."
