# SPDX-License-Identifier: MIT
"""Platforms by name, and the verb that lists them."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from platform_texts import CHIP

from aesfit.cli import app
from aesfit.cli import platforms as verb
from aesfit.platforms.find import platform_named, platforms, twins
from aesfit.platforms.toml_file import PlatformError
from aesfit.rigs.emulator import trust as trusted
from aesfit.rigs.emulator.evidence import Evidence

PROCESSORS = (
    "arm7tdmi",
    "arm9-cached",
    "arm920t",
    "arm9tdmi",
    "cortex-m0",
    "cortex-m0plus",
    "cortex-m3",
    "cortex-m33",
    "cortex-m4",
    "cortex-m7",
    "hazard3",
    "hexagon",
    "lx-st200",
    "qingke-v2a",
    "rv32i",
    "rv32im-e31",
)
HOSTS = ("i686", "x86-64")
KEYS = [
    *("name", "title", "kind", "processor", "clock_mhz", "parts", "counter", "unconfirmed"),
    *("isa", "rig", "timing", "checked_against", "max_error", "boards", "available", "why_not"),
]


def test_every_platform_is_read_processors_before_chips_before_this_computer() -> None:
    found = platforms()
    chips = [one.name for one in found if one.kind == "chip"]
    assert [one.name for one in found] == [*PROCESSORS, *sorted(chips), *HOSTS]
    assert {"stm32f103", "picorv32"} <= set(chips)


def test_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no platform 'cortex-m35'; the nearest is 'cortex-m3'"):
        platform_named("cortex-m35")


def listed(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["platforms", *arguments])


def test_json_has_the_stable_keys() -> None:
    result = listed("--json")
    assert result.exit_code == 0
    entries = json.loads(result.stdout)
    assert [one["name"] for one in entries] == [one.name for one in (*platforms(), *twins())]
    for one in entries:
        assert list(one) == KEYS
        assert one["available"] == (one["why_not"] is None)
        assert one["checked_against"]
    found = {one["name"]: one for one in entries}
    chip = found["stm32f103"]
    assert (chip["kind"], chip["processor"], chip["clock_mhz"]) == ("chip", "cortex-m3", 72)
    assert "stm32f103c8" in chip["parts"]
    assert chip["counter"]
    assert (found["picorv32"]["kind"], found["picorv32"]["processor"]) == ("chip", None)
    core = found["cortex-m3"]
    assert [core[key] for key in KEYS[2:8]] == ["processor", None, None, [], None, []]


def test_table_lists_every_platform_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verb, "why_not", lambda _: "no compiler; get it with: apt install it")
    for name in ("evidence_of", "evidence_of_chip"):
        monkeypatch.setattr(trusted, name, lambda _: None)
    result = listed()
    assert result.exit_code == 0
    every = [one.name for one in (*platforms(), *twins())]
    for name in every:
        assert re.search(rf"^{name}  .*  no  ", result.stdout, re.MULTILINE)
    assert re.search("^stm32f103  +chip  +cortex-m3  +72 MHz  ", result.stdout, re.MULTILINE)
    assert re.search("^cortex-m3  +processor  +-  +-  ", result.stdout, re.MULTILINE)
    assert f"{', '.join(every)}: no compiler; get it with: apt install it\n" in result.stdout
    modelled = [one for one in (*platforms(), *twins()) if one.timing]
    assert result.stdout.count(trusted.RULES_ONLY) == len(modelled)


@pytest.mark.parametrize(
    ("stale", "said"), [(False, "libx 1.0"), (True, "libx 1.0 (before the model changed)")]
)
def test_evidence_is_shown(monkeypatch: pytest.MonkeyPatch, stale: bool, said: str) -> None:
    model = Evidence("libx 1.0", 7, 0, "", "2026-01-01", "make it", stale=stale)
    known = {"arm7tdmi": model}
    monkeypatch.setattr(verb, "why_not", lambda _: None)
    monkeypatch.setattr(trusted, "evidence_of", known.get)
    entries = {one["name"]: one for one in json.loads(listed("--json").stdout)}
    arm7 = entries["arm7tdmi"]
    assert (arm7["checked_against"], arm7["max_error"]) == (said, "0 cycles in 7 calls")
    assert (arm7["available"], arm7["why_not"]) == (True, None)
    assert entries["cortex-m3"]["checked_against"] == trusted.RULES_ONLY
    assert (entries["x86-64"]["timing"], entries["x86-64"]["max_error"]) == (None, None)


def test_wrong_usage_and_a_wrong_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listed("--xml").exit_code == 2
    (tmp_path / "chips").mkdir()
    CHIP.written(tmp_path / "chips", ("value = 72", "value = x"))
    monkeypatch.setattr("aesfit.platforms.find.project_folder", lambda name: tmp_path)
    result = listed()
    assert result.exit_code == 1
    assert isinstance(result.exception, PlatformError)
