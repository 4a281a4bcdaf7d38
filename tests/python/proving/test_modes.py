# SPDX-License-Identifier: MIT
"""Modes proved equal to their standards and independent of secrets, on measured images."""

from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from few import slow_but
from images import line_of, needs_prover, plant
from shown import equality, independence

from aesfit.catalog import MODES
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

if TYPE_CHECKING:
    from aesfit.proving.answer import ProvedStatement

pytestmark = needs_prover
QUICK = [
    ("cortex-m0plus", "transposed", "ccm", "decrypt", 17),
    ("cortex-m3", "transposed", "xts", "decrypt", 33),
    ("rv32im-e31", "ttable4", "ctr", "encrypt", 33),
    ("arm7tdmi", "sbox_columns", "cmac", "encrypt", 33),
    ("cortex-m0plus", "transposed", "gcm", "decrypt", 17),
    ("cortex-m3", "transposed", "cbc_cs3", "decrypt", 33),
    ("cortex-m3", "transposed", "pkcs7", "decrypt", 17),
    ("cortex-m3", "transposed", "cfb", "decrypt", 17),
    ("cortex-m3", "transposed", "cfb8", "encrypt", 3),
    ("cortex-m3", "transposed", "ofb", "encrypt", 17),
]
PLATFORMS = ("cortex-m3", "cortex-m0plus", "arm7tdmi", "rv32im-e31")
OPS = ("encrypt", "decrypt")
LENGTHS = {
    "ctr": 33, "cbc": 32, "cbc_cs3": 33, "cfb": 33, "cfb8": 3, "ofb": 33, "cmac": 33, "ccm": 33,
    "gcm": 33, "gcm_siv": 33, "kw": 16, "xts": 33, "ccmp": 33,
}  # fmt: skip
SLOW = [
    (platform, "transposed", mode, op, LENGTHS[mode])
    for (op, mode), platform in zip(product(OPS, LENGTHS), cycle(PLATFORMS), strict=False)
]
"""Both directions of each mode over a core with a table, at the longest length, the platform in
turn; tools/prove.sh proves all lengths on all platforms over the constant-time core."""


def message_job(platform: str, core: str, mode: str, op: str, size: int) -> Job:
    return Job(platform_named(platform), core, 128, op, mode=mode, bytes=size)


def test_modes_are_equal_to_their_standards(slow: bool) -> None:
    for case in QUICK if slow else QUICK[::6]:
        job = message_job(*case)
        statement = equality(job)
        assert (statement.outcome, statement.detail) == ("proved", ""), case


@pytest.mark.slow
def test_every_mode_is_equal_to_its_standard() -> None:
    """What `make prove` proved before is taken from the store."""
    from aesfit.proving.prove import prove

    jobs = [message_job(*case) for case in SLOW]
    proofs = prove(jobs, fresh=False, progress=lambda done, total: None)
    assert [one for one in proofs if one.failed or one.statements[0].outcome != "proved"] == []


@pytest.mark.slow
def test_every_multiplier_that_multiplies_by_instructions_or_tables_is_proved() -> None:
    """Cortex-M0+ has no long multiplication, and that of libgcc branches on a secret."""
    cases = [*product(PLATFORMS, ("table4", "table8", "mul_low"))]
    cases += [(one, "mul32") for one in ("cortex-m3", "cortex-m4", "arm7tdmi", "rv32im-e31")]
    for platform, ghash in cases:
        job = replace(message_job(platform, "transposed", "gcm", "encrypt", 1), ghash=ghash)
        statement = equality(job)
        assert (statement.outcome, statement.detail) == ("proved", ""), (platform, ghash)
    job = replace(message_job("cortex-m0plus", "transposed", "gcm", "encrypt", 0), ghash="mul32")
    statement = equality(job)
    assert statement.outcome == "open"
    assert "__muldi3" in statement.detail
    assert "a branch depends on a secret" in statement.detail


