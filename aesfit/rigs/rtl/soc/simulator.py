# SPDX-License-Identifier: MIT
"""Builds the program that simulates a processor's Verilog: Verilator, then the C++ compiler.

Programs are kept by content in the cache folder.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from ....building.tools import Tool, ToolFailedError, ToolMissingError, verilator
from ....platforms.names import family_of
from ....platforms.packaged import PACKAGED
from ....store import closure
from ....store.contents import Facts, cached, key
from ....store.files import beside, contents
from ...rig import RigUnavailableError
from .resized import verilog_of

HERE = Path(__file__).resolve().parent
_SYSTEM = {path.stem: path for path in beside(__file__, "*.v", "*.sv")}
"""Ours: the system, and a port of it for each processor."""
(_MAIN,), (_PUBLIC,) = beside(__file__, "main.cpp"), beside(__file__, "public.vlt")
VERILATE = (
    *("--cc", "-O3", "--top-module", "soc", "--prefix", "Vsoc"),
    *("--public-ignore", "--x-assign", "fast", "--no-assert"),
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),
)
COMPILE = (
    *("-std=c++17", "-O2", "-pthread", "-DVERILATOR=1"),
    *("-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TIMING=0"),
    *("-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_SAIF=0"),
)
"""Macros: what Verilator's makefile says of a simulation without time and traces."""
_LIBRARY = ("verilated.cpp", "verilated_threads.cpp")
"""Of Verilator's own sources, what the program needs."""


def why_not() -> str | None:
    """None when Verilator and a C++ compiler are there; else how to get what is missing."""
    try:
        verilator()
    except ToolMissingError as error:
        return str(error)
    return None


@cache
def _compiler() -> Tool:
    found = Tool("the C++ compiler", "", ("g++",))
    return Tool(found.name, found.run(["--version"]).splitlines()[0], found.command)


@cache
def versions() -> str:
    """Versions of Verilator and of the C++ compiler."""
    return f"Verilator {verilator().version}, {_compiler().version}"


def verilog(cpu: str) -> list[Path]:
    """Files of the system with that processor in the order in which they are read.

    Packages of its own come first, as its port needs them; its other files are found by name.
    """
    system = [_SYSTEM["soc"], _SYSTEM["caller"]]
    if cpu in PACKAGED:
        one = PACKAGED[cpu]
        ports = [path for stem, path in sorted(_SYSTEM.items()) if stem.startswith(one.port)]
        return [*(one.folder / name for name in one.first), *ports, *system]
    return [*system, _SYSTEM[family_of(cpu)], verilog_of(cpu)]


def _options(cpu: str) -> list[str]:
    """Where Verilator finds the rest of a processor, and how that is configured."""
    if cpu not in PACKAGED:
        return []
    one = PACKAGED[cpu]
    return [
        *(f"-D{name}" for name in one.defines),
        *(f"+incdir+{one.folder / name}" for name in one.includes),
        "+libext+.sv",
        *(word for name in one.modules for word in ("-y", str(one.folder / name))),
    ]


def sources_sha256(cpu: str) -> str:
    """Of every file that a simulation depends on, and of the processor's configuration."""
    given = PACKAGED.get(cpu)
    files = [*verilog(cpu), _PUBLIC, _MAIN, Path(__file__), *(given.files if given else ())]
    told = [*(contents(path).sha256 for path in files), *(given.defines if given else ())]
    return hashlib.sha256(" ".join(told).encode()).hexdigest()


def _compile(arguments: Sequence[str | Path], folder: Path, files: Iterable[str]) -> None:
    """Run the compiler on files that are read as one."""
    include = Path(verilator().environment["VERILATOR_ROOT"]) / "include"
    whole = folder / "whole.cc"
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    paths = (f"-I{path}" for path in (folder, include, include / "vltstd"))
    _compiler().run([*COMPILE, *paths, whole, *arguments])


def _library() -> Path:
    """Verilator's own sources, compiled once for all processors: most of what there is to compile.

    -O1 takes less time than -O2 there, and simulations are as fast; without either they are slower.
    """

    def make(target: Path) -> Facts:
        with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
            _compile(["-O1", "-c", "-o", target], Path(name), _LIBRARY)
        return {}

    name = key("soc library", versions(), closure.digest(__name__))
    return cached(name, ".o", make)[0]


def _make(cpu: str, target: Path) -> Facts:
    """Verilate and compile; takes some seconds, so it is told of on a terminal."""
    if sys.stderr.isatty():
        print(f"aesfit: building a simulation of {cpu}, once ...", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as name:
        folder = Path(name)
        verilator().run([*VERILATE, "--Mdir", folder, *_options(cpu), _PUBLIC, *verilog(cpu)])
        model = sorted(path.name for path in folder.glob("Vsoc*.cpp"))
        _compile([_library(), "-o", target], folder, [*model, str(_MAIN)])
    return {}


def build(cpu: str) -> Path:
    """The program, from the cache where it is there; RigUnavailableError says what is missing."""
    try:
        name = key("soc", cpu, sources_sha256(cpu), versions(), closure.digest(__name__))
        return cached(name, ".sim", lambda target: _make(cpu, target))[0]
    except (ToolMissingError, ToolFailedError) as error:
        raise RigUnavailableError(str(error)) from None
