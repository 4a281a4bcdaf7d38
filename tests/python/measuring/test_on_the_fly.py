# SPDX-License-Identifier: MIT
"""Round keys on the fly against expanding the key for each block."""

import pytest

from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named


def cycles_of_one_block(core: str, key_bits: int) -> float:
    """Key set-up and one block, to encrypt."""
    arm = platform_named("arm7tdmi")
    ops = ("key-setup-encrypt", "encrypt-block")
    rows = measure([Job(arm, core, key_bits, op) for op in ops])
    assert all(isinstance(row, Row) for row in rows)
    return sum(row.cycles for row in rows if isinstance(row, Row))


@pytest.mark.parametrize(
    ("core", "key_bits"),
    [
        ("sbox_columns", 192),
        ("sbox_columns", 256),
        ("ttable1", 192),
        ("ttable1", 256),
        ("transposed", 256),
    ],
)
def test_on_the_fly_takes_less_than_expanding_for_each_block(core: str, key_bits: int) -> None:
    assert cycles_of_one_block(f"{core}_otf", key_bits) < cycles_of_one_block(core, key_bits)
