# SPDX-License-Identifier: MIT
"""tools/assemble: programs of rounds with tables of words against the C core."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from assembly_steps import WAYS, module, steps_of
from places import ROOT

LOOKUPS = """
#include "parts/steps/field.h"
#include "parts/steps/sub_word.h"
#include "parts/steps/ttable.h"
#include "parts/steps/ttable1.h"
#define STEP(name, gather, column) \\
    void name(uint32_t *q, const uint32_t *key, unsigned form) \\
    { \\
        (void)form; \\
        columns_put(q, ttable_add_key(gather(columns_get(q), column), key)); \\
    }
STEP(encrypt_middle, columns_gather, ttable1_mix)
STEP(encrypt_last, columns_gather, sub_column)
STEP(decrypt_middle, columns_gather_back, ttable1_inv_mix)
STEP(decrypt_last, columns_gather_back, inv_sub_column)
#include "parts/steps/ttable1_counter.h"
void counter_second(uint32_t *q, const uint32_t *key, unsigned last)
{
    uint8_t counter[16] = {0};
    counter[15] = (uint8_t)last;
    columns_put(q, ttable1_counter_second(key, q, counter));
}
"""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield


@pytest.mark.parametrize("inverse", [False, True])
def test_rounds_with_a_table_do_what_the_c_core_does(tmp_path: Path, inverse: bool) -> None:
    """Behind the state their results are addresses, which are worth nothing here."""
    lookups, step, chance = module("lookups"), steps_of(tmp_path, LOOKUPS), random.Random(8)
    way = WAYS[inverse]
    programs = {
        f"{way}_middle": lookups.middle(0, inverse=inverse),
        f"{way}_last": lookups.last(0, inverse=inverse, slots=()),
    }
    for name, program in programs.items():
        for _ in range(20):
            words = [chance.getrandbits(32) for _ in range(4)]
            key = [chance.getrandbits(32) for _ in range(4)]
            state = replace(program, outputs=program.outputs[:4]).run([*words, 0], key)
            assert state == step(name)(words, key, 0)[:4], name


@pytest.mark.parametrize("inverse", [False, True])
def test_another_order_changes_no_result(inverse: bool) -> None:
    """And nothing reads what the instruction before it made by a load or from a rotated operand."""
    lookups, chance = module("lookups"), random.Random(4)
    slots = {"inverse": inverse, "slots": (4,)}
    programs = [lookups.start(0), lookups.middle(0, inverse=inverse), lookups.last(0, **slots)]
    programs += [lookups.second_of_counter(), lookups.last_of_counter(4, source=0, slots=(4, 8))]
    for program in programs:
        program = replace(program, outputs=program.outputs[:4])
        other = module("ttable1_armv8m").interleaved(program)
        assert sorted(one.out for one in other.operations) == sorted(
            one.out for one in program.operations
        )
        words = [chance.getrandbits(8) for name in program.inputs if name != "rk"]
        key = [chance.getrandbits(32) for _ in range(8)]
        assert other.run(words, key) == program.run(words, key)
    middle = module("ttable1_armv8m").interleaved(programs[1]).operations
    for before, one in pairwise(middle):
        assert before.name == "byte" or before.out not in one.operands()


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("final", [False, True])
def test_columns_with_a_table_do_what_the_c_core_does(
    tmp_path: Path, inverse: bool, final: bool
) -> None:
    """The key is added outside, to columns rotated."""
    lookups, step, chance = module("lookups"), steps_of(tmp_path, LOOKUPS), random.Random(9)
    rotate = module("program").rotate_right
    program, ror = lookups.columns(inverse=inverse, final=final)
    for _ in range(20):
        words = [chance.getrandbits(32) for _ in range(4)]
        columns = replace(program, outputs=program.outputs[:4]).run([*words, 0xFF, 0])
        wanted = step(f"{WAYS[inverse]}_{'last' if final else 'middle'}")(words, [0] * 4, 0)
        assert [rotate(x, ror) for x in columns] == wanted[:4]


@pytest.mark.parametrize("inverse", [False, True])
def test_rounds_with_the_table_of_all_rows_do_what_the_c_core_does(
    tmp_path: Path, inverse: bool
) -> None:
    """The key is added outside."""
    diffused, step, chance = module("diffused"), steps_of(tmp_path, LOOKUPS), random.Random(12)
    programs = {
        "middle": (diffused.middle(inverse=inverse), diffused.middle(inverse=inverse, first=True)),
        "last": (diffused.last(inverse=inverse)[0],),
    }
    for name, several in programs.items():
        for _ in range(20):
            words = [chance.getrandbits(32) for _ in range(4)]
            wanted = step(f"{WAYS[inverse]}_{name}")(words, [0] * 4, 0)[:4]
            assert [one.run(words) for one in several] == [wanted] * len(several)


def test_rounds_of_counter_blocks_do_what_the_c_core_does(tmp_path: Path) -> None:
    """The last round adds a text, whose words replace the first ones of the key."""
    lookups, step, chance = module("lookups"), steps_of(tmp_path, LOOKUPS), random.Random(11)
    second = lookups.second_of_counter()
    last = lookups.last_of_counter(4, source=0, slots=())
    second, last = (replace(one, outputs=one.outputs[:4]) for one in (second, last))
    for counter in range(20):
        kept = [chance.getrandbits(32) for _ in range(5)]
        key = [chance.getrandbits(32) for _ in range(8)]
        wanted = step("counter_second")(kept, key, counter)[:4]
        assert second.run([counter ^ key[3] >> 24, *kept, 0], key) == wanted
        words = kept[:4]
        ciphered = step("encrypt_last")(words, key[4:], 0)[:4]
        wanted = [x ^ y for x, y in zip(ciphered, key[:4], strict=True)]
        assert last.run([*words, 0], key) == wanted


@pytest.mark.parametrize("inverse", [False, True])
def test_interleaved_rounds_do_what_the_c_core_does(tmp_path: Path, inverse: bool) -> None:
    """Rounds by their numbers, apart and together; keys of decryption lie before their pointer."""
    rv32, step, chance = (
        module("ttable_diffused_rv32"),
        steps_of(tmp_path, LOOKUPS),
        random.Random(3),
    )
    for numbers in ([2], [10], [2, 9, 10]):
        program = rv32.rounds(numbers, inverse=inverse)
        program = replace(program, outputs=program.outputs[:4])
        for _ in range(20):
            words = wanted = [chance.getrandbits(32) for _ in range(4)]
            key = [chance.getrandbits(32) for _ in range(44)]
            for number in numbers:
                at = 44 - 4 * number if inverse else 4 * number
                name = f"{WAYS[inverse]}_{'last' if number == 10 else 'middle'}"
                wanted = step(name)(wanted, key[at : at + 4], 0)[:4]
            assert program.run([*words, 0, 0xFF0], key) == wanted
