# SPDX-License-Identifier: MIT
import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.trust import trust
from aesfit_papers.judging.provenance import rests_on


@pytest.mark.parametrize("name", ["stm32f103", "lpc1768", "rp2040", "cortex-m3", "x86-64"])
def test_results_rest_on_what_everybody_says(name: str) -> None:
    platform = platform_named(name)
    assert rests_on(platform) == trust(platform).sentence
