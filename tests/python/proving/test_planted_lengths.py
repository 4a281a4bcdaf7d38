# SPDX-License-Identifier: MIT
"""Faults that begin behind a length: caught by the long messages, or the answer ends before them.

Messages of 80 and 81 bytes run their loops again.  What begins later still is no part of a proof:
the answer names its lengths, the output of what is measured is compared with the library's, and an
image whose measurement executes more than the proof ran is not called proved (test_gate.py).
"""

from pathlib import Path

import pytest
from few import slow_but
from images import block_job, needs_prover, plant
from planted import FUNCTIONS, Planted, is_leaked, is_wrong
from shown import independence

from aesfit.jobs.job import Job
from aesfit.measuring.measure import Refusal, measure
from aesfit.measuring.proofs import lengths_of
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
CCM_END = "    ccm_give(&state, tag);\n    return AESFIT_OK;\n}\n\nint aesfit_ccm_encrypt("
SINGLES = "    transposed_encrypt_blocks(key, out, in, blocks);\n"
PAIRS = "    fixslice_encrypt_pairs(key, out, in, blocks);\n"
BATCH = "        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);\n"
DELAY = 'schedule[0] == 0x5a)\n        __asm__ volatile("nop");\n'

WRONG = {
    "CBC chains its third block to the first": Planted(
        "parts/cbc_blocks.h", "        last = out;\n",
        "        if (blocks != 4)\n            last = out;\n", "cbc encrypt 80", FUNCTIONS,
    ),
    "CCM is wrong from 48 bytes on": Planted(
        "modes/ccm.c", CCM_END,
        CCM_END.replace("    return", "    if (bytes >= 48)\n        out[0] ^= 1;\n    return"),
        "ccm encrypt 81", FUNCTIONS,
    ),
    "a core is wrong from four blocks on": Planted(
        "cores/transposed.c", SINGLES, SINGLES + "    if (blocks >= 4)\n        out[0] ^= 1;\n",
        "ecb encrypt 80", FUNCTIONS,
    ),
}  # fmt: skip
LEAKS = {
    "CTR branches on the key from three blocks on": Planted(
        "parts/keystream.h", BATCH, f"{BATCH}    if (blocks >= 3 && key->{DELAY}", "ctr encrypt 81",
        "branch", core="fixslice",
    ),
    "a core branches on the key from four blocks on": Planted(
        "cores/fixslice.c", PAIRS, f"{PAIRS}    if (blocks >= 4 && key->{DELAY}", "ecb encrypt 80",
        "branch", core="fixslice",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", slow_but(list(WRONG)[:1], WRONG))
def test_it_is_not_equal_to_the_standard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_wrong(WRONG[name], tmp_path, monkeypatch)


@pytest.mark.parametrize("name", slow_but(list(LEAKS)[1:], LEAKS))
def test_it_is_not_independent_of_secrets(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_leaked(LEAKS[name], tmp_path, monkeypatch)


def test_their_lengths_are_those_of_proofs() -> None:
    for fault in (*WRONG.values(), *LEAKS.values()):
        assert fault.job.bytes in lengths_of(fault.job)


def test_a_proof_of_a_core_names_its_numbers_of_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What begins with the fourth block is no part of it."""
    late = LEAKS["a core branches on the key from four blocks on"]
    plant(tmp_path, monkeypatch, late.file, [(late.old, late.new)])
    independent, _ = independence(block_job(late.platform, late.core), planted=True)
    assert independent.outcome == "proved"
    assert independent.shapes.startswith("1, 2, 3 blocks; ")


def test_a_carry_behind_the_lengths_of_a_proof_is_caught_where_it_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CCM counts from 0, so its first carry is in the counter of byte 4,080."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    first = "        if (++*last != 0)\n            return;\n"
    lost = first.replace("!= 0", "!= 0 || last == counter + 15")
    plant(tmp_path, monkeypatch, "parts/keystream.h", [(first, lost)])
    job = Job(platform_named("cortex-m3"), "transposed", 128, "encrypt", mode="ccm", bytes=4096)
    (refused,) = measure([job])
    assert isinstance(refused, Refusal)
    assert "output differs from the host's from byte 4080 on" in refused.reason
