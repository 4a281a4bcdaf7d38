# SPDX-License-Identifier: MIT
"""What the head of a drop-in says of proofs: the command and the digests, or that it is sampled."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from few import slow_but

import aesfit
from aesfit.building import build
from aesfit.choosing.request import jobs as jobs_of_question
from aesfit.cli import app
from aesfit.emitting import measured
from aesfit.emitting import proved as emitted
from aesfit.emitting.choice import DropInChoice
from aesfit.emitting.emitted import EmittedFiles
from aesfit.jobs.job import Job, Placement, Row
from aesfit.measuring import proofs
from aesfit.measuring.evidence import row_evidence
from aesfit.measuring.executed import encoded
from aesfit.measuring.measure import measure
from aesfit.platforms.find import platform_named


def head(answer: EmittedFiles) -> str:
    (source,) = [path for path in answer.files if path.suffix == ".c"]
    return prose(source)


def prose(source: Path) -> str:
    """The head's text on one line, without the licence; a wrapped command is put together."""
    text = source.read_text(encoding="utf-8").partition("MIT License")[0]
    return " ".join(text.replace("\\\n *", " ").replace("\n *", "\n").split())


@pytest.mark.parametrize(
    ("core", "mode"),
    slow_but([("fixslice_armv6m", "ecb")], [("fixslice_armv6m", "ecb"), ("fixslice", "ccm")]),
)
def test_the_head_names_what_was_proved(
    core: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First of the core that is proved the quickest.

    The store is empty, so `before` finds no proof that an earlier run of the tests has kept.
    """
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))

    def made(folder: str, *, prove: bool | None) -> EmittedFiles:
        return aesfit.emit(
            core, mode=mode, platform="cortex-m0plus", payload_bytes=16,
            encrypt_only=True, folder=tmp_path / folder, prove=prove,
        )  # fmt: skip

    before = made("before", prove=False)
    assert "Timing: independent of the key. The C is written" in head(before)
    assert "Evidence: 4 runs with different secrets on Cortex-M0+" in head(before)
    assert "Nothing is proved about the machine code" in head(before)
    assert "--bytes 16 --no-proof" in head(before)
    proved = made("proved", prove=None)
    assert proved.figures is not None
    for row in proved.figures.rows:
        assert row.secrecy.kind == "proved"
        assert f"{row_evidence(row)}: {row.provenance.image_sha256}" in head(proved)
    assert "Timing: independent of the key, on Cortex-M0+. Evidence: proved on" in head(proved)
    assert "Proved by: aesfit emit" in head(proved)
    assert "--no-proof" not in head(proved)
    assert f"--elf firmware.elf --symbol fitaes_{mode}_encrypt" in head(proved)


def test_without_a_platform_it_has_no_evidence(tmp_path: Path) -> None:
    told = head(aesfit.emit("fixslice", mode="ctr", folder=tmp_path / "made"))
    assert "Timing: independent of the key. The C is written so that no branch" in told
    assert "Evidence: none. Nothing is proved about the machine code" in told


def test_a_proof_wants_a_platform_that_can_be_followed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="give platform too"):
        aesfit.emit("fixslice", mode="ctr", folder=tmp_path / "a", prove=True)
    with pytest.raises(ValueError, match="cannot be proved"):
        aesfit.emit("fixslice", mode="ctr", platform="hexagon", folder=tmp_path / "b", prove=True)


CTR = ("fit", "--platform", "cortex-m0plus", "--mode", "ctr", "--bytes", "16", "--encrypt-only")
WINNER = ("--core", "fixslice_armv6m")
EVERYTHING = ((0, 1 << 32),)
"""Code that a proof ran: all that there may be."""


def record(jobs: Sequence[Job], path: Path, patch: pytest.MonkeyPatch) -> None:
    """From here on it is recorded that the images of these jobs are proved, and of no others."""
    lines = ["\t".join(proofs.COLUMNS)]
    for job in jobs:
        said = ("-", "-", "-", "-", "-", proofs.covers(job), "any", encoded(EVERYTHING))
        cells = (str(proofs.timing_of(job)), build.build(job).sha256, *said)
        lines.append("\t".join(cells))
    path.write_text("\n".join(lines) + "\n")
    patch.setattr(proofs, "RECORDED", path)
    proofs.recorded.cache_clear()


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store without a proof."""
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_recorded_proof_is_carried_into_the_head(
    own_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the digest of the drop-in's image, and nothing is proved anew."""
    from aesfit.proving import prove

    def never(job: object) -> None:
        raise AssertionError("it is recorded")

    monkeypatch.setattr(prove, "independent", never)
    platform = platform_named("cortex-m0plus")
    choice = DropInChoice("fixslice_armv6m", ("ctr",), (128,), encrypt_only=True, platform=platform)
    record(measured.jobs(choice, 16), own_store / "images.tsv", monkeypatch)
    made = aesfit.emit(
        "fixslice_armv6m", mode="ctr", platform=platform, payload_bytes=16, encrypt_only=True
    )
    assert made.figures is not None
    for row in made.figures.rows:
        assert f"{row_evidence(row)}: {row.provenance.image_sha256}" in head(made)
    assert "Evidence: proved on" in head(made)


def test_fit_proves_the_files_of_a_winner_that_is_proved(
    own_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prover is asked of the files alone; --no-proof asks it nothing."""
    from aesfit.proving import prove

    asked: list[Job] = []

    def shown(job: Job) -> None:
        asked.append(job)
        for size in proofs.lengths_of(job):
            found = proofs.ShownLength("proved", EVERYTHING)
            proofs.remember(build.build(job).sha256, str(proofs.timing_of(job)), size, found)

    monkeypatch.setattr(prove, "independent", shown)
    platform = platform_named("cortex-m0plus")
    answer = aesfit.fit(
        platform, mode="ctr", payload_bytes=16, encrypt_only=True, cores="fixslice_armv6m"
    )
    question = jobs_of_question(answer.choice.request, ["fixslice_armv6m"], [None])
    record(question, own_store / "images.tsv", monkeypatch)
    without = CliRunner().invoke(app, [*CTR, *WINNER, "--emit", "a", "--no-proof"])
    assert (without.exit_code, asked) == (0, []), without.output
    assert "timing of these files: independent, 4 runs" in without.output
    text = prose(Path("a/fitaes.c"))
    assert "its timing is independent of the key: proved for 0 to 81 bytes" in text
    assert "--emit fitaes --no-proof" in text
    assert "Nothing is proved about the machine code" in text
    made = CliRunner().invoke(app, [*CTR, *WINNER, "--emit", "b"])
    assert made.exit_code == 0, made.output
    assert "the first time; --no-proof leaves it out" in " ".join(made.output.split())
    assert "timing of these files: independent, proved for 0 to 81 bytes" in made.output
    assert [one.op for one in asked] == ["key-setup", "encrypt"]
    text = prose(Path("b/fitaes.c"))
    assert "Evidence: proved on the machine code" in text
    assert "Nothing is proved" not in text
    refused = CliRunner().invoke(app, [*CTR, *WINNER, "--no-proof"])
    assert (refused.exit_code, "nothing is written" in refused.output) == (2, True)


EMIT = ("emit", *CTR[1:], *WINNER)


def test_emit_proves_a_constant_time_core(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said beforehand, shown, and left out in the same words as in fit."""
    from aesfit.proving import prove

    asked: list[str] = []
    monkeypatch.setattr(prove, "independent", lambda job: asked.append(job.op))
    told = {}
    for folder, *more in (["a", "--no-proof"], ["b"]):
        result = CliRunner().invoke(app, [*EMIT, "-o", folder, *more])
        assert result.exit_code == 0, result.output
        told[folder] = " ".join(result.output.split())
        assert asked == ([] if more else ["key-setup", "encrypt"])
    assert "proved too" not in told["a"]
    assert "--no-proof leaves it out" in told["b"]
    assert "--bytes 16 --no-proof" in prose(Path("a/fitaes.c"))
    assert "--no-proof" not in prose(Path("b/fitaes.c"))
    by_tables = ["--core", "ttable1"], [*WINNER, "--mode", "gcm", "--ghash", "table4"]
    for number, core in enumerate(by_tables):
        words = ["emit", *CTR[1:], *core, "-o", f"c{number}"]
        tables = CliRunner().invoke(app, words)
        assert (tables.exit_code, "proved" in tables.output) == (0, False), tables.output
    assert asked == ["key-setup", "encrypt"]


def test_emit_says_why_it_proves_nothing(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the prover the files are written with the evidence of runs."""
    from aesfit.proving import prove

    monkeypatch.setattr(emitted, "missing", lambda what, names: f"{what} needs a package")
    monkeypatch.setattr(prove, "independent", pytest.fail)
    result = CliRunner().invoke(app, [*EMIT, "-o", "a"])
    assert result.exit_code == 0, result.output
    assert "The files are not proved: the prover needs a package." in result.output
    assert "Evidence: 4 runs" in prose(Path("a/fitaes.c"))


def test_a_core_without_tables_keeps_its_proof_wherever_tables_lie(
    own_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--tables ram moves nothing, so it is the same image."""
    platform = platform_named("cortex-m3")
    job = Job(platform, "fixslice_armv7m", 128, "encrypt", mode="ctr", bytes=16)
    moved = replace(job, placement=Placement(tables="ram"))
    assert build.build(job).sha256 == build.build(moved).sha256
    record([job], own_store / "images.tsv", monkeypatch)
    for row in measure([job, moved]):
        assert isinstance(row, Row)
        assert row.secrecy.kind == "proved"
    choice = DropInChoice("fixslice_armv7m", ("ctr",), (128,), encrypt_only=True, platform=platform)
    (plain, *_), (other, *_) = (
        measured.jobs(choice, 16, placement=one) for one in (Placement(), Placement(tables="ram"))
    )
    assert build.build(plain).sha256 == build.build(other).sha256
