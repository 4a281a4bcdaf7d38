# SPDX-License-Identifier: MIT
"""VexRiscv with caches of another size is what the generator writes."""

from hashlib import sha256
from types import ModuleType

import pytest
from places import ROOT
from scripts import loaded

from aesfit.platforms.names import processors
from aesfit.rigs.rtl.soc.simulator import verilog

SUMS = ROOT / "third_party" / "vexriscv" / "SHA256SUMS"


@pytest.fixture
def maker() -> ModuleType:
    return loaded(ROOT / "tools" / "resized_caches.py")


@pytest.mark.parametrize("kib", [1, 4])
def test_one_size_is_made_from_another(maker: ModuleType, kib: int) -> None:
    kept = processors()[f"vexriscv_{kib}k{kib}k"]
    assert maker.resized(kib << 10) == kept.read_text(encoding="utf-8")


def test_the_made_processor_is_the_recorded_one_and_simulated_while_it_is_there(
    maker: ModuleType,
) -> None:
    (name,) = maker.SIZES
    with maker.available(name):
        path = verilog(name)[-1]
        digest = sha256(path.read_bytes()).hexdigest()
    assert f"{digest}  {name}.v" in SUMS.read_text(encoding="utf-8").splitlines()
    assert name not in processors()
    assert not path.exists()


def test_what_the_generator_did_not_write_is_refused(
    maker: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maker, "SIZES", {"vexriscv_512k512k": 256 << 10})
    with (
        pytest.raises(ValueError, match=r"vexriscv_512k512k\.v is not what the generator wrote"),
        maker.available("vexriscv_512k512k"),
    ):
        pass
