# SPDX-License-Identifier: MIT
"""Flags are worked out where somebody reads them, and only there."""

import pytest
from images import needs_prover

pytestmark = needs_prover
START = 0x1000
LSLS, ADCS, ADDS, MOVS, BEQ = 0x0040, 0x4149, 0x3001, 0x2207, 0xD000
"""Thumb (ARM DDI 0419, A6.7): lsls r0,r0,#1; adcs r1,r1; adds r0,#1; movs r2,#7; beq."""


def flags_set(*code: int) -> set[str]:
    """Flags that the first instruction sets."""
    from aesfit.proving.code import Code
    from aesfit.proving.image import ProofImage

    data = b"".join(word.to_bytes(2, "little") for word in code)
    made = Code(ProofImage("armv6-m", ((START, data),), {}, (), ()))
    outputs = {one.output for one in made.lifted(START).operations}
    return {name for name in ("NG", "ZR", "CY", "OV") if made.registers[name] in outputs}


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (set(), (LSLS, ADDS, BEQ)),
        ({"CY"}, (LSLS, ADCS, BEQ)),
        ({"CY"}, (LSLS, MOVS, ADCS, BEQ)),
        ({"NG", "ZR", "CY"}, (LSLS, BEQ)),
        ({"CY"}, (LSLS, MOVS, BEQ)),
        ({"NG", "ZR", "CY"}, (LSLS,)),
    ],
)
def test_a_flag_is_set_where_it_is_read(flags: set[str], code: tuple[int, ...]) -> None:
    """What follows a branch, or lies beyond the code, may read all of them."""
    assert flags_set(*code) == flags


def test_memory_is_accessed_whoever_reads_the_result() -> None:
    """ldr r0,[r1] and then r0 anew: the address may depend on a secret."""
    from aesfit.proving.code import Code
    from aesfit.proving.image import ProofImage

    data = bytes.fromhex("0868 0720")
    made = Code(ProofImage("armv6-m", ((START, data),), {}, (), ()))
    assert "LOAD" in {one.name for one in made.lifted(START).operations}
