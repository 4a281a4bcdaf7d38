# SPDX-License-Identifier: MIT
"""What is said of platforms that are not known."""

import pytest

from aesfit.errors import UnknownCore
from aesfit.platforms.boards import named
from aesfit.platforms.find import platforms
from aesfit.platforms.suggest import unlisted


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("stm32f4", "the nearest is 'stm32f407'"),
        ("STM32F407xx", "the nearest is 'stm32f407'"),
        ("stm32f407zgt6", "the nearest is 'stm32f407'"),
        ("cortex-m35", "the nearest is 'cortex-m3'"),
        ("Cortex-M0 plus!", ""),
        ("atsamd21", "the nearest is 'samd21'"),
        ("VexRiscv, RV32IM", "the nearest is 'vexriscv-"),
        ("m4", "the nearest is 'cortex-m4'"),
        ("rp2041", "the nearest is 'rp2040'"),
    ],
)
def test_parts_and_titles_are_suggested(name: str, told: str) -> None:
    if not told:
        assert named(name).name == "cortex-m0plus"
        return
    with pytest.raises(ValueError, match="there is no platform") as error:
        named(name)
    assert told in str(error.value)
    assert "choose from" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("arm926ej-s", "no timing rules for the ARM9EJ-S .*; the nearest platform is arm920t$"),
        ("arm946e-s", "no timing rules for the ARM9E-S .*; the nearest platform is arm920t$"),
        ("ESP32-C3", "no cycles .* the processor of ESP32-C3 .* the nearest platform is fe310$"),
        ("esp32c3", "no cycles .* the processor of ESP32-C3 .* the nearest platform is fe310$"),
        ("ESP32", "the processor of ESP32 is an Xtensa"),
        ("esp32s3", "the processor of ESP32-S3 is an Xtensa"),
        ("esp8266", "the processor of ESP8266 is an Xtensa"),
        ("nRF52832", "the wait states of nRF52832 .* the nearest platform is nrf52840$"),
        ("nrf54l15", "the wait states of nRF54L15 .* the nearest platform is nrf5340$"),
    ],
)
def test_platforms_that_are_left_out_are_refused_with_the_reason(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        named(name)


def test_several_that_may_be_meant_are_named() -> None:
    with pytest.raises(ValueError, match="; also ") as error:
        named("stm32")
    assert str(error.value).count("stm32") >= 6


def test_all_are_named_where_none_is_near() -> None:
    with pytest.raises(ValueError, match="; choose from ") as error:
        named("quux")
    assert all(one.name in str(error.value) for one in platforms())


def test_other_names_are_listed_too() -> None:
    assert str(unlisted("core", "zzz", ["ttable1", "fixslice"])).endswith(
        "there is no core 'zzz'; choose from ttable1, fixslice"
    )
    assert isinstance(unlisted("core", "zzz", ["ttable1"]), UnknownCore)
    assert "the nearest is 'ttable1'" in str(unlisted("core", "table1", ["ttable1", "fixslice"]))
    assert "none is built in" in str(unlisted("core", "one", []))
