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
    compiler=Compiler("gcc", "gcc", (), ("-O2",), "made up"),
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
    kind="chip",
)


def job(**changes: object) -> Job:
    made = Job(PLATFORM, "transposed", 128, "message", mode="ccm", bytes=1504)
    return replace(made, **changes)  # type: ignore[arg-type]


def row(**changes: object) -> Row:
    """A row of the fake rig with some fields changed."""
    made = rig_named("fake").measure([job()], lambda done, total: None)[0]
    return replace(made, **changes)  # type: ignore[arg-type]


_SYSTEM = """
clock = { value = 72, unit = "MHz", source = "made up" }

[[memory]]
name = "flash"
start = { value = 0x0800_0000, unit = "address", source = "made up" }
size = { value = 128, unit = "KiB", source = "made up" }
wait_states = { value = 0, unit = "cycles", source = "made up" }
holds = ["code", "tables"]

[[memory]]
name = "ram"
start = { value = 0x2000_0000, unit = "address", source = "made up" }
size = { value = 20, unit = "KiB", source = "made up" }
wait_states = { value = 0, unit = "cycles", source = "made up" }
holds = ["data", "stack"]

[energy]
none = "made up"
"""


def pretended(name: str, *changes: tuple[str, str]) -> str:
    """The file of a Cortex-M3 in a system with memory and a clock, whose figures are a formula's.

    `changes`: what to write instead of what.
    """
    text = (ROOT / "platforms" / "processors" / "cortex-m3.toml").read_text(encoding="utf-8")
    own = (
        ('name = "cortex-m3"', f'name = "{name}"'),
        ('rig = "emulator"', 'rig = "fake"'),
        ('timing = "cortex_m3"\n', f'timing = "cortex_m3"{_SYSTEM}'),
    )
    for was, now in (*own, *changes):
        assert was in text
        text = text.replace(was, now, 1)
    return text


def pretend(folder: Path) -> str:
    """The path of pretend.toml, written there."""
    path = folder / "pretend.toml"
    path.write_text(pretended("pretend"), encoding="utf-8")
    return str(path)
