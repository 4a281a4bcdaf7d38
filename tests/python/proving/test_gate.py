# SPDX-License-Identifier: MIT
"""An image is not called proved where its measurement executes what the proof did not run."""

from dataclasses import replace
from pathlib import Path

import pytest
from images import needs_prover, plant

from aesfit.jobs.job import Job
from aesfit.measuring.executed import decoded, encoded, joined, ranges_of
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
BATCH = "        size_t batch = blocks < CORE_LANES(key) ? blocks : CORE_LANES(key);\n"
LATE = BATCH + (
    '        if (blocks == 9 && key->schedule[0] == 0x5a)\n            __asm__ volatile("nop");\n'
)
"""A branch on the key that no message of a proof is long enough for."""


def message(size: int, mode: str = "ctr", core: str = "fixslice") -> Job:
    return Job(platform_named("cortex-m0plus"), core, 128, "encrypt", mode=mode, bytes=size)


def told(job: Job) -> str:
    """What is said of a job's measurement, once its image is proved."""
    from aesfit.measuring.proofs import ImageProof, covers, not_proved
    from aesfit.proving.prove import independent

    sha256, shown, ran = independent(job)
    assert shown == "proved"
    return not_proved(job, sha256, ImageProof(covers(job), (), ran))


@pytest.mark.parametrize("size", [0, 81, 1504])
def test_nothing_else_is_executed(size: int) -> None:
    assert told(message(size)) == ""


def test_a_branch_behind_the_lengths_of_the_proof_is_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    plant(tmp_path, monkeypatch, "parts/keystream.h", [(BATCH, LATE)])
    assert told(message(81)) == ""
    late = told(message(144))
    assert late.startswith("it executes instructions that the proof did not run: ")
    assert "ctr_crypt" in late


def test_loops_are_run_again_in_the_longest_message() -> None:
    from aesfit.measuring.executed import unproved
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.modes import MessageProof

    job = message(1504)
    code = Code(proof_image(job))
    short, _ = MessageProof(replace(job, bytes=33), code).independent()
    assert unproved(job, code.image.sha256, short.ran)


def test_key_setup_is_asked_in_its_own_image() -> None:
    assert told(Job(platform_named("cortex-m0plus"), "fixslice", 128, "key-setup-encrypt")) == ""
    assert told(replace(message(0), op="key-setup", bytes=None)) == ""


def test_an_instruction_whose_condition_fails_did_not_run() -> None:
    from aesfit.proving.lifter import Lifter

    add = Lifter("armv4t").lift(bytes.fromhex("01008012"), 0)  # addne r0, r0, #1
    skips = [n for n, one in enumerate(add.operations) if one.name == "CBRANCH"]
    assert [add.skipped_at(n) for n in skips] == [True]
    assert not add.skipped_at(len(add.operations) - 1)
    branch = Lifter("armv4t").lift(bytes.fromhex("feffff1a"), 0)  # bne
    assert not any(branch.skipped_at(n) for n in range(len(branch.operations)))


def test_ranges_of_code_go_through_text() -> None:
    code = ranges_of([(0x8000102, 4), (0x8000100, 2), (0x8001000, 2)])
    assert code == ((0x8000100, 0x8000106), (0x8001000, 0x8001002))
    assert decoded(encoded(code)) == code
    assert joined([code, ((0x8000106, 0x8000108),)])[0] == (0x8000100, 0x8000108)
    assert decoded(encoded(())) == ()


@pytest.mark.parametrize("text", ["?", "AAAA", "eJwDAA"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="are no ranges of code"):
        decoded(text)
