# SPDX-License-Identifier: MIT
"""Faults planted in GCM-SIV: each is refuted, or not proved."""

from pathlib import Path

import pytest
from few import slow_but
from images import needs_prover
from planted import ACCEPTED, FUNCTIONS, Planted, is_leaked, is_wrong

pytestmark = needs_prover

SIV = "modes/gcm_siv.c"
COUNT = "store32_le(counter, load32_le(counter) + 1);"
WIPE = "    if (status != AESFIT_OK && bytes > 0)\n        wipe(out, bytes);\n"
GOOD = "uint32_t good = equal_bytes(computed, tag, tag_bytes);\n    wipe(computed, 16);"
TAGGED = "encrypt_block(&derived->aes, tag, tag);"

WRONG = {
    "every tag is accepted": Planted(
        "parts/verdict.h", GOOD, GOOD + "\n    good |= 1;", "gcm_siv decrypt 1", ACCEPTED
    ),
    "the last byte of a tag is not compared": Planted(
        SIV, "tag_verdict(made, tag, 16)", "tag_verdict(made, tag, 15)", "gcm_siv decrypt 1",
        "a branch depends on a secret",
    ),
    "the counter carries nothing": Planted(
        SIV, COUNT, "counter[0]++;", "gcm_siv encrypt 17", FUNCTIONS
    ),
    "the counter begins with another bit": Planted(
        SIV, "counter[15] |= 0x80;", "counter[15] |= 0x40;", "gcm_siv encrypt 1", FUNCTIONS
    ),
    "the nonce is not in the tag": Planted(
        SIV, "    xor_tail(tag, tag, nonce, 12);\n", "", "gcm_siv encrypt 1", FUNCTIONS
    ),
    "the hash keeps its last bit": Planted(
        SIV, "    tag[15] &= 0x7f;\n", "", "gcm_siv encrypt 1", FUNCTIONS
    ),
    "plaintext is left after a refusal": Planted(
        SIV, WIPE, "", "gcm_siv decrypt 1", "after a refusal"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", slow_but(["the counter carries nothing"], WRONG))
def test_it_is_not_equal_to_the_standard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wrong(WRONG[name], tmp_path, monkeypatch)


LEAKS = {
    "a branch on the hash": Planted(
        SIV, TAGGED, 'if (tag[3] == 9)\n        __asm__ volatile("nop");\n    ' + TAGGED,
        "gcm_siv encrypt 1", "branch", core="fixslice",
    ),
    "an index by the hash": Planted(
        SIV, TAGGED, "tag[0] ^= nonce[tag[3] % 12];\n    " + TAGGED,
        "gcm_siv encrypt 1", "load address", core="fixslice",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAKS)
def test_it_is_not_independent_of_secrets(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_leaked(LEAKS[name], tmp_path, monkeypatch)
