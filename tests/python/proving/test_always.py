# SPDX-License-Identifier: MIT
"""`always` of `measure` needs a proof of the image: what runs do not see is not called so."""

from dataclasses import replace
from pathlib import Path

import pytest
from images import block_job, needs_prover, plant
from test_modes import EARLY
from test_mutants import DELAY, STORE
from test_planted_modes import LEAKS

from aesfit.jobs.job import Job, Row
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
LOOP = "for (size_t i = 0; i < bytes; i++)\n        difference |= (uint32_t)(a[i] ^ b[i]);\n"


def measured(job: Job) -> Row:
    (row,) = measure([job])
    assert isinstance(row, Row)
    return row


def test_an_image_is_always_constant_time_once_it_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aesfit.measuring import proofs
    from aesfit.proving.prove import independent

    empty = tmp_path / "images.tsv"
    empty.write_text("\t".join(proofs.COLUMNS) + "\n")
    monkeypatch.setattr(proofs, "RECORDED", empty)
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    job = block_job("cortex-m3", "fixslice")
    assert (measured(job).secrecy.kind, measured(job).proved) == ("independent", "")
    sha256, shown, _ = independent(job)
    assert shown == "proved"
    assert sha256 == measured(job).provenance.image_sha256
    assert (measured(job).secrecy.kind, measured(job).proved) == ("proved", "3 blocks")
    sped = replace(job, flags=("-Os",))
    assert measured(sped).secrecy.kind == "independent"


def test_a_secret_delay_is_not_called_always(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aesfit.proving.prove import independent

    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    plant(tmp_path, monkeypatch, "parts/steps/fixslice_rounds.h", [(STORE, DELAY)])
    job = block_job("cortex-m0plus", "fixslice")
    assert measured(job).secrecy.kind != "proved"
    assert independent(job)[1] == "refuted"
    assert measured(job).secrecy.kind == "depends"


def test_an_early_exit_of_the_comparison_is_not_called_always(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aesfit.proving.prove import independent

    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    plant(tmp_path, monkeypatch, "parts/compare.h", [(LOOP, EARLY)])
    job = Job(platform_named("cortex-m0plus"), "fixslice", 128, "decrypt", mode="gcm", bytes=16)
    assert measured(job).secrecy.kind == "independent"  # every message that runs is genuine
    assert independent(job)[1] == "refuted"
    assert measured(job).secrecy.kind == "depends"


@pytest.mark.parametrize(
    "name",
    ["a status that tells a bit of the key", "a branch on the key that says it is a verdict"],
)
def test_what_tells_more_than_the_verdict_is_not_proved_by_one_length_either(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aesfit.proving.prove import independent

    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    fault = LEAKS[name]
    plant(tmp_path, monkeypatch, fault.file, [(fault.old, fault.new)])
    assert independent(fault.job)[1] != "proved"
