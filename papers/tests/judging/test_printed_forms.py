# SPDX-License-Identifier: MIT
"""The cores that do what a paper prints: the operations that they declare, and their macros."""

import re

import pytest

from aesfit.building.sources import core_file, library_folder
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit.rigs.firing import WrongOutputError
from aesfit_papers.instruction_counts.block_run import BlockQuestion, run
from aesfit_papers.instruction_counts.operations import ClassCounts, count
from aesfit_papers.judging.ablation import AS_PRINTED_MACRO, block_cycles, by_rows, one_block
from aesfit_papers.judging.transposed import (
    BY_COLUMNS,
    ON_THE_FLY,
    PRINTED,
    PRINTED_COLUMNS,
    PRINTED_ROWS,
    TRANSPOSED,
)

ROTATIONS = 9 * 12
"""Of MixColumns by columns, in a block: 12 in each middle round."""
STRIPPED = ("AESFIT_DATA_TRANSPOSED",)


@pytest.fixture(autouse=True, scope="module")
def _runs() -> None:
    reason = why_not(platform_named("arm7tdmi"))
    if reason:
        pytest.skip(reason)


def schedule(platform: str, rounds: int) -> tuple[int, int]:
    """XORs and shifts, folded ones among them, of the schedule for so many rounds."""
    ran = run(BlockQuestion(platform_named(platform), PRINTED_ROWS, 128, rounds), "encrypt")
    counts = count(ran.setup, ran.instructions)
    return counts.classes["xor"], counts.classes["shift"] + counts.folded_shifts


@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0plus", "cortex-m3", "rv32i"])
def test_a_round_key_takes_what_the_source_declares(platform: str) -> None:
    head = (library_folder() / "src" / core_file(PRINTED_ROWS)).read_text(encoding="utf-8")
    told = re.search(r"Per round key of 128 bits: 4 S-box reads, (\d+) XOR, (\d+) shifts",
                     " ".join(head.replace("\n *", "").split()))  # fmt: skip
    assert told is not None
    more, fewer = schedule(platform, 8), schedule(platform, 7)
    assert (more[0] - fewer[0], more[1] - fewer[1]) == tuple(map(int, told.groups()))


def columns(platform: str, *defined: str) -> ClassCounts:
    """A block by columns, encrypted."""
    ran = one_block(platform, PRINTED_COLUMNS, "encrypt", defined)
    return count(ran.block, ran.instructions)


@pytest.mark.parametrize("platform", ["arm7tdmi", "arm9tdmi", "cortex-m3"])
def test_rotations_apart_are_instructions_of_their_own(platform: str) -> None:
    folded, apart = columns(platform), columns(platform, "AESFIT_ROTATIONS_APART")
    assert folded.folded_shifts - apart.folded_shifts == ROTATIONS
    assert apart.classes["shift"] - folded.classes["shift"] == ROTATIONS
    assert apart.classes["xor"] == folded.classes["xor"]


def test_temporaries_in_memory_are_stored_there() -> None:
    """Four in each of four columns of nine rounds."""
    usual, stored = (
        one_block("arm7tdmi", PRINTED_COLUMNS, "decrypt", defined).block.stores
        for defined in ((), ("AESFIT_TEMPORARIES=2",))
    )
    assert stored - usual == 9 * 4 * 4


def test_blocks_that_arrive_transposed_leave_transposed() -> None:
    stripped = one_block("arm7tdmi", PRINTED_ROWS, "encrypt", STRIPPED, by_rows)
    assert block_cycles(stripped) < block_cycles(one_block("arm7tdmi", PRINTED_ROWS))
    with pytest.raises(WrongOutputError):
        one_block("arm7tdmi", PRINTED_ROWS, "encrypt", STRIPPED)
    with pytest.raises(WrongOutputError):
        one_block("arm7tdmi", PRINTED_ROWS, arranged=by_rows)


@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0plus"])
@pytest.mark.parametrize(("core", "each"), [(TRANSPOSED, 17), (BY_COLUMNS, 5)])
def test_on_the_fly_a_block_takes_the_printed_steps_and_schedule(
    platform: str, core: str, each: int
) -> None:
    """XORs: those of the core as printed, and of ten round keys."""
    on_the_fly = one_block(platform, ON_THE_FLY[core], defined=(AS_PRINTED_MACRO,))
    unrolled = one_block(platform, PRINTED[core])
    more = (count(ran.block, ran.instructions).classes["xor"] for ran in (on_the_fly, unrolled))
    assert next(more) - next(more) == 10 * each
