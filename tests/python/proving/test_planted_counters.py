# SPDX-License-Identifier: MIT
"""Wrong carries planted in counters: every byte that a carry reaches is compared.

CTR is proved for every counter that ends in 00fffffe, whose third value carries into each byte of
the last word, and for one whose third value carries on into the second byte.  GCM with a nonce that
is hashed counts from a secret, so all its counters are compared at once.
"""

from pathlib import Path

import pytest
from few import slow_but
from images import needs_prover, needs_x86
from planted import FUNCTIONS, Planted, is_wrong

pytestmark = needs_prover
KEYSTREAM = "parts/keystream.h"
NEXT = "        store32_be(counter + 12, low);\n"
NEXT_OF_GCM = "    store32_be(counter + 12, load32_be(counter + 12) + 1);\n"
WORD_ENDS = "        if (low != 0 || bits == 32)\n"
BYTE_ENDS = "        if (++*last != 0)\n            return;\n"


def in_ctr(byte: int) -> Planted:
    """In the loop over bytes, which small processors have."""
    new = BYTE_ENDS.replace("!= 0", f"!= 0 || last == counter + 16 - {byte}")
    return Planted(KEYSTREAM, BYTE_ENDS, new, "ctr encrypt 33", FUNCTIONS)


def in_words(byte: int) -> Planted:
    """In the last word, which larger ones count at once."""
    new = NEXT.replace(
        "12, low", f"12, (load32_be(counter + 12) & ~{kept(byte)}) | (low & {kept(byte)})"
    )
    return Planted(KEYSTREAM, NEXT, new, "ctr encrypt 33", FUNCTIONS, platform="x86-64")


def kept(byte: int) -> str:
    """Bits of the last word that carry nothing into this byte."""
    return f"0x{(1 << 8 * byte) - 1:x}u"


def in_gcm(byte: int) -> Planted:
    new = (
        "    uint32_t before = load32_be(counter + 12);\n"
        f"    store32_be(counter + 12, (before & ~{kept(byte)}) | ((before + 1) & {kept(byte)}));\n"
    )
    return Planted(KEYSTREAM, NEXT_OF_GCM, new, "gcm encrypt 33", FUNCTIONS)


WRONG = {
    **{f"CTR carries nothing into byte {at} from the right": in_ctr(at) for at in (1, 2, 3, 4, 14)},
    **{f"GCM carries nothing into byte {at} from the right": in_gcm(at) for at in (1, 2, 3)},
    "CTR carries into every byte": Planted(
        KEYSTREAM, BYTE_ENDS, "        ++*last;\n", "ctr encrypt 33", FUNCTIONS
    ),
    "CTR is wrong for one counter": Planted(
        "modes/ctr.c", "    keystream_begin(&kept, key, bytes / 16);\n    while",
        "    keystream_begin(&kept, key, bytes / 16);\n"
        "    if (ctr->counter[3] == 0x42 && bytes > 0)\n        ctr->counter[0] ^= 1;\n    while",
        "ctr encrypt 17", "a branch depends on a secret",
    ),
    "CTR is wrong for one counter, without a branch": Planted(
        "modes/ctr.c", "    memcpy(ctr->counter, counter, 16);\n",
        "    memcpy(ctr->counter, counter, 16);\n"
        "    ctr->counter[0] ^= (uint8_t)((0u - (uint32_t)(counter[3] ^ 0x42)) >> 31) ^ 1;\n",
        "ctr encrypt 17", FUNCTIONS,
    ),
}  # fmt: skip
IN_WORDS = {
    **{f"nothing is carried into byte {at} from the right": in_words(at) for at in (1, 2, 3)},
    "nothing is carried out of the last word": Planted(
        KEYSTREAM, WORD_ENDS, "        if (low != 0 || bits != 0)\n", "ctr encrypt 33", FUNCTIONS,
        platform="x86-64",
    ),
}  # fmt: skip
QUICK = ("CTR carries nothing into byte 2 from the right", "CTR is wrong for one counter")


@pytest.mark.parametrize("name", slow_but(QUICK, WRONG))
def test_a_wrong_counter_is_not_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wrong(WRONG[name], tmp_path, monkeypatch)


@needs_x86
@pytest.mark.slow
@pytest.mark.parametrize("name", IN_WORDS)
def test_a_wrong_word_of_a_counter_is_not_proved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wrong(IN_WORDS[name], tmp_path, monkeypatch)
