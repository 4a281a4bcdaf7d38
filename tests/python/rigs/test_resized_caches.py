# SPDX-License-Identifier: MIT
"""VexRiscv with caches of another size is what the generator writes."""

from hashlib import sha256
from pathlib import Path

import pytest

from aesfit.platforms.names import GIVEN, RESIZED, processors
from aesfit.rigs.rtl.soc import resized
from aesfit.rigs.rtl.soc.simulator import verilog

SUMS = processors()[GIVEN].parent / "SHA256SUMS"


def test_its_own_size_changes_nothing() -> None:
    assert resized.resized(4 << 10) == processors()[GIVEN].read_text(encoding="utf-8")


@pytest.mark.parametrize("cpu", RESIZED)
def test_what_is_made_is_what_was_recorded(
    cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path))
    path = verilog(cpu)[-1]
    digest = sha256(path.read_bytes()).hexdigest()
    assert f"{digest}  {cpu}.v" in SUMS.read_text(encoding="utf-8").splitlines()
    assert path.is_relative_to(tmp_path)
    assert verilog(cpu)[-1] == path


def test_what_the_generator_did_not_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path))
    monkeypatch.setattr(resized, "RESIZED", {"vexriscv_1k1k": 2 << 10})
    with pytest.raises(ValueError, match=r"vexriscv_1k1k\.v is not what the generator wrote"):
        resized.verilog_of("vexriscv_1k1k")
