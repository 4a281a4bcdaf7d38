# SPDX-License-Identifier: MIT
"""Cores proved equal to FIPS 197 on the images that are measured."""

import pytest
from few import slow_but
from images import DECRYPT, ENCRYPT, block_job, needs_prover
from shown import equality, independence

from aesfit.catalog import cores
from aesfit.platforms.platform import Isa

pytestmark = needs_prover
PLATFORMS = ("cortex-m3", "cortex-m0plus", "arm7tdmi", "rv32im-e31")
QUICK = [
    ("cortex-m3", "transposed", ENCRYPT, 192),
    ("cortex-m0plus", "ttable1", DECRYPT, 128),
    ("arm7tdmi", "sbox_columns_otf", ENCRYPT, 256),
    ("rv32im-e31", "ttable8", DECRYPT, 128),
]
SLOW = [
    (platform, core.name, op, bits)
    for platform in PLATFORMS
    for core in cores()
    if not core.needs
    for op in (ENCRYPT, DECRYPT)
    for bits in (128, 192, 256)
]


def test_quick_cases_reach_each_kind_of_code() -> None:
    from aesfit.platforms.find import platform_named

    found: set[Isa] = {platform_named(one).isa for one, *_ in QUICK}
    assert found == {"armv7-m", "armv6-m", "armv4t", "rv32im"}


def test_cores_are_equal_to_the_standard() -> None:
    for platform, core, op, bits in QUICK:
        job = block_job(platform, core, op, bits)
        statement = equality(job)
        assert (statement.outcome, statement.detail) == ("proved", ""), (platform, core, op, bits)


@pytest.mark.parametrize("op", [ENCRYPT, DECRYPT])
def test_bytes_that_flags_choose_are_followed(op: str) -> None:
    """UADD8 and SEL of ARMv7E-M."""
    job = block_job("cortex-m4", "sbox_columns_dsp", op, 128)
    statement = equality(job)
    assert (statement.outcome, statement.detail) == ("proved", "")


@pytest.mark.slow
def test_every_core_is_equal_to_the_standard() -> None:
    """What `make prove` proved before is taken from the store."""
    from aesfit.proving.prove import prove

    jobs = [block_job(*case[:3], key_bits=case[3]) for case in SLOW]
    proofs = prove(jobs, fresh=False, progress=lambda done, total: None)
    assert [one for one in proofs if one.failed or one.statements[0].outcome != "proved"] == []


@pytest.mark.parametrize("platform", slow_but(["arm7tdmi"], PLATFORMS))
def test_fixslice_is_independent_of_secrets(platform: str) -> None:
    """That of Cortex-M3 is proved by test_always.py too."""
    for op in (ENCRYPT, DECRYPT):
        job = block_job(platform, "fixslice", op)
        independent, stack = independence(job)
        assert (independent.outcome, independent.findings) == ("proved", ())
        assert stack.outcome == "told"


def test_tables_are_told_with_their_lines() -> None:
    job = block_job("cortex-m3", "transposed")
    independent, _ = independence(job)
    assert independent.outcome == "told"
    assert {one.kind for one in independent.findings} == {"load address"}
    assert {one.file.rpartition("/")[2] for one in independent.findings} >= {"transposed_keys.h"}
    assert all(one.line > 0 for one in independent.findings)
