# SPDX-License-Identifier: MIT
"""Simulations of Verilog, built once: by Verilator (fast) and by Icarus Verilog (independent)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

from ..building.build import compiler_line
from ..building.tools import Tool, alone, verilator
from ..store import closure
from ..store.contents import cache_folder, cached, key, make_folder
from .tools import RTL, iverilog, vvp

_FLAGS = "-std=c++20 -fcoroutines -O1"
"""Of the C++ compiler."""
Parameters = Mapping[str, int | str]
"""Of a module: values by name."""


def literal(value: int | str) -> str:
    """A parameter's value as Verilog writes it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class Bench:
    """A test bench over modules of rtl/, or over other files."""

    top: str
    file: Path
    parameters: Parameters = field(default_factory=dict)
    """Parameters of the bench."""
    sources: tuple[Path, ...] | None = None
    """What it drives; None for the modules of rtl/."""
    defines: tuple[str, ...] = ()

    def files(self) -> list[Path]:
        """The bench and the sources that it takes."""
        return [self.file, *(modules(self.file) if self.sources is None else self.sources)]


def modules(file: Path) -> list[Path]:
    """Files of rtl/ and of its own folder whose modules a file names, or that those files name.

    A file of rtl/ is among them, as it is to be synthesised; a bench is not.
    """
    beside = file.parent.glob("*.v")
    known = {path.stem: path for path in (*beside, *RTL.glob("*.v"))}
    if file.parent != RTL:
        del known[file.stem]
    found: set[str] = set()
    waiting = [file]
    while waiting:
        text = re.sub(r"//.*", "", waiting.pop().read_text(encoding="utf-8"))
        words = set(re.findall(r"\b\w+\b", text))
        new = (words & set(known)) - found
        found |= new
        waiting += [known[name] for name in new]
    return [known[name] for name in sorted(found)]


def _digest(bench: Bench, tool: Tool, arguments: Sequence[str]) -> str:
    own = closure.digest(__name__)
    texts = [path.read_text(encoding="utf-8") for path in bench.files()]
    texts += [path.read_text(encoding="utf-8") for path in sorted(RTL.glob("*.vh"))]
    return key("simulation", tool.name, tool.version, bench.top, list(arguments), texts, own)


def icarus(bench: Bench) -> Tool:
    """The bench as a simulation by Icarus Verilog; plusargs are its arguments."""
    settings = [
        f"-P{bench.top}.{name}={literal(value)}" for name, value in bench.parameters.items()
    ]
    options = ["-g2005", "-s", bench.top, *settings, *(f"-D{name}" for name in bench.defines)]
    tool = iverilog()

    def make(path: Path) -> dict[str, object]:
        tool.run([*options, f"-I{RTL}", "-o", path, *bench.files()])
        return {}

    made, _ = cached(_digest(bench, tool, options), ".vvp", make)
    return Tool(bench.top, tool.version, (*vvp().command, "-n", str(made)))


def verilated(bench: Bench) -> Tool:
    """The bench as a program made by Verilator; plusargs are its arguments."""
    settings = [f"-G{name}={literal(value)}" for name, value in bench.parameters.items()]
    options = ["--main", "--exe", "--timing", "--top-module", bench.top, "-Wno-fatal", "-Wno-lint"]
    options += ["-O3", "-CFLAGS", _FLAGS, *settings, *(f"-D{name}" for name in bench.defines)]
    tool = verilator()

    def make(path: Path) -> dict[str, object]:
        folder = path.with_suffix(".build")
        tool.run([*options, f"-I{RTL}", "--Mdir", folder, "-o", path, *bench.files()])
        _compile(folder, bench.top, tool)
        return {}

    digest = _digest(bench, tool, options)
    locks = cache_folder() / "locks"
    make_folder(locks)
    with alone(locks / digest):
        made, _ = cached(digest, ".exe", make)
    return Tool(bench.top, tool.version, (str(made),))


def _compile(folder: Path, top: str, tool: Tool) -> None:
    """Make the program; what all programs of Verilator's hold is compiled for the first of them."""
    make = Tool("make", tool.version, ("make",), tool.environment)
    command = ["-C", str(folder), "-f", f"V{top}.mk", "-j", "1"]

    def runtime(path: Path) -> dict[str, object]:
        make.run(command)
        with ZipFile(path, "w") as archive:
            for one in sorted(folder.glob("verilated*.o")):
                archive.write(one, one.name)
        return {}

    name = key("simulation runtime", tool.version, compiler_line("g++"), _FLAGS)
    kept, _ = cached(name, ".zip", runtime)
    with ZipFile(kept) as archive:
        archive.extractall(folder)  # newer than their sources, so that make leaves them
    make.run(command)
