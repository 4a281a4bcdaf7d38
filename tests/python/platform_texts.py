# SPDX-License-Identifier: MIT
"""Valid platform files of each kind, in which tests plant mistakes, and checks of the errors."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from aesfit.platforms.find import load
from aesfit.platforms.places import project_folder
from aesfit.platforms.platform import Platform
from aesfit.platforms.toml_file import PlatformError

_FAKE = ('rig = "emulator"', 'rig = "fake"')
Mistakes = dict[str, tuple[str, str, str, str]]
"""By a name: what stands there, what to write instead, the text whose line is told or "", and what
is said."""


@dataclass(frozen=True)
class PlatformText:
    """A file that is read without a complaint."""

    name: str
    text: str

    def written(self, folder: Path, *changes: tuple[str, str]) -> Path:
        """The path of the file after some changes, each of which must have an effect."""
        text = self.text
        for was, now in changes:
            assert was in text
            text = text.replace(was, now, 1)
        path = folder / f"{self.name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, folder: Path, *changes: tuple[str, str]) -> Platform:
        """The platform of the file with some changes."""
        return load(self.written(folder, *changes))

    def check(self, folder: Path, mistake: tuple[str, str, str, str]) -> None:
        """Check that the mistake is reported in a sentence, with file and line."""
        was, now, at, told = mistake
        path = self.written(folder, (was, now))
        message = complaint(path)
        place = re.match(r"(.+?):(\d+): ", message)
        assert place, message
        assert place[1] == str(path)
        assert told in message, message
        if at:
            assert int(place[2]) == line_of(path.read_text(encoding="utf-8"), at), message


def line_of(text: str, part: str) -> int:
    """The number of the line on which a part begins."""
    return text[: text.index(part)].count("\n") + 1


def complaint(path: Path) -> str:
    """The error message for a wrong file."""
    with pytest.raises(PlatformError) as caught:
        load(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


def _ours(kind: str, name: str) -> PlatformText:
    path = project_folder("platforms") / kind / f"{name}.toml"
    return PlatformText(name, path.read_text(encoding="utf-8"))


PROCESSOR = _ours("processors", "cortex-m3")
CACHED_PROCESSOR = _ours("processors", "arm920t")
PUBLISHED = _ours("processors", "lx-st200")
SOFT_CORE = _ours("chips", "vexriscv-nocache")
CACHED_SOFT_CORE = _ours("chips", "vexriscv-cached")
CHIP = PlatformText(
    "our-chip",
    """\
name = "our-chip"
title = "Our chip"
processor = "cortex-m3"
clock = { value = 72, unit = "MHz", source = "clock" }
counter = "CYCCNT of the DWT"

[[part]]
name = "oc-64"

[[part]]
name = "oc-128+"
flash = { value = 128, unit = "KiB", source = "larger" }

[[memory]]
name = "flash"
start = { value = 0x0800_0000, unit = "address", source = "map" }
size = { value = 64, unit = "KiB", source = "map" }
holds = ["code", "tables"]

[[memory]]
name = "ram"
start = { value = 0x2000_0000, unit = "address", source = "map" }
size = { value = 20, unit = "KiB", source = "map" }
wait_states = { value = 0, unit = "cycles", source = "ram" }
holds = ["data", "stack"]

[[memory]]
name = "striped"
start = { value = 0x3000_0000, unit = "address", source = "map" }
size = { value = 8, unit = "KiB", source = "map" }
wait_states = { value = 0, unit = "cycles", source = "striped" }
banks = { value = 4, unit = "banks", source = "striped" }
holds = []

[[wait_states]]
up_to = { value = 24, unit = "MHz", source = "waits" }
cycles = 0

[[wait_states]]
up_to = { value = 48, unit = "MHz", source = "waits" }
cycles = 1

[[wait_states]]
up_to = { value = 72, unit = "MHz", source = "waits" }
cycles = 2

[interface.usual]
kind = "read_ahead"
source = "usual"
line = { value = 8, unit = "B", source = "line" }

[interface.reset]
kind = "none"
source = "reset"

[energy]
volts = { value = 3.3, unit = "V", source = "supply" }

[[energy.current]]
at = { value = 24, unit = "MHz", source = "slow" }
drawn = { value = 10, unit = "mA", source = "slow" }

[[energy.current]]
at = { value = 64, unit = "MHz", source = "fast" }
drawn = { value = 26, unit = "mA", source = "fast" }
""",
)


def with_our_chip(folder: Path, patch: pytest.MonkeyPatch, *changes: tuple[str, str]) -> str:
    """The name of a chip that is all the project has, beside its processor; both are made up.

    `changes`: in the chip's file.
    """
    for kind in ("processors", "chips"):
        (folder / kind).mkdir()
    PROCESSOR.written(folder / "processors", _FAKE)
    CHIP.written(folder / "chips", *changes)
    for module in ("find", "trust"):
        patch.setattr(f"aesfit.platforms.{module}.project_folder", lambda name: folder)
    return CHIP.name
