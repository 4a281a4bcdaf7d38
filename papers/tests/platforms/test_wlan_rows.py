# SPDX-License-Identifier: MIT
"""Packets of wireless networks: a clock that could not be measured is an error, not a gap."""

import pytest

from aesfit.hardware.families import FAMILIES
from aesfit.wlan import hardware
from aesfit.wlan.verdict import PacketRow, PlatformVerdict
from aesfit_papers.platforms import wlan


def line(family: str, clock_hz: float | None) -> PlatformVerdict:
    """Of `aes_ccm` on a family; without a clock, Yosys is missing."""
    why = {} if clock_hz else {"clock_hz": "Yosys is missing"}
    row = PacketRow(family, "hardware", "aes_ccm", 8573, clock_hz, why=why)
    return PlatformVerdict(row, row)


@pytest.mark.parametrize("clocked", [True, False])
def test_a_family_that_can_be_placed_has_a_clock(
    monkeypatch: pytest.MonkeyPatch, clocked: bool
) -> None:
    clocks = {one.name: 1e8 if clocked and one.device else None for one in FAMILIES}
    lines = [line(name, clock) for name, clock in clocks.items()]
    monkeypatch.setattr(hardware, "lines", lambda *_, **__: lines)
    if clocked:
        assert wlan._placed(lambda done, total: None) == lines
    else:
        with pytest.raises(RuntimeError, match="ECP5 has no clock: Yosys is missing"):
            wlan._placed(lambda done, total: None)
