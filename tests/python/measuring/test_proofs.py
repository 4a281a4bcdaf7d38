# SPDX-License-Identifier: MIT
"""`always` is said of images with a proof alone: recorded, or kept by `aesfit prove`."""

from dataclasses import replace
from pathlib import Path

import pytest
import rows

from aesfit.jobs.job import Job, Row
from aesfit.jobs.secrecy import Kind
from aesfit.measuring import proofs
from aesfit.measuring.executed import encoded
from aesfit.measuring.proofs import (
    COLUMNS,
    RECORDED,
    ShownLength,
    lengths_of,
    recorded,
    remember,
    with_proof,
)
from aesfit.platforms.find import platform_named

IMAGE = "ab" * 32
CLAIMS = rows.Core(cycles=1000, flash=2000, ram=100, time="independent")
MOST: tuple[proofs.Shown, ...] = ("proved",) * 6
LENGTHS = "0,1,15,16,17,33,81 bytes"
RAN = ((0x100, 0x200),)


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(proofs, "unproved", lambda job, sha256, ran: {})


def job(platform: str = "cortex-m3", op: str = "encrypt") -> Job:
    return Job(platform_named(platform), "fixslice", 128, op, mode="ccm", bytes=64)


def row(asked: Job, core: rows.Core = CLAIMS) -> Row:
    found = rows.result(core, asked)
    assert isinstance(found, Row)
    return replace(found, provenance=replace(found.provenance, image_sha256=IMAGE))


def shown(asked: Job, *outcomes: proofs.Shown, timing: str = "cortex_m3") -> None:
    for size, outcome in zip(lengths_of(asked), outcomes, strict=True):
        remember(IMAGE, timing, size, ShownLength(outcome, RAN))


def test_without_a_proof_its_evidence_stays_that_of_runs() -> None:
    assert with_proof(job(), row(job())) == row(job())


def test_every_length_has_to_be_proved() -> None:
    for size in lengths_of(job())[:-1]:
        remember(IMAGE, "cortex_m3", size, ShownLength("proved", RAN))
    assert with_proof(job(), row(job())).secrecy.kind == "independent"
    remember(IMAGE, "cortex_m3", lengths_of(job())[-1], ShownLength("proved", RAN))
    found = with_proof(job(), row(job()))
    assert (found.secrecy.kind, found.proved) == ("proved", LENGTHS)


def test_a_length_that_is_refuted_says_that_it_depends() -> None:
    shown(job(), *MOST, "refuted")
    found = with_proof(job(), row(job()))
    assert (found.secrecy.kind, found.proved) == ("depends", "")


def test_a_length_that_is_open_proves_nothing() -> None:
    shown(job(), *MOST, "open")
    assert with_proof(job(), row(job())).secrecy.kind == "independent"


def test_a_proof_is_of_one_timing_model_and_one_image() -> None:
    shown(job(), *MOST, "proved", timing="cortex_m4")
    assert with_proof(job(), row(job())).secrecy.kind == "independent"
    shown(job(), *MOST, "proved")
    other = replace(rows.PROVENANCE, image_sha256="cd" * 32)
    assert with_proof(job(), replace(row(job()), provenance=other)).secrecy.kind == "independent"


@pytest.mark.parametrize("platform", ["hexagon", "x86-64"])
def test_what_has_no_timing_model_is_not_proved(platform: str) -> None:
    assert with_proof(job(platform), row(job(platform))).secrecy.kind == "independent"


def test_a_proof_raises_nothing_but_what_is_independent() -> None:
    shown(job(), *MOST, "proved")
    weak_kinds: tuple[Kind, ...] = ("here", "depends")
    for kind in weak_kinds:
        weak = row(job(), replace(CLAIMS, time=kind))
        assert with_proof(job(), weak) == weak


def test_recorded_images_need_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ("cortex_m3", IMAGE, "cortex-m3", "fixslice", "128", "ccm", "encrypt")
    lines = ["# SPDX-License-Identifier: MIT", "\t".join(COLUMNS)]
    path = tmp_path / "images.tsv"
    path.write_text("\n".join([*lines, "\t".join((*cells, LENGTHS, "16,64", encoded(RAN)))]) + "\n")
    monkeypatch.setattr(proofs, "RECORDED", path)
    assert with_proof(job(), row(job())).secrecy.kind == "proved"
    other = tmp_path / "shorter.tsv"
    other.write_text(
        "\n".join([*lines, "\t".join((*cells, "0,1 bytes", "64", encoded(RAN)))]) + "\n"
    )
    monkeypatch.setattr(proofs, "RECORDED", other)
    assert with_proof(job(), row(job())).secrecy.kind == "independent"


def test_what_the_measurement_executes_beyond_the_proof_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []

    def beyond(job: Job, sha256: str, ran: object) -> dict[str, int]:
        asked.append((job.bytes, sha256, ran))
        return {"ccm_data": 4}

    monkeypatch.setattr(proofs, "unproved", beyond)
    shown(job(), *MOST, "proved")
    found = with_proof(job(), row(job()))
    assert (found.secrecy.kind, found.proved) == ("independent", "")
    assert found.unproved == "it executes instructions that the proof did not run: 4 of ccm_data"
    assert asked == [(64, IMAGE, RAN)]


def test_without_an_emulator_it_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(job: Job, sha256: str, ran: object) -> dict[str, int]:
        raise RuntimeError("there is no emulator")

    monkeypatch.setattr(proofs, "unproved", none)
    shown(job(), *MOST, "proved")
    found = with_proof(job(), row(job()))
    assert found.secrecy.kind == "independent"
    assert found.unproved.endswith("is not known here: there is no emulator")


def test_a_damaged_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / "images.tsv"
    path.write_text("\t".join(COLUMNS) + "\ncortex_m3\tabc\n")
    with pytest.raises(ValueError, match="a line of 2 columns, not 10"):
        recorded(path)


def test_the_record_is_whole_and_sorted() -> None:
    text = RECORDED.read_text(encoding="utf-8").splitlines()
    lines = [line for line in text if not line.startswith("#")]
    assert lines[0] == "\t".join(COLUMNS)
    assert lines[1:] == sorted(set(lines[1:]))
    images = {tuple(line.split("\t")[:2]) for line in lines[1:]}  # modes may share a key set-up
    assert set(recorded(RECORDED)) == images
    assert all(len(digest) == 64 for _, digest in recorded(RECORDED))