def test_a_message_too_long_for_the_domain_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked of the prover itself: what is kept is what it says unchanged."""
    from aesfit.proving import zones
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import MessageProof

    monkeypatch.setattr(zones, "MOST_ATOMS", 1000)
    job = message_job("cortex-m3", "transposed", "gcm", "encrypt", 0)
    statement = MessageProof(job, Code(proof_image(job))).equal()
    assert statement.outcome == "open"
    assert "ask for fewer bytes" in statement.detail


REDUCTIONS = {
    "shift32": ("parts/ghash_words.h", "(w >> 7);", "(w >> 6);"),
    "mul32": ("parts/ghash_words.h", "0xc2000000u", "0xc1000000u"),
    "table4": ("parts/ghash_comb.h", "(out >> 2) ^ (out >> 7)", "(out >> 2) ^ (out >> 6)"),
}
"""File, what stands there, a reduction by another polynomial."""


@pytest.mark.parametrize("ghash", slow_but(["shift32"], REDUCTIONS))
def test_a_wrong_reduction_is_refuted(
    ghash: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new = REDUCTIONS[ghash]
    plant(tmp_path, monkeypatch, file, [(old, new)])
    job = replace(message_job("cortex-m3", "transposed", "gcm", "encrypt", 0), ghash=ghash)
    statement = equality(job, planted=True)
    assert statement.outcome == "refuted"
    assert "of the tag differ from the standard" in statement.detail


VERDICTS = {
    "gcm": "parts/verdict.h", "gcm_siv": "parts/verdict.h", "ccm": "modes/ccm.c",
    "kw": "modes/kw.c", "ccmp": "modes/ccm.c",
}  # fmt: skip


@pytest.mark.parametrize("mode", slow_but(["ccmp"], ["ccmp", "gcm", "gcm_siv", "kw"]))
def test_the_only_branches_on_secrets_are_verdicts(mode: str) -> None:
    job = message_job("cortex-m0plus", "fixslice", mode, "decrypt", 16)
    independent, stack = independence(job)
    assert (independent.outcome, independent.findings) == ("proved", ())
    (verdict,) = independent.verdicts
    mark = line_of(VERDICTS[mode], "declassify(&good") if mode != "kw" else None
    assert verdict.file == f"lib/src/{VERDICTS[mode]}"
    assert mark is None or verdict.line == mark + 1
    assert stack.outcome == "proved"


UNPADDING = "modes/pkcs7.c"
AFTER_THE_VERDICT = "    data = 16 - padding;\n"
BEFORE_THE_VERDICT = "    good = pkcs7_less(0, padding)"
PKCS7_FAULTS = {
    "a branch on the payload": (
        AFTER_THE_VERDICT, "    data = 16 - padding;\n    if (block[0] == 7) return AESFIT_OK;\n",
        "if (block[0] == 7)",
    ),
    "a branch on bad padding": (
        BEFORE_THE_VERDICT, "    if (bad > 9) return AESFIT_ERR_PADDING;\n" + BEFORE_THE_VERDICT,
        "if (bad > 9)",
    ),
}  # fmt: skip
"""What stands there, the fault, the branch."""


@pytest.mark.slow
def test_padding_shows_its_length_and_nothing_else() -> None:
    job = message_job("cortex-m3", "fixslice", "pkcs7", "decrypt", 1)
    independent, left = independence(job)
    assert (independent.outcome, independent.findings) == ("proved", ())
    (verdict,) = independent.verdicts
    assert verdict.line == line_of(UNPADDING, "if (good == 0)")
    assert left.outcome == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("name", PKCS7_FAULTS)
def test_a_branch_on_more_than_the_length_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, branch = PKCS7_FAULTS[name]
    plant(tmp_path, monkeypatch, UNPADDING, [(old, new)])
    job = message_job("rv32im-e31", "fixslice", "pkcs7", "decrypt", 1)
    independent, _ = independence(job, planted=True)
    assert independent.outcome == "refuted"
    places = {(one.kind, one.file, one.line) for one in independent.findings}
    assert ("branch", f"lib/src/{UNPADDING}", line_of(UNPADDING, branch)) in places


EARLY = """for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i])
            return 0;
        difference |= (uint32_t)(a[i] ^ b[i]);
    }
