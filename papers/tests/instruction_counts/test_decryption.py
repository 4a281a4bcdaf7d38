# SPDX-License-Identifier: MIT
"""Both methods of decryption give the plaintext of FIPS 197, from keys of their own."""

import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit_papers.instruction_counts.decryption import METHODS, Decryption

# FIPS 197, appendix B
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
PLAIN = bytes.fromhex("3243f6a8885a308d313198a2e0370734")
CIPHER = bytes.fromhex("3925841d02dc09fbdc118597196a0b32")
LAST = bytes.fromhex("d014f9a8c9ee2589e13f0cc8b6630ca6")


@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0plus", "rv32i"])
def test_both_methods_decrypt_with_their_keys(platform: str) -> None:
    reason = why_not(platform_named(platform))
    if reason:
        pytest.skip(reason)
    built = Decryption(platform_named(platform))
    straight, equivalent = (built.run(method, KEY, CIPHER) for method in METHODS)
    assert straight.text == equivalent.text == PLAIN
    assert equivalent.schedule[:176] == straight.schedule
    assert straight.schedule[:16] == KEY
    assert straight.schedule[-16:] == equivalent.schedule[176:192] == LAST
    assert equivalent.schedule[-16:] == KEY
    assert equivalent.expansion > straight.expansion > 0
