# SPDX-License-Identifier: MIT
"""Published cycles of AES engines, as their files give them."""

from pathlib import Path

import pytest

from aesfit.catalog import MODES
from aesfit.platforms.engines import EngineFigure, EngineMessage, engine_chips, read_engines
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.places import project_folder
from aesfit.platforms.toml_file import PlatformError, read_bytes, read_table

FILES = sorted((project_folder("platforms") / "engines").glob("*.toml"))
GOOD = """title = "X1"
platforms = ["cortex-m3"]
relation = "made up"
[[engine]]
name = "AES"
does = "ECB"
limits = "no CBC"
source = "made up"
[[engine.figure]]
mode = "ecb"
key_bits = 128
includes = "driver"
driver = "mine"
source = "made up"
[[engine.figure.message]]
bytes = 16
cycles = { value = 100, unit = "cycles", source = "made up" }
[[engine.figure.message]]
bytes = 64
cycles = { value = 300, unit = "cycles", source = "made up" }
"""
BLOCK = '{ value = 50, unit = "cycles", source = "made up" }'


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_each_file_belongs_to_platforms_and_has_figures_of_modes(path: Path) -> None:
    chip = read_engines(read_table(path, read_bytes(path)))
    assert set(chip.platforms) <= {one.name for one in platforms()}
    assert chip.title.lower() == path.stem
    assert chip.engines
    for engine in chip.engines:
        assert {one.mode for one in engine.figures} <= set(MODES)


def test_published_figures_of_at_least_six_chips_are_known() -> None:
    known = [read_engines(read_table(path, read_bytes(path))) for path in FILES]
    assert sum(one.counted for one in known) >= 6
    assert not all(one.counted for one in known)


def test_engines_are_found_by_chip_by_part_number_and_by_processor() -> None:
    assert [one.title for one in engine_chips(platform_named("stm32u575"))] == ["STM32U585"]
    assert [one.title for one in engine_chips(platform_named("stm32u575zi"))] == ["STM32U585"]
    assert {one.title for one in engine_chips(platform_named("cortex-m33"))} >= {"nRF54L15"}
    assert engine_chips(platform_named("stm32f103")) == ()


def test_cycles_are_those_of_messages_or_of_begun_blocks() -> None:
    told = (EngineMessage(16, 100.0), EngineMessage(64, 300.0))
    assert EngineFigure("ecb", 128, "driver", "mine", None, told, "s").at([32]) == {
        16: 100,
        64: 300,
    }
    blocks = EngineFigure("ecb", 128, "engine", "", 50.0, (), "s")
    assert blocks.at([16, 17, 64]) == {16: 50, 17: 100, 64: 200}


def read(folder: Path, text: str) -> None:
    (folder / "x1.toml").write_text(text)
    read_engines(read_table(folder / "x1.toml", text.encode()))


def test_a_file_is_read_strictly(tmp_path: Path) -> None:
    read(tmp_path, GOOD)
    wrong = {
        GOOD.replace('driver = "mine"\n', ""): "'driver' names what",
        GOOD.replace('includes = "driver"', 'includes = "engine"'): "'driver' names what",
        GOOD.replace('includes = "driver"', 'includes = "all"'): "allowed are engine, driver",
        GOOD.replace("key_bits = 128", "key_bits = 127"): "one of 128, 192, 256",
        GOOD.replace("bytes = 64", "bytes = 16"): "by rising length",
        GOOD.replace(
            "[[engine.figure.message]]", f"block = {BLOCK}\n[[engine.figure.message]]", 1
        ): ("needs the cycles of a 'block', or those of messages"),
        GOOD.partition("[[engine.figure.message]]")[0]: "needs the cycles of a 'block'",
        GOOD.replace("value = 300", "value = 0"): "above 0",
        GOOD.replace('limits = "no CBC"\n', ""): "lacks the key 'limits'",
        GOOD + 'speed = "high"\n': "no key 'speed'",
    }
    for text, sentence in wrong.items():
        with pytest.raises(PlatformError, match=sentence):
            read(tmp_path, text)
