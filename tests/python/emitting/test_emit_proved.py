# SPDX-License-Identifier: MIT
"""What the head of a drop-in says of proofs: the command and the digests, or that it is sampled."""

from pathlib import Path

import pytest
from few import slow_but

import aesfit
from aesfit.api.emit import EmittedFiles
from aesfit.measuring.evidence import row_evidence


def head(answer: EmittedFiles) -> str:
    (source,) = [path for path in answer.files if path.suffix == ".c"]
    text = source.read_text(encoding="utf-8").partition("MIT License")[0]
    return " ".join(text.replace("\n *", "\n").split())


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

    def made(folder: str, *, prove: bool) -> EmittedFiles:
        return aesfit.emit(
            core, mode=mode, platform="cortex-m0plus", payload_bytes=16,
            encrypt_only=True, folder=tmp_path / folder, prove=prove,
        )  # fmt: skip

    before = made("before", prove=False)
    assert "Timing: independent of the key. The C is written" in head(before)
    assert "Evidence: 4 runs with different secrets on Cortex-M0+" in head(before)
    assert "Nothing is proved about the machine code" in head(before)
    proved = made("proved", prove=True)
    assert proved.figures is not None
    for row in proved.figures.rows:
        assert row.secrecy.kind == "proved"
        assert f"{row_evidence(row)}: {row.provenance.image_sha256}" in head(proved)
    assert "Timing: independent of the key, on Cortex-M0+. Evidence: proved on" in head(proved)
    assert "--bytes 16 --prove" in head(proved)
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
