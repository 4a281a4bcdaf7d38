# SPDX-License-Identifier: MIT
"""Drop-ins that cannot be made: one sentence says why."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from aesfit.emitting.choice import DropInChoice, check
from aesfit.emitting.source import files
from aesfit.platforms.find import platform_named


def refusals() -> Iterator[tuple[DropInChoice, str]]:
    """Choices, and what the sentence that refuses each of them says."""
    good = DropInChoice("fixslice", ("ccm",))
    m3 = platform_named("cortex-m3")
    yield replace(good, core="fixslise"), "there is no core 'fixslise'; the nearest is 'fixslice'"
    yield replace(good, modes=("ccmo",)), "there is no mode 'ccmo'; the nearest is 'ccm'"
    yield replace(good, modes=()), "at least one mode"
    yield replace(good, ghash="shift"), "there is no GHASH multiplier 'shift'"
    yield replace(good, key_bits=()), "key sizes"
    yield replace(good, key_bits=(256, 128)), "ascending"
    yield replace(good, key_bits=(64,)), "keys have 128, 192 or 256 bits, not 64"
    yield replace(good, modes=("xts",), key_bits=(192,)), "XTS takes keys of 128 or 256 bits"
    yield replace(good, modes=("ccmp",), key_bits=(128, 256)), "CCMP takes keys of 128 bits"
    yield replace(good, core="aesni", platform=m3), "which cortex-m3 lacks"
    yield replace(good, modes=("gcm",), ghash="clmul", platform=m3), "which cortex-m3 lacks"
    yield replace(good, modes=("cbc",), encrypt_only=True), "CBC needs decryption"
    yield replace(good, prefix="2fast"), "no C identifier"
    yield replace(good, prefix="a-b"), "no C identifier"
    yield replace(good, prefix=""), "no C identifier"
    yield replace(good, prefix="_aes"), "no C identifier"
    yield replace(good, prefix="aes_"), "two underscores"
    yield replace(good, prefix="string"), "would hide <string.h>"
    yield replace(good, prefix="a" * 32), "32 characters"
    yield replace(good, prefix="try"), "a name that the source has already"


@pytest.mark.parametrize(("choice", "sentence"), list(refusals()), ids=str)
def test_refuses_in_one_sentence(choice: DropInChoice, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
        files(choice)
    assert "\n" not in str(caught.value)


def test_what_a_platform_can_run_is_not_refused() -> None:
    check(
        DropInChoice(
            "fixslice", ("ccm", "gcm"), (128, 192, 256), platform=platform_named("cortex-m3")
        )
    )
    check(DropInChoice("aesni", ("cbc",), platform=platform_named("x86-64")))
