# SPDX-License-Identifier: MIT
"""Single steps: right results, all forms alike, and as many operations as the sources say."""

from functools import cache

import pytest

from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit_papers.instruction_counts import steps

PLATFORMS = ("arm7tdmi", "cortex-m0plus", "rv32i")
FORWARDS = ("mix_columns", "mix_columns_printed")
TRANSPOSED = ("mix_transposed", "mix_transposed_printed")
STEPS_OF = {
    "transposed": "transposed",
    "transposed_paper": "transposed_printed",
    "sbox_columns": "columns",
    "sbox_columns_paper": "columns_printed",
}
# Columns of FIPS 197, appendix B, round 1: after ShiftRows, after MixColumns; row 0 in the low byte
BEFORE = (0x305DBFD4, 0xAE52B4E0, 0xF11141B8, 0xE598271E)
AFTER = (0xE5816604, 0x9A19CBE0, 0x7AD3F848, 0x4C260628)


@cache
def on(platform: str) -> steps.Steps:
    reason = why_not(platform_named(platform))
    if reason:
        pytest.skip(reason)
    return steps.Steps(platform_named(platform))


def transposed(words: tuple[int, ...]) -> tuple[int, ...]:
    rows = zip(*(word.to_bytes(4, "little") for word in words), strict=True)
    return tuple(int.from_bytes(bytes(row), "little") for row in rows)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_form_computes_mix_columns(platform: str) -> None:
    run = on(platform).run
    for step in FORWARDS:
        assert run(step, BEFORE).words == AFTER
        assert run(f"inv_{step}", AFTER).words == BEFORE
    for step in TRANSPOSED:
        assert run(step, transposed(BEFORE)).words == transposed(AFTER)
        assert run(f"inv_{step}", transposed(AFTER)).words == transposed(BEFORE)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_three_steps_make_mix_columns(platform: str) -> None:
    run, state = on(platform).run, transposed(BEFORE)
    sums = run("table1_first", state).words
    doubled = run("table1_second", state).words
    assert run("table1_third", sums + doubled).words[:4] == transposed(AFTER)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_transposition_and_its_inverse(platform: str) -> None:
    run, keys = on(platform).run, tuple(range(44))
    assert run("transpose", BEFORE).words == transposed(BEFORE)
    wanted = [word for at in range(0, 44, 4) for word in transposed(keys[at : at + 4])]
    assert run("transpose_keys", keys, 10).words == tuple(wanted)
    block = (0, 0, 0, 0, *BEFORE)
    assert run("load_columns", block).words[:4] == BEFORE
    assert run("load_transposed", block).words[:4] == transposed(BEFORE)
    assert run("store_columns", block[::-1]).words[4:] == BEFORE[::-1]
    assert run("store_transposed", block[::-1]).words[4:] == transposed(BEFORE[::-1])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_operations_are_those_that_the_sources_declare(platform: str) -> None:
    """Rotations where they are not free: ARM folds one into each sum that wants it."""
    for core, form in STEPS_OF.items():
        for name, told in steps.declared(core).items():
            prefix = "inv_" if name == steps.INV_MIX else ""
            found = on(platform).operations(f"{prefix}mix_{form}")
            assert (found.sums, found.doublings) == (told.sums, told.doublings)
            if platform != "arm7tdmi":
                assert found.rotations == told.rotations


def test_what_is_no_sum_of_operations_is_refused() -> None:
    with pytest.raises(steps.StepError, match="no whole number"):
        on("arm7tdmi").operations("none", "doublings")


def test_a_core_that_declares_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="compact"):
        steps.declared("compact")
