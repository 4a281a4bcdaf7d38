# SPDX-License-Identifier: MIT
"""Made-up platforms, jobs and rows, for tests of what uses rigs."""

from dataclasses import replace
from pathlib import Path

from places import ROOT

from aesfit.jobs.job import Job, Row
from aesfit.platforms.memory import Memory
from aesfit.platforms.parts import Compiler
from aesfit.platforms.platform import Platform
from aesfit.platforms.toml_file import Quantity
from aesfit.rigs import rig_named

_NONE = Quantity(0, "cycles", "made up")

PLATFORM = Platform(
    name="fake",
    title="Made up",
    isa="armv7-m",
    rig="fake",
    timing=None,
    compiler=Compiler("none", "none", (), ("-O2",), "made up"),
    clock=Quantity(100, "MHz", "made up"),
    memories=(
        Memory("flash", 0, 1 << 20, _NONE, ("code", "tables")),
        Memory("ram", 1 << 29, 1 << 20, _NONE, ("data", "stack")),
    ),
    caches=(),
    energy=None,
    data_cache=False,
    variable_multiply=False,
    constant_time_source="made up",
    published=(),
    sha256="0" * 64,
    path=Path("fake.toml"),
)


def job(**changes: object) -> Job:
    made = Job(PLATFORM, "transposed", 128, "message", mode="ccm", bytes=1504)
    return replace(made, **changes)  # type: ignore[arg-type]


def row(**changes: object) -> Row:
    """A row of the fake rig with some fields changed."""
    made = rig_named("fake").measure([job()], lambda done, total: None)[0]
    return replace(made, **changes)  # type: ignore[arg-type]


def pretend(folder: Path) -> None:
    """Write pretend.toml, a Cortex-M3 whose figures follow from a formula."""
    text = (ROOT / "platforms" / "cortex-m3.toml").read_text(encoding="utf-8")
    for was, now in (('rig = "emulator"', 'rig = "fake"'), ('"cortex-m3"', '"pretend"')):
        assert was in text
        text = text.replace(was, now, 1)
    (folder / "pretend.toml").write_text(text, encoding="utf-8")
