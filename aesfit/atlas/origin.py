# SPDX-License-Identifier: MIT
"""With which tools lines were measured, and whether they are the tools that are installed here."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..building import build
from ..extras import EMULATOR, missing
from ..platforms.platform import Platform
from ..store.closure import package_version


@dataclass(frozen=True)
class Tools:
    """What compiles and what executes, apart from aesfit."""

    compiler: str
    """First line of its --version."""
    linker: str
    packages: Mapping[str, str]
    """Versions of Python packages by the name that is imported."""


@dataclass(frozen=True)
class AtlasOrigin:
    """Where rows of an answer come from."""

    date: str
    """YYYY-MM-DD, of the measurement."""
    compiler: str
    missing: str
    """What is not installed here, so that nothing was compiled; empty where all is."""
    rows: int
    """From the atlas."""
    of: int
    """Of the question; those that are not from the atlas were measured here."""

    @property
    def told(self) -> str:
        """In one line."""
        some = "" if self.rows == self.of else f"{self.rows} of {self.of} rows "
        line = f"{some}from the atlas, measured on {self.date} with {self.compiler}"
        return f"{line}; not compiled here: {self.missing}" if self.missing else line

    def as_json(self) -> dict[str, Any]:
        """The stable keys."""
        return {**asdict(self), "missing": self.missing or None}


def tools_here(platform: Platform) -> Tools:
    """Those that are installed; BuildError where the compiler is missing."""
    packages = {name: package_version(name) for name in EMULATOR}
    compiler = build.compiler_version(platform)
    return Tools(compiler, build.linker_version(platform), packages)


def lacking(platform: Platform) -> str:
    """What has to be installed before anything is measured there; empty where nothing has."""
    return build.why_not(platform) or missing("the emulator", EMULATOR) or ""


def others(platform: Platform, tools: Tools) -> bool:
    """Whether a tool that is installed here is another than that of the lines."""
    for name, version in tools.packages.items():
        if package_version(name) not in (version, "none"):
            return True
    if build.why_not(platform) is not None:
        return False
    try:
        here = tools_here(platform)
    except build.BuildError:  # no compiler runs: measuring says why
        return True
    return (here.compiler, here.linker) != (tools.compiler, tools.linker)
