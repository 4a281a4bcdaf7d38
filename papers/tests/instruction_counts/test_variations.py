# SPDX-License-Identifier: MIT
"""Variations of bytes.c: right results of each, and switches that switch what they name."""

import pytest

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.rigs import why_not
from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.instruction_counts import variations
from aesfit_papers.instruction_counts.variations import IN_MEMORY, REGISTERS, SIX_TABLES, Switches
from aesfit_papers.judging.provenance import measured

FLAGS = ("-O2",)
ALL: Switches = dict.fromkeys(IN_MEMORY, 1)
ALONE: tuple[Switches, ...] = ({}, *({name: 1} for name in IN_MEMORY))
TOGETHER: tuple[Switches, ...] = (
    ALL,
    {**ALL, REGISTERS: 1},
    {**ALL, REGISTERS: 1, "products": SIX_TABLES},
    {"fused_mix": 1, "products": SIX_TABLES},
)


def emulated(name: str) -> Platform:
    platform = platform_named(name)
    if reason := why_not(platform):
        pytest.skip(reason)
    return platform


@pytest.mark.few(one_in=4)
@pytest.mark.parametrize("switches", [*ALONE, *TOGETHER], ids=lambda some: "+".join(some) or "none")
def test_each_variation_gives_the_blocks_of_fips_197(switches: Switches) -> None:
    found = variations.cost(emulated("arm7tdmi"), FLAGS, switches)
    assert min(found.key_schedule.cycles, found.encrypt.cycles, found.decrypt.cycles) > 0


@pytest.mark.few
@pytest.mark.parametrize("platform", ["cortex-m0plus", "rv32i"])
@pytest.mark.parametrize("switches", [ALONE[0], *TOGETHER[:2]], ids=["none", "all", "registers"])
def test_so_it_is_on_other_processors(platform: str, switches: Switches) -> None:
    assert variations.cost(emulated(platform), FLAGS, switches).code_bytes > 0


@pytest.mark.parametrize("stem", ["bytes_memory", "bytes_registers"])
def test_a_wrong_row_is_noticed(
    stem: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = variations.SOURCES[stem].read_text(encoding="utf-8")
    right, wrong = {
        "bytes_memory": ("t = s[6], s[6] = f(s[14]), s[14] = f(t);", ";"),
        "bytes_registers": ("rotl32(x, 16)", "rotl32(x, 17)"),
    }[stem]
    assert right in text
    changed = tmp_path_factory.mktemp("sources") / f"{stem}.c"
    changed.write_text(text.replace(right, wrong))
    monkeypatch.setitem(variations.SOURCES, stem, changed)
    switches = {**ALL, REGISTERS: 1} if stem == "bytes_registers" else {}
    with pytest.raises(WrongOutputError, match="FIPS 197"):
        variations.cost(emulated("arm7tdmi"), FLAGS, switches)


def test_words_and_fused_steps_make_fewer_moves_of_data() -> None:
    """At least as many fewer as in the standard's steps, with any compiler."""
    platform = emulated("arm7tdmi")
    plain = variations.cost(platform, FLAGS, {}).encrypt.moves
    words = variations.cost(platform, FLAGS, {"words": 1}).encrypt.moves
    fused = variations.cost(platform, FLAGS, {"fused_shift": 1}).encrypt.moves
    # Eleven round keys are added: 48 moves of bytes each become 12 of words.
    assert plain - words >= 11 * 36
    # ShiftRows of ten rounds: it loads and stores 12 bytes in each, of which two may stay.
    assert plain - fused >= 10 * 22


def test_a_core_for_all_key_sizes_expands_more_slowly_than_for_one() -> None:
    """V1 divides by the size of the key, for which ARM7TDMI has no instruction."""
    platform = emulated("arm7tdmi")
    job = Job(platform, "compact", 128, "key-setup-encrypt", flags=FLAGS)
    (fixed,) = measured([job])
    assert variations.open_key_schedule(platform, FLAGS, "compact").cycles > fixed.cycles


def test_switches_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(ValueError, match="no switch unrolled"):
        variations.source({"unrolled": 1})
    with pytest.raises(ValueError, match="registers goes with all of"):
        variations.source({REGISTERS: 1, "inline": 1})
