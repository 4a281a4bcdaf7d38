# SPDX-License-Identifier: MIT
"""What a program with one GCM call links, by the program that prints it: make bench-embedded."""

import re
from types import ModuleType

import pytest
from places import ROOT
from scripts import loaded

from aesfit.building.sources import registered

DEFAULT = "NULL"
NAMED = "&aesfit_core_transposed_encrypt"
BY_STRING = 'aesfit_core_by_name("transposed")'

MOST = {  # bytes of flash; on Cortex-M0+ the goals, elsewhere what was linked, rounded up
    ("cortex-m0plus", DEFAULT): 8192,
    ("cortex-m0plus", NAMED): 6144,
    ("cortex-m3", DEFAULT): 8192,
    ("cortex-m3", NAMED): 6400,
    ("rv32im-e31", DEFAULT): 13824,
    ("rv32im-e31", NAMED): 10240,
    ("x86-64", DEFAULT): 235520,  # aesni, whose paths for all modes come along
    ("x86-64", NAMED): 20480,  # with clmul, the default multiplier
}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    return loaded(ROOT / "bench" / "bench_embedded.py")


def cores_in(bench: ModuleType, platform: str, program: str) -> set[str]:
    """Cores of which a function was linked."""
    names = bench.run([bench.binutil(platform, "nm"), program])
    return {
        core for core in registered("cores") if re.search(rf" t {core}_expand_key$", names, re.M)
    }


@pytest.mark.parametrize(("platform", "core"), MOST)
def test_program_with_one_gcm_call_is_small(bench: ModuleType, platform: str, core: str) -> None:
    program, flash = bench.linked(bench.Program(platform, core))
    assert flash <= MOST[platform, core]
    default = {"fixslice", "aesni"} if platform == "x86-64" else {"fixslice"}
    assert cores_in(bench, platform, program) == ({"transposed"} if core == NAMED else default)
    names = bench.run([bench.binutil(platform, "nm"), program])
    assert "fixslice_decrypt" not in names


def test_core_that_is_asked_for_by_a_string_links_all(bench: ModuleType) -> None:
    program, flash = bench.linked(bench.Program("cortex-m3", BY_STRING))
    assert {"transposed", "ttable8", "fixslice"} <= cores_in(bench, "cortex-m3", program)
    assert flash > 3 * MOST["cortex-m3", DEFAULT]


def test_cores_for_study_are_linked_by_nobody(bench: ModuleType) -> None:
    program, _ = bench.linked(bench.Program("cortex-m3", BY_STRING))
    assert not cores_in(bench, "cortex-m3", program) & {"bytewise", "compact", "mobile"}


def test_goals_of_ram_are_met(bench: ModuleType) -> None:
    contexts = [one for one in bench.QUESTIONS if isinstance(one.question, bench.Context)]
    assert len(contexts) >= 4
    assert [row for row in map(bench.answered, contexts) if not row.met] == []
