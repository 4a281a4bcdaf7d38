# SPDX-License-Identifier: MIT
"""Clang's code for a core, compiled for the RISC-V that is nearest to the Lx."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from aesfit.building.build import FIRMWARE, BuildError, compiler_line, include_flags, text_digest
from aesfit.building.unit import entries, unit_source
from aesfit.extras import SIZES, missing
from aesfit.jobs.job import Job
from aesfit.store import closure
from aesfit.store.contents import cached, key

COMPILER = "clang"
TARGET = ("--target=riscv32-unknown-elf", "-march=rv32im_zba", "-mabi=ilp32")
"""Loads, stores and three operands as the Lx has them; Zba for sh2add; no rotations."""
OPTIMISE = ("-O3",)
"""That of the platform hexagon, so that both are the same compiler's code at one level."""
_FREESTANDING = ("-std=c11", "-ffreestanding", "-fno-pic", "-ffunction-sections", "-fdata-sections")
_LINK = ("-fuse-ld=lld", "-nostdlib", "-static", "-Wl,--gc-sections")
_UNITS = ("memory.c",)
"""memcpy and memset, which clang may call; compiled so that they do not call themselves."""


def why_not() -> str | None:
    """None when it can be compiled; else one sentence that ends with the command that helps."""
    lacking = [tool for tool in (COMPILER, "ld.lld") if shutil.which(tool) is None]
    if lacking:
        return f"code for the Lx needs {' and '.join(lacking)}: sudo apt-get install clang lld"
    return missing("reading the code", SIZES)


def flags() -> str:
    """The compiler's first line and the flags that decide what code comes out."""
    return f"{compiler_line(COMPILER)}; {' '.join((*TARGET, *OPTIMISE))}"


def program(job: Job) -> Path:
    """The linked program of a job's core; the job's platform has no part in it."""
    if (reason := why_not()) is not None:
        raise BuildError(reason)
    text = unit_source(job)
    units = [text_digest((FIRMWARE / unit).read_text(encoding="utf-8")) for unit in _UNITS]
    own = closure.digest(also=(Path(__file__),))
    name = key("scheduled", flags(), text_digest(text), units, entries(job), own)

    def make(target: Path) -> dict[str, object]:
        _link(job, text, target)
        return {}

    return cached(name, ".elf", make)[0]


def _link(job: Job, text: str, target: Path) -> None:
    wanted = (*entries(job), "rig_context_bytes")
    roots = [f"-Wl,--undefined={name}" for name in wanted]
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        unit = _compile(["-fbuiltin", "-x", "c", "-c", "-"], Path(folder) / "unit.o", text)
        support = [
            _compile(["-fno-builtin", "-c", name], Path(folder) / f"{name}.o") for name in _UNITS
        ]
        linked = [*_LINK, *roots, f"-Wl,--entry={wanted[0]}", str(unit), *map(str, support)]
        _run([COMPILER, *TARGET, *linked, "-o", str(target)])


def _compile(arguments: list[str], target: Path, text: str = "") -> Path:
    command = [COMPILER, *TARGET, *OPTIMISE, *_FREESTANDING, *include_flags()]
    _run([*command, *arguments, "-o", str(target)], text)
    return target


def _run(command: list[str], text: str = "") -> None:
    done = subprocess.run(  # noqa: S603
        command, input=text, capture_output=True, text=True, check=False, cwd=FIRMWARE
    )
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error:" in line), "no word")
        raise BuildError(f"clang made no code for {TARGET[1]}: {said.strip()}")
