# SPDX-License-Identifier: MIT
"""The faults that `aesfit prove` once passed, and the test that catches or refuses each.

They were planted into code that had been proved before: in modes (refusals, layouts, lengths,
sizes, counters), in cores, and in a user's own program.
"""

from importlib import import_module
from pathlib import Path

import pytest
from images import needs_prover

pytestmark = needs_prover
HERE = Path(__file__).parent
MODES, LENGTHS, COUNTERS, FIRMWARE = (
    f"test_planted_{one}.py" for one in ("modes", "lengths", "counters", "firmware")
)

CAUGHT = {
    "the path for aligned words is wrong": (MODES, "a word is wrong where all are aligned"),
    "the path for aligned words branches on the key": (
        MODES, "a branch on the key where all words are aligned",
    ),
    "a mode is wrong in place": (MODES, "a byte is wrong in place"),
    "the last byte of a tag is not compared": (MODES, "the last byte of a tag is not compared"),
    "CCM accepts every tag": (MODES, "every tag of CCM is accepted"),
    "GCM accepts every tag": (MODES, "every tag of GCM is accepted"),
    "CMAC accepts every tag": (MODES, "every MAC is accepted"),
    "key wrap accepts every integrity value": (MODES, "every integrity value is accepted"),
    "a tag that begins with 0x42 is accepted": (MODES, "a tag has a back door"),
    "CCM leaves the plaintext after a wrong tag": (MODES, "plaintext is left after a refusal"),
    "GCM leaves the plaintext after a wrong tag": (
        MODES, "plaintext of GCM is left after a refusal",
    ),
    "the right tag is written over a wrong one": (
        MODES, "the right tag is written over the given one",
    ),
    "the output after a wrong tag is a round key": (MODES, "the key comes out of a refusal"),
    "the nonce is changed through a cast": (MODES, "a nonce is written"),
    "CBC does not hand its IV back": (MODES, "the IV is not handed back"),
    "the status after a declassified verdict tells a bit of the key": (
        MODES, "a status that tells a bit of the key",
    ),
    "a comment in the compiled source calls a branch public": (
        MODES, "a branch on the key that says it is a verdict",
    ),
    "a comment that is written after compiling calls a branch public": (
        FIRMWARE, "test_a_comment_that_is_written_after_compiling_excuses_nothing",
    ),
    "a flag that start-up sets leads to a branch on the key": (
        "../cli/test_cli_prove.py",
        "test_nothing_is_assumed_of_variables_that_the_program_may_write",
    ),
    "a drop-in gives a round key away after a wrong tag": (
        FIRMWARE, "test_a_drop_in_that_gives_the_key_away_is_not_proved",
    ),
    "a secret is left in s5": (
        MODES, "a secret left in a register of the floating-point unit",
    ),
    "s16 is overwritten by a mode": (
        MODES, "a register of the floating-point unit is not preserved",
    ),
    "s16 is overwritten by a core": (
        MODES, "a register of the floating-point unit is not preserved by a core",
    ),
    "a core is wrong from four blocks on": (LENGTHS, "a core is wrong from four blocks on"),
    "a core branches on the key from four blocks on": (
        LENGTHS, "a core branches on the key from four blocks on",
    ),
    "a mode is wrong from 48 bytes on": (LENGTHS, "CCM is wrong from 48 bytes on"),
    "a mode branches on the key from 48 bytes on": (
        LENGTHS, "CTR branches on the key from three blocks on",
    ),
    "CBC chains its third block to the first": (
        LENGTHS, "CBC chains its third block to the first",
    ),
    "associated data over 22 bytes are skipped": (
        MODES, "associated data beyond 22 bytes are skipped",
    ),
    "nonces under 13 bytes are cut": (MODES, "short nonces are cut"),
    "tags are compared to 8 bytes": (MODES, "tags are compared to 8 bytes"),
    "GCM takes a nonce of 16 bytes as one of 12": (MODES, "hashed nonces are wrong"),
    "a carry leaves the lowest byte of CCM's counter, and is lost": (
        LENGTHS, "test_a_carry_behind_the_lengths_of_a_proof_is_caught_where_it_is_measured",
    ),
    "a carry leaves the second byte of GCM's counter, and is lost": (
        COUNTERS, "GCM carries nothing into byte 2 from the right",
    ),
    "CTR is wrong for one counter": (COUNTERS, "CTR is wrong for one counter, without a branch"),
    "XTS takes a key with equal halves": (MODES, "a key of XTS with equal halves is taken"),
    "data two bytes off are treated apart": (MODES, "a core is wrong where data lie two bytes off"),
}  # fmt: skip
"""Each fault, with the file of its test, and the test or the name of its case there."""


@pytest.mark.parametrize("fault", CAUGHT)
def test_it_has_a_test(fault: str) -> None:
    file, name = CAUGHT[fault]
    if name.startswith("test_"):
        assert f"def {name}(" in (HERE / file).read_text(encoding="utf-8")
    else:
        module = import_module(file.removesuffix(".py"))
        assert name in module.WRONG or name in module.LEAKS
