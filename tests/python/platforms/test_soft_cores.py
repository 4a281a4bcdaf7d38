# SPDX-License-Identifier: MIT
"""Files of soft cores: their own Verilog, one memory that waits as long at any clock."""

from pathlib import Path

import pytest
from platform_texts import CACHED_SOFT_CORE, SOFT_CORE, Mistakes, complaint

from aesfit.platforms.find import platform_named, platforms, twins
from aesfit.platforms.platform import at, counted

TWINS = tuple(
    f"{name}-emulated"
    for name in (
        *("cv32e40p", "ibex-maxperf", "ibex-maxperf-b", "ibex-small", "ibex-small-b"),
        *("vexriscv-cached", "vexriscv-small"),
    )
)
MISTAKES: Mistakes = {
    "unknown": (
        '"vexriscv_nocache"',
        '"vexriscv_2k2k"',
        "cpu",
        "vexriscv_2k2k'; the nearest is",
    ),
    "none": ('cpu = "vexriscv_nocache"\n', "", "", "lacks the key 'cpu'"),
    "no clock": ("clock = {", "clocks = {", "clocks", "no key 'clocks'; the nearest is 'clock'"),
    "two memories": ("value = 10,", "value = 9,", "[[memory]]", "both regions need the same"),
    "waits by clock": ("[energy]", "[[wait_states]]\n[energy]", "", "no key 'wait_states'"),
    "no rules": ('rig = "rtl"', 'rig = "rtl"\ntiming = "picorv"', "timing", "is 'picorv32'"),
    "stores alone": ("[energy]", "[stores]\n[energy]", "[stores]", "needs [stores] for 'timing'"),
    "penalty alone": ("[energy]", "[miss_penalty]\n[energy]", "", "for 'timing' alone"),
    "other rig": ('rig = "rtl"', 'rig = "fake"', "cpu", "'fake' simulates no Verilog; 'cpu' is"),
    "no region": ('name = "ram"', 'name = "rom"', "[[memory]]", "named flash and one named ram"),
    "unknown content": ('["data", "stack"]', '["data", "heap"]', 'holds = ["data', "holds 'heap'"),
    "content twice": ('["data", "stack"]', '["data", "code"]', "[[memory]]", "once each"),
    "half a byte": ("value = 256,", "value = 256.0001,", "size", "whole bytes"),
    "no energy": ("none = ", "known = ", 'known = "', "in [energy] there is no key 'known'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_with_file_and_line(mistake: str, tmp_path: Path) -> None:
    SOFT_CORE.check(tmp_path, MISTAKES[mistake])


def test_stores_are_priced_by_rules_alone(tmp_path: Path) -> None:
    """Where no Verilog is simulated there is nothing that they are beside."""
    changes = (
        ('rig = "rtl"', 'rig = "fake"'),
        ('cpu = "vexriscv_nocache"\n', ""),
        ("[energy]", "[stores]\n[energy]"),
    )
    assert "'fake' prices no stores" in complaint(SOFT_CORE.written(tmp_path, *changes))


def test_soft_cores_have_a_clock_and_no_chip() -> None:
    soft = [one for one in platforms() if one.rig == "rtl"]
    assert [one.name for one in soft] == [
        *("cv32e40p", "ibex-maxperf", "ibex-maxperf-b", "ibex-small", "ibex-small-b", "picorv32"),
        *("vexriscv-cached", "vexriscv-icache", "vexriscv-nocache", "vexriscv-small"),
    ]
    for one in soft:
        assert (one.kind, one.chip, one.ideal) == ("chip", None, False)
        assert one.clock
        assert one.cpu
        assert at(one, one.clock.value).memories == at(one, 1).memories == one.memories


def test_caches_need_a_penalty_to_be_counted_by_rules(tmp_path: Path) -> None:
    text = CACHED_SOFT_CORE.text
    penalty = text[text.index("[miss_penalty]") : text.index("[energy]")]
    path = CACHED_SOFT_CORE.written(tmp_path, (penalty, ""))
    assert "'timing' needs [miss_penalty] where there are caches" in complaint(path)


def test_twins_are_counted_by_rules_behind_the_waits_of_the_memory() -> None:
    assert tuple(one.name for one in twins()) == TWINS
    soft, twin = platform_named("vexriscv-cached"), platform_named("vexriscv-cached-emulated")
    assert (soft.rig, soft.timing, soft.miss_penalty) == ("rtl", None, None)
    assert (twin.rig, twin.timing, twin.cpu) == ("emulator", "vexriscv", None)
    assert (twin.caches, twin.compiler, twin.ideal) == (soft.caches, soft.compiler, False)
    assert {one.wait_states.value for one in twin.memories} == {0}
    own, slower = (counted(soft, wait).miss_penalty for wait in (None, 20))
    assert own
    assert slower
    assert (own.base, slower.base, own.per_byte) == (14, 24, 0.25)
    assert twin.stores
    assert (twin.stores.cycles.value, twin.stores.in_flight.value) == (11, 2)
    assert soft.stores is None
    assert counted(soft, 20).sha256 != twin.sha256 != soft.sha256
    assert counted(platform_named("picorv32")) == platform_named("picorv32")
    with pytest.raises(ValueError, match="no platform 'vexriscv-nocache-emulated'"):
        platform_named("vexriscv-nocache-emulated")