"""


@pytest.mark.parametrize("platform", slow_but(["rv32im-e31"], ["cortex-m0plus", "rv32im-e31"]))
def test_an_early_exit_of_the_comparison_is_found_at_its_line(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "for (size_t i = 0; i < bytes; i++)\n        difference |= (uint32_t)(a[i] ^ b[i]);\n"
    plant(tmp_path, monkeypatch, "parts/compare.h", [(old, EARLY)])
    job = message_job(platform, "fixslice", "gcm", "decrypt", 16)
    independent, _ = independence(job, planted=True)
    assert independent.outcome == "refuted"
    (found,) = independent.findings
    at = line_of("parts/compare.h", "if (a[i] != b[i])")
    assert (found.kind, found.file, found.line) == ("branch", "lib/src/parts/compare.h", at)


def test_a_multiplication_by_a_secret_is_told_where_its_time_varies() -> None:
    """GHASH by long multiplications, which take a variable time on Cortex-M3."""
    job = replace(message_job("cortex-m3", "fixslice", "gcm", "encrypt", 16), ghash="mul32")
    independent, _ = independence(job)
    assert {one.kind for one in independent.findings} == {"variable time"}
    assert {one.file for one in independent.findings} == {"lib/src/assembly/mul32_armv7m.h"}
    assert independent.outcome == "told"


CLEARED = [
    ("cortex-m0plus", "fixslice", "ccm", "decrypt", 17),
    ("rv32im-e31", "fixslice", "gcm", "encrypt", 33),
    ("cortex-m0plus", "fixslice", "cmac", "decrypt", 32),
]
CLEARING = ("cbc", "cbc_cs3", "xts", "cbc_mac", "cmac", "ccm", "gcm", "gcm_siv", "kw", "ccmp")
ALL_CLEARED = [
    (platform, core, mode, op, 32)
    for (core, op, mode), platform in zip(
        product(("transposed", "bytewise_unrolled"), OPS, CLEARING), cycle(PLATFORMS), strict=False
    )
    if (mode, op) != ("cbc_mac", "decrypt")
]
"""Cores that tools/prove.sh does not ask about, the platform in turn."""
STATES = tuple(mode.name for mode in MODES.values() if mode.carries == "state")


def left_of(job: Job, *, planted: bool = False) -> "ProvedStatement":
    return independence(job, planted=planted)[1]


def test_messages_leave_no_secret_behind(slow: bool) -> None:
    for case in CLEARED if slow else CLEARED[2:]:
        assert left_of(message_job(*case)).outcome == "proved", case


@pytest.mark.slow
def test_no_message_leaves_a_secret_behind() -> None:
    found = {case: left_of(message_job(*case)) for case in ALL_CLEARED}
    assert {case: one.detail for case, one in found.items() if one.outcome != "proved"} == {}


@pytest.mark.parametrize("mode", slow_but(["ctr"], STATES))
def test_a_state_of_the_callers_is_all_that_is_left(mode: str) -> None:
    """16 bytes, which the harness does not wipe."""
    left = left_of(message_job("rv32im-e31", "fixslice", mode, "encrypt", 17))
    assert (left.outcome, left.detail) == ("told", "16 bytes")


PLANTED = {
    "a message that is not cleared": (
        "modes/ccm.c", "CLEAR_AFTER(clear_aead, ccm_encrypt(", "(ccm_encrypt(",
        {"fixslice_encrypt_two"},
    ),
    "too little is cleared": (
        "parts/clear.h", "CLEAR_SIZE(640)", "CLEAR_SIZE(64)", {"fixslice_encrypt_two"},
    ),
    "registers are not cleared": (
        "parts/compiler.h", "#if __has_attribute(zero_call_used_regs)", "#if 0", set[str](),
    ),
}  # fmt: skip
"""File, what stands there, the fault, functions among those that leave a secret on the stack."""


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_left_behind_is_refuted_at_its_function(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new, functions = PLANTED[name]
    plant(tmp_path, monkeypatch, file, [(old, new)])
    left = left_of(message_job("rv32im-e31", "fixslice", "ccm", "encrypt", 16), planted=True)
    assert left.outcome == "refuted"
    assert functions <= {function for function, _ in left.left}
    assert functions <= {one.function for one in left.findings}
    assert functions or left.registers


def test_a_clobbered_register_is_refuted_at_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "} while (p != end);"
    plant(tmp_path, monkeypatch, "parts/clear.h", [(old, old + '__asm__ volatile("li s11, 0");')])
    job = message_job("rv32im-e31", "fixslice", "ccm", "encrypt", 16)
    independent, _ = independence(job, planted=True)
    places = {(one.kind, one.function, one.file) for one in independent.findings}
    assert independent.outcome == "refuted"
    assert ("register not preserved", "clear_aead", "lib/src/parts/clear.h") in places
