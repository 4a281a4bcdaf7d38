# SPDX-License-Identifier: MIT
"""tools/assemble/eight.py: its pieces against the C rounds, and what they do to memory."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from assembly_steps import WAYS, Step, module, steps_of
from places import ROOT

SOURCE = """
#include "parts/steps/bitslice_eight_rounds.h"
#define STEP(name, body) \\
    void name(uint32_t *q, const uint32_t *key, unsigned form) \\
    { \\
        (void)key, (void)form; \\
        body \\
    }
STEP(encrypt, sbox_circuit(q + 8 * form); bitslice_eight_shift(q, 1);)
STEP(decrypt, inv_sbox_circuit(q + 8 * form); bitslice_eight_shift(q, 3);)
STEP(mix, bitslice_eight_mix(q); bitslice_eight_add(q, key);)
STEP(inv_mix, bitslice_eight_add(q, key); bitslice_eight_inv_mix(q);)
STEP(turn, bitslice_eight_turn(q);)
STEP(bits, bitslice_transpose(q);)
"""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield


@pytest.fixture(scope="module")
def c_step(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Step]:
    return steps_of(tmp_path_factory.mktemp("eight"), SOURCE)


@cache
def pieces() -> dict[str, Any]:
    orders = module("search").load(module("bitslice_rv32").SCHEDULES)
    made: dict[str, Any] = module("eight").pieces({x: one.schedule for x, one in orders.items()})
    return made


def words_of(chance: random.Random, many: int = 32) -> list[int]:
    return [chance.getrandbits(32) for _ in range(many)]


@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("way", WAYS)
def test_the_box_of_a_row_does_what_c_does(
    c_step: Callable[[str], Step], way: str, row: int
) -> None:
    chance = random.Random(row)
    for _ in range(20):
        state = words_of(chance)
        found = pieces()[f"{way}{row}"].program.run(state[8 * row : 8 * row + 8])
        assert found == c_step(way)(state, [], row)[8 * row : 8 * row + 8]


@pytest.mark.parametrize(
    ("name", "step", "many"),
    [("mix", "mix", 32), ("inv_mix", "inv_mix", 32), ("bits", "bits", 8),
     ("encrypt_columns", "turn", 32), ("decrypt_columns", "turn", 32)],
)  # fmt: skip
def test_other_pieces_do_what_c_does(
    c_step: Callable[[str], Step], name: str, step: str, many: int
) -> None:
    chance = random.Random(many)
    for _ in range(20):
        state, key = words_of(chance, many), words_of(chance)
        assert pieces()[name].program.run(state, key) == c_step(step)(state, key, 0)


def overwritten(piece: Any) -> list[str]:  # noqa: ANN401 - of tools/assemble
    """Words that are loaded after another one was stored in their place."""
    holds: dict[int, str] = {}
    found = []
    for token in piece.plan:
        kind, _, value = token.rpartition(" ")
        if kind == "store":
            holds[piece.places[value]] = value
        elif kind == "load" and holds.get(piece.places[value], value) != value:
            found.append(value)
    return found


def test_words_are_loaded_before_their_place_is_written() -> None:
    assert [word for piece in pieces().values() for word in overwritten(piece)] == []


def test_a_word_loaded_too_late_is_found() -> None:
    mix = pieces()["mix"]
    at = next(i for i, token in enumerate(mix.plan) if token.startswith("store"))
    there = mix.places[mix.plan[at].split()[1]]
    late = next(x for x, place in mix.places.items() if place == there and x.startswith("x"))
    planted = replace(mix, plan=(*mix.plan, f"load {late}"))
    assert overwritten(SimpleNamespace(plan=planted.plan, places=mix.places)) == [late]


def test_no_load_is_read_at_once() -> None:
    """E31 waits a cycle where the next instruction reads a loaded word."""
    for name, piece in pieces().items():
        operands = {one.out: one.operands() for one in piece.program.operations}
        for token, following in zip(piece.plan, piece.plan[1:], strict=False):
            if token.startswith("load "):
                assert token.split()[1] not in operands.get(following, ()), name


def test_schedules_are_those_of_the_boxes(tmp_path: Path) -> None:
    """What is stored is a schedule of each box, and is read back as it was saved."""
    search, core = module("search"), module("bitslice_rv32")
    kept = search.load(core.SCHEDULES)
    assert kept.keys() == core.programs().keys()
    search.save(tmp_path / "again.json", kept)
    assert search.load(tmp_path / "again.json") == kept
