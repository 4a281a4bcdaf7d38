# SPDX-License-Identifier: MIT
"""Single flipped bits of code and tables: nothing that is proved is wrong."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from images import block_job, needs_prover
from shown import equality

from aesfit.extras import EMULATOR, missing

if TYPE_CHECKING:
    from aesfit.proving.image import ProofImage

LACKING = missing("it", EMULATOR)
pytestmark = [needs_prover, pytest.mark.skipif(LACKING is not None, reason=str(LACKING))]
QUICK, SLOW = 12, 200
INPUTS = 48
"""Keys and blocks of the emulator: each reads 200 entries of the S-box, so one that is not read by
any of them has a chance of one in e^37."""


def flipped(image: "ProofImage", bit: int) -> "ProofImage":
    pieces = []
    for start, data in image.pieces:
        if 0 <= bit < 8 * len(data):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            data = bytes(changed)
        bit -= 8 * len(data)
        pieces.append((start, data))
    return replace(image, pieces=tuple(pieces))


def wrong_blocks(image: "ProofImage") -> list[str]:
    """Keys for which the emulator encrypts a random block otherwise than FIPS 197 says."""
    from lockstep import Lockstep

    from aesfit.proving.code import Code
    from aesfit.proving.fips197 import Aes
    from aesfit.proving.standards import text
    from aesfit.proving.zones import Atoms

    steps, rng, wrong = Lockstep(Code(image)), Random("inputs"), []
    context, out = steps.put(bytes(600)), steps.put(bytes(16))
    for _ in range(INPUTS):
        key, block = rng.randbytes(16), rng.randbytes(16)
        steps.run("rig_key_setup_encrypt", context, steps.put(key))
        steps.run("rig_encrypt_block", context, out, steps.put(block), 1)
        if [*text(steps.get(out, 16))] != Aes(Atoms(), text(key)).encrypt(text(block)):
            wrong.append(key.hex())
    return wrong


def test_no_flipped_bit_is_proved_and_wrong(slow: bool) -> None:
    """Open are those that lead out of code or memory, where there is no result to compare."""
    from aesfit.proving.compiled import proof_image

    job = block_job("cortex-m3", "transposed")
    image, rng = proof_image(job), Random("flips")
    bits = 8 * sum(len(data) for _, data in image.pieces)
    outcomes: Counter[str] = Counter()
    for _ in range(SLOW if slow else QUICK):
        changed = flipped(image, rng.randrange(bits))
        outcome = equality(job, changed).outcome
        outcomes[outcome] += 1
        assert outcome != "proved" or wrong_blocks(changed) == []
    print(dict(outcomes))
    assert outcomes["proved"] > 0, outcomes
    assert outcomes["refuted"] > 0, outcomes
    assert set(outcomes) <= {"proved", "refuted", "open"}


def test_the_emulator_notices_a_wrong_entry() -> None:
    """The comparison above can fail: the first byte of the S-box is another."""
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.fips197 import sbox

    image = proof_image(block_job("cortex-m3", "transposed"))
    before, at = 0, -1
    for _, data in image.pieces:
        at = data.find(bytes(sbox()))
        if at >= 0:
            break
        before += len(data)
    assert wrong_blocks(image) == []
    assert wrong_blocks(flipped(image, 8 * (before + at))) != []
