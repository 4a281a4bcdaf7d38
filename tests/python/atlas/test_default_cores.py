# SPDX-License-Identifier: MIT
"""The rule of the default core, and that the default is what it chooses from the atlas."""

import pytest
from places import ROOT
from scripts import loaded

from aesfit.platforms.find import platform_named

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(ROOT / "tools")
    default_cores = loaded(ROOT / "tools" / "default_cores.py")
Standing = default_cores.question.__globals__["Standing"]


def costing(cycles: int, flash: int, safety: int = 2) -> object:
    return Standing((cycles, flash, 0), safety)


@pytest.mark.parametrize(
    ("ccm", "ctr", "chosen"),
    [
        ((105, 50), (105, 50), "small"),
        ((106, 50), (100, 50), "fast"),  # more than 5 % in one of the modes
        ((105, 120), (105, 50), "small"),
        ((105, 150), (105, 50), "fast"),  # as large in all modes together, and slower
    ],
)
def test_smallest_within_5_percent_in_every_mode(
    ccm: tuple[int, int], ctr: tuple[int, int], chosen: str
) -> None:
    asked = [
        {"fast": costing(100, 100), "small": costing(*ccm), "leaks": costing(10, 10, 1)},
        {"fast": costing(100, 100), "small": costing(*ctr), "unproved": costing(10, 10)},
    ]
    found = default_cores.candidates(asked, {"fast", "small", "leaks"})
    assert found[0].core == chosen
    assert {one.core for one in found} == {"fast", "small"}


def test_without_proofs_the_rule_chooses_nothing() -> None:
    assert default_cores.candidates([{"fast": costing(1, 1)}], set()) == []


def test_default_is_what_the_rule_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the keys of the atlas."""
    proved = [one for one in default_cores.processors() if default_cores.proved(one)]
    isas = {platform_named(one.platform).isa for one in proved}
    assert isas == {"armv4t", "armv6-m", "armv7-m", "armv7e-m", "armv8-m.main", "rv32im"}
    with pytest.raises(SystemExit) as left:
        default_cores.main()
    assert left.value.code == 0
    monkeypatch.setattr(default_cores, "default_core", lambda _: "fixslice_armv7m")
    with pytest.raises(SystemExit) as left:
        default_cores.main()
    assert left.value.code == 1
