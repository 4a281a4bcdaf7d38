# SPDX-License-Identifier: MIT
"""The list of proven images: what is renewed, what stays, and what a comparison finds."""

from pathlib import Path

import pytest
from images import needs_prover
from places import ROOT
from scripts import loaded

from aesfit.catalog import MODES
from aesfit.jobs.job import Job
from aesfit.measuring.evidence import may_refuse
from aesfit.platforms.find import platform_named

pytestmark = needs_prover
record_proofs = loaded(ROOT / "tools" / "record_proofs.py")
GROUP = record_proofs.ImageGroup("cortex-m3", "cbc", 128)
OTHER = "arm\t0a\tarm7tdmi\tfixslice\t128\tctr\tboth\t16 bytes\t16\tx"


def made(job: Job) -> str:
    """A line without a proof."""
    return "\t".join((*record_proofs._called(job), "any", "x"))


def lines() -> list[str]:
    """Of the group, and one of another."""
    return sorted({OTHER, *map(made, GROUP.images())})


def written(path: Path, some: list[str]) -> Path:
    path.write_text(record_proofs.text(some), encoding="utf-8")
    return path


def never(job: Job) -> str:
    raise AssertionError(f"{job} is recorded, and is proved again")


def test_recorded_images_stay_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = written(tmp_path / "list.tsv", lines())
    monkeypatch.setattr(record_proofs, "line", never)
    assert record_proofs.record(copy, GROUP, kept=False, missing=True) == len(lines()) - 1
    assert record_proofs.told(copy) == lines()


def test_a_line_that_is_missing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = written(tmp_path / "list.tsv", lines()[1:])
    monkeypatch.setattr(record_proofs, "line", made)
    record_proofs.record(copy, GROUP, kept=False, missing=True)
    assert sorted({OTHER, *record_proofs.told(copy)}) == lines()


def test_another_line_is_found_in_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_proofs, "line", made)
    copy = written(tmp_path / "list.tsv", lines())
    assert record_proofs.differing(copy, [GROUP], 0, 1) == []
    cells = made(next(GROUP.images())).split("\t")
    others = [one for one in lines() if one.split("\t") != cells]
    written(copy, [*others, "\t".join((*cells[:8], "16", "x"))])
    found = [record_proofs.differing(copy, [GROUP], part, 4) for part in range(4)]
    assert sorted(map(len, found)) == [0, 0, 0, 2]
    assert {one for part in found for one in part} == {" ".join(cells[:8])}


@pytest.mark.parametrize("op", ["encrypt", "decrypt", "both"])
def test_the_prover_knows_the_same_code_that_may_refuse(op: str) -> None:
    from aesfit.proving.following import may_refuse as followed

    for mode in MODES.values():
        if op != "encrypt" and not mode.verifies:
            continue
        job = Job(platform_named("cortex-m3"), "fixslice", 128, op, mode=mode.name)
        assert may_refuse(mode.name, op != "encrypt") == followed(job)
