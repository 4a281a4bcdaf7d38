# SPDX-License-Identifier: MIT
"""Measures experiments again with clang in place of gcc, to see the compiler's influence.

Only the compiler changes: sources, flags, linker and libraries stay, and every call of gcc for ARM
or RISC-V is answered by clang for that target.  Flags unknown to clang are dropped.  Stored rows
are separate, because their keys hold the compiler's version.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from aesfit.building.build import compiler_line

from .contract import Experiment
from .run import stored, timed

CLANG = "clang"
_TARGETS: Mapping[str, str] = {
    "arm-none-eabi-gcc": "arm-none-eabi",
    "riscv64-unknown-elf-gcc": "riscv32-unknown-elf",
}
"""Compilers of emulated processors, and what clang calls their targets."""
_UNKNOWN_FLAGS = (
    "-fwhole-program",
    "-fno-whole-program",
    "-fno-tree-loop-distribute-patterns",
    "-fno-schedule-insns",
    "-frename-registers",
)
"""Flags known only to gcc, in toolchain.py and in platform files."""
_NOT_BY_CLANG = (
    "transposed_operation_counts",
    "transposed_table_1",
    "platforms_wlan",
    "transposed_gladman",
)
"""The first two read operations from what gcc makes of them: on Cortex-M0+ clang writes some sums
as other instructions, and the counts refuse that.  The third has CH32V003 among its places, whose
ABI (ilp32e) clang 14 does not know, so that its claims would have other places.  Half of the fourth
is stored as gcc built it."""
_STAND_IN = """\
#!/bin/sh
case " $* " in
*" -c "*|*" --version "*) ;;
*) exec {gcc} "$@" ;;
esac
for word; do
    shift
    case "$word" in
    {unknown}) ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec {clang} --target={target} "$@"
"""
"""Compiles with clang, and links with gcc, which knows where its libraries are."""


def rebuildable(experiment: Experiment) -> bool:
    """Whether it has claims on stored rows of emulated processors, at least partly built by gcc."""
    measured = stored(experiment)
    if measured is None or timed(experiment) or experiment.name in _NOT_BY_CLANG:
        return False
    if not experiment.claims(measured.rows):
        return False
    names = "|".join(map(re.escape, _TARGETS))
    return any(re.search(rf": (?:{names})\b", line) for line in measured.provenance)


@contextmanager
def built_by_clang() -> Iterator[None]:
    """Let clang compile everything for ARM and RISC-V in this process and its children.

    Use it only in a process that has not measured yet: figures in its memory would be gcc's.
    """
    with TemporaryDirectory(prefix="aesfit-clang-") as folder:
        for gcc, target in _TARGETS.items():
            _stand_in(Path(folder, gcc), gcc, target)
        before = os.environ["PATH"]
        os.environ["PATH"] = os.pathsep.join((folder, before))
        compiler_line.cache_clear()
        try:
            yield
        finally:
            os.environ["PATH"] = before
            compiler_line.cache_clear()


def _stand_in(path: Path, gcc: str, target: str) -> None:
    """A script with gcc's name that calls clang."""
    text = _STAND_IN.format(
        gcc=_found(gcc), clang=_found(CLANG), target=target, unknown="|".join(_UNKNOWN_FLAGS)
    )
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def _found(command: str) -> str:
    found = shutil.which(command)
    if found is None:
        package = "gcc-" + command.removesuffix("-gcc") if command in _TARGETS else command
        raise RuntimeError(
            f"{command} is needed to build by {CLANG}; install it with: "
            f"sudo apt-get install {package}"
        )
    return found
