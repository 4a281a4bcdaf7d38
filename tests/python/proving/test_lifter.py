# SPDX-License-Identifier: MIT
"""What SLEIGH says of instructions, against the emulator: program counter and all registers."""

import pytest
from images import DECRYPT, ENCRYPT, block_job, needs_prover, on_x86

from aesfit.building.unit import entries
from aesfit.catalog import cores
from aesfit.extras import EMULATOR, missing

pytestmark = [
    needs_prover,
    pytest.mark.skipif(missing("it", EMULATOR) is not None, reason=str(missing("it", EMULATOR))),
]
QUICK = [
    ("cortex-m4", "sbox_columns_dsp"),
    ("cortex-m0plus", "transposed"),
    ("rv32im-e31", "transposed"),
    ("x86-64", "transposed"),
    ("x86-64", "aesni"),
    ("arm7tdmi", "transposed"),
]
"""Each instruction set, and what only some processors have."""
PLATFORMS = ("cortex-m3", "cortex-m0plus", "arm7tdmi", "rv32im-e31", "x86-64")
SLOW = [(platform, core.name) for platform in PLATFORMS for core in cores() if not core.needs]
"""The images of blocks that `make prove` proves."""
STEPS = 100_000


def test_the_lifter_agrees_with_the_emulator(slow: bool) -> None:
    from lockstep import Lockstep

    from aesfit.proving.code import Code
    from aesfit.proving.compiled import unmeasured_image

    for platform, core in [*QUICK, *(SLOW if slow else [])]:
        if platform == "x86-64" and not on_x86:
            continue
        for op in (ENCRYPT, DECRYPT) if slow else (ENCRYPT,):
            job = block_job(platform, core, op)
            steps = Lockstep(Code(unmeasured_image(job)))
            key = steps.put(bytes(range(16)))
            context, out, data = steps.put(bytes(600)), steps.put(bytes(32)), steps.put(bytes(32))
            setup, block = entries(job)
            steps.call(setup, context, key, STEPS)
            steps.call(block, context, out, data, 2, STEPS)
            assert steps.compared > (100 if core == "aesni" else 1000)
