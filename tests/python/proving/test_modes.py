# SPDX-License-Identifier: MIT
"""Modes proved equal to their standards and independent of secrets, on measured images."""

from pathlib import Path

import pytest
from images import line_of, needs_prover, plant

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
QUICK = [
    ("cortex-m0plus", "transposed", "ccm", "decrypt", 17),
    ("cortex-m3", "transposed", "xts", "decrypt", 33),
    ("rv32im-e31", "ttable4", "ctr", "encrypt", 33),
    ("arm7tdmi", "sbox_columns", "cmac", "encrypt", 33),
    ("cortex-m3", "transposed", "cbc_cs3", "decrypt", 33),
    ("cortex-m3", "transposed", "pkcs7", "decrypt", 17),
    ("cortex-m3", "transposed", "cfb", "decrypt", 17),
    ("cortex-m3", "transposed", "cfb8", "encrypt", 3),
    ("cortex-m3", "transposed", "ofb", "encrypt", 17),
]
SLOW = [
    (platform, core, mode, op, size)
    for platform in ("cortex-m3", "cortex-m0plus", "arm7tdmi", "rv32im-e31")
    for core in ("fixslice", "transposed")
    for mode, sizes in (
        ("ctr", (0, 1, 15, 16, 17, 33)),
        ("cbc", (16, 32)),
        ("cbc_cs3", (16, 17, 33)),
        ("cfb", (0, 1, 15, 16, 17, 33)),
        ("cfb8", (1, 3)),
        ("ofb", (0, 1, 15, 16, 17, 33)),
        ("cmac", (0, 1, 15, 16, 17, 33)),
        ("ccm", (0, 1, 15, 16, 17, 33)),
        ("kw", (16,)),
        ("xts", (16, 17, 33)),
        ("ccmp", (1, 16, 33)),
    )
    for op in ("encrypt", "decrypt")
    for size in sizes
]


def message_job(platform: str, core: str, mode: str, op: str, size: int) -> Job:
    return Job(platform_named(platform), core, 128, op, mode=mode, bytes=size)


def test_modes_are_equal_to_their_standards() -> None:
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import prove_message

    for case in QUICK:
        job = message_job(*case)
        statement = prove_message(job, Code(proof_image(job)))
        assert (statement.outcome, statement.detail) == ("proved", ""), case


def test_every_mode_is_equal_to_its_standard(slow: bool) -> None:
    """What `make prove` proved before is taken from the store."""
    from aesfit.proving.prove import prove

    if not slow:
        pytest.skip("runs with --slow")
    jobs = [message_job(*case) for case in SLOW]
    proofs = prove(jobs, fresh=False, progress=lambda done, total: None)
    assert [one for one in proofs if one.failed or one.statements[0].outcome != "proved"] == []


VERDICTS = {
    "gcm": "gcm.c", "ccm": "ccm.c", "kw": "kw.c", "cmac": "cmac.c", "xts": "xts.c", "ccmp": "ccm.c",
}  # fmt: skip


@pytest.mark.parametrize("mode", ["gcm", "kw"])
def test_the_only_branches_on_secrets_are_declassified_verdicts(mode: str) -> None:
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import message_statements

    job = message_job("cortex-m0plus", "fixslice", mode, "decrypt", 16)
    independent, stack = message_statements(job, Code(proof_image(job)))
    assert (independent.outcome, independent.findings) == ("proved", ())
    (verdict,) = independent.verdicts
    mark = line_of(f"modes/{VERDICTS[mode]}", "declassify(&good") if mode == "gcm" else None
    assert verdict.file == f"lib/src/modes/{VERDICTS[mode]}"
    assert mark is None or verdict.line == mark + 1
    assert sum(size for _, size in stack.left) == int(stack.detail.split()[0])


EARLY = """for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i])
            return 0;
        difference |= (uint32_t)(a[i] ^ b[i]);
    }
"""


@pytest.mark.parametrize("platform", ["cortex-m0plus", "rv32im-e31"])
def test_an_early_exit_of_the_comparison_is_found_at_its_line(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import message_statements

    old = "for (size_t i = 0; i < bytes; i++)\n        difference |= (uint32_t)(a[i] ^ b[i]);\n"
    plant(tmp_path, monkeypatch, "parts/compare.h", [(old, EARLY)])
    job = message_job(platform, "fixslice", "gcm", "decrypt", 16)
    independent, _ = message_statements(job, Code(proof_image(job)))
    assert independent.outcome == "refuted"
    (found,) = independent.findings
    at = line_of("parts/compare.h", "if (a[i] != b[i])")
    assert (found.kind, found.file, found.line) == ("branch", "lib/src/parts/compare.h", at)


def test_a_multiplication_by_a_secret_is_told_where_its_time_varies() -> None:
    """GHASH by long multiplications: constant-time on M0+, not on M3."""
    from dataclasses import replace

    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import message_statements

    job = replace(message_job("cortex-m3", "fixslice", "gcm", "encrypt", 16), ghash="mul32")
    independent, _ = message_statements(job, Code(proof_image(job)))
    assert {one.kind for one in independent.findings} == {"variable time"}
    assert {one.file for one in independent.findings} == {"lib/src/ghash/mul32.c"}
    assert independent.outcome == "told"
