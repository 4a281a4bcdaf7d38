# SPDX-License-Identifier: MIT
"""Single flipped bits of code and tables: nothing that is proved is wrong."""

from dataclasses import replace
from random import Random

from images import block_job, needs_prover

pytestmark = needs_prover
QUICK, SLOW = 6, 200
FEW = 8
"""Directed blocks beside the random ones: all 256 take sixteen times as long as the proof."""


def test_no_flipped_bit_is_proved_and_wrong(slow: bool) -> None:
    from aesfit.proving.blocks import ways
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.equality import counterexample, prove_blocks
    from aesfit.proving.image import ProofImage

    def flipped(image: ProofImage, bit: int) -> ProofImage:
        pieces = []
        for start, data in image.pieces:
            if 0 <= bit < 8 * len(data):
                changed = bytearray(data)
                changed[bit // 8] ^= 1 << bit % 8
                data = bytes(changed)
            bit -= 8 * len(data)
            pieces.append((start, data))
        return replace(image, pieces=tuple(pieces))

    job = block_job("cortex-m3", "transposed")
    image, rng = proof_image(job), Random("flips")
    bits = 8 * sum(len(data) for _, data in image.pieces)
    outcomes = {"proved": 0, "refuted": 0, "open": 0, "refused": 0, "told": 0}
    for _ in range(SLOW if slow else QUICK):
        code = Code(flipped(image, rng.randrange(bits)))
        outcome = prove_blocks(job, code).outcome
        outcomes[outcome] += 1
        if outcome == "proved":
            assert counterexample(job, code, ways(job.core), directed=FEW) == ""
    assert outcomes["refuted"] > 0, outcomes
    assert outcomes["told"] == outcomes["refused"] == 0
