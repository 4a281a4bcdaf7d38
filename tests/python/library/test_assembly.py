# SPDX-License-Identifier: MIT
"""tools/assemble: its programs against the C core, its schedules, and the headers it wrote."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from assembly_steps import WAYS, Step, module, steps_of
from places import ROOT

import aesfit

PLATFORMS = {  # that have the instruction set of a core
    "fixslice_armv7m": ("cortex-m3", "cortex-m4"),
    "fixslice_armv4": ("arm7tdmi", "arm9tdmi"),
    "fixslice_rv32": ("rv32im-e31", "rv32i"),
    "fixslice_armv6m": ("cortex-m0", "cortex-m0plus"),
    "fixslice_4k_armv7m": ("cortex-m3", "cortex-m4"),
    "transposed_armv6m": ("cortex-m0", "cortex-m0plus"),
    "bitslice_rv32": ("rv32im-e31", "rv32i"),
    "transposed_armv4": ("arm7tdmi", "arm9tdmi"),
    "ttable1_armv7m": ("cortex-m3", "cortex-m4"),
    "ttable1_armv8m": ("cortex-m33",),
    "ttable1_armv4": ("arm7tdmi", "arm9tdmi"),
    "ttable_diffused_armv6m": ("cortex-m0", "cortex-m0plus"),
    "ttable_diffused_rv32": ("rv32im-e31", "rv32i"),
}
CORES = [*PLATFORMS]
LOOPED = "fixslice_4k_armv7m"
SLICED = [name for name in CORES if name.startswith("fixslice") and name != LOOPED]
"""Cores whose rounds are programs of the steps of fixslice."""
BOXES = "bitslice_rv32"
ANNEALED = [
    "fixslice_armv4",
    "fixslice_rv32",
    "fixslice_armv6m",
    "transposed_armv6m",
    LOOPED,
    BOXES,
]
"""Cores whose schedules anneal.c searches for."""
TIGHT = {"transposed_armv6m": ("encrypt_mix", "decrypt_mix"), LOOPED: ("mix1", "encrypt"),
         BOXES: ("decrypt", "encrypt")}  # fmt: skip
"""A piece that a short search fits, and one whose own order does not; else start and encrypt1."""
HEADERS = ROOT / "lib" / "src" / "assembly"
SOURCE = """
#include "parts/steps/fixslice_keys.h"
#include "parts/steps/fixslice_rounds.h"
void encrypt_middle(uint32_t *q, const uint32_t *key, unsigned form)
{
    sbox_circuit(q);
    fixslice_mix_columns(q, form);
    fixslice_add_round_key(q, key);
}
void decrypt_middle(uint32_t *q, const uint32_t *key, unsigned form)
{
    inv_sbox_circuit(q);
    fixslice_add_round_key(q, key);
    fixslice_inv_mix_columns(q, form);
}
void encrypt_last(uint32_t *q, const uint32_t *key, unsigned form)
{
    (void)form;
    sbox_circuit(q);
    fixslice_add_round_key(q, key);
    bitslice_transpose(q);
}
void decrypt_last(uint32_t *q, const uint32_t *key, unsigned form)
{
    (void)form;
    inv_sbox_circuit(q);
    fixslice_add_round_key(q, key);
    bitslice_transpose(q);
}
void start(uint32_t *q, const uint32_t *key, unsigned form)
{
    (void)form;
    bitslice_transpose(q);
    fixslice_add_round_key(q, key);
}
void alignment(uint32_t *q, const uint32_t *key, unsigned form)
{
    (void)key, (void)form;
    bitslice_transpose(q);
    fixslice_align(q, 2);
    bitslice_transpose(q);
}
"""
ROWS = """
#include "parts/steps/transposed.h"
#define STEP(name, step) \\
    void name(uint32_t *q, const uint32_t *key, unsigned form) \\
    { \\
        (void)key, (void)form; \\
        transposed_put(q, step(transposed_get(q))); \\
    }
STEP(encrypt_substitution, transposed_sub_shift)
STEP(encrypt_mix, transposed_mix)
STEP(decrypt_substitution, transposed_inv_sub_shift)
STEP(decrypt_mix, transposed_inv_mix)
void transposition(uint32_t *q, const uint32_t *key, unsigned form)
{
    (void)key, (void)form;
    transposed_put(q, transposed_load((const uint8_t *)q));
}
"""
PARTS = """
#include "parts/steps/fixslice_keys.h"
#include "parts/steps/fixslice_rounds.h"
#define STEP(name, body) \\
    void name(uint32_t *q, const uint32_t *key, unsigned form) \\
    { \\
        (void)key, (void)form; \\
        body \\
    }
STEP(add_key, fixslice_add_round_key(q, key);)
STEP(transpose, bitslice_transpose(q);)
STEP(encrypt, fixslice_add_round_key(q, key); sbox_circuit(q);)
STEP(decrypt, inv_sbox_circuit(q); fixslice_add_round_key(q, key);)
STEP(mix, fixslice_mix_columns(q, form);)
STEP(inv_mix, fixslice_inv_mix_columns(q, form);)
"""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield


@cache
def programs(core: str) -> dict[str, Any]:
    """What a core's rounds are made of, by piece."""
    made: dict[str, Any] = module(core).programs()
    return made


@pytest.fixture(scope="module")
def c_step(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Step]:
    """The steps of fixslice."""
    return steps_of(tmp_path_factory.mktemp("fixslice"), SOURCE)


def cases() -> list[tuple[str, str, int]]:
    """Piece, step of the C core, form."""
    middle = [(f"{way}{form}", f"{way}_middle", form) for way in WAYS for form in range(4)]
    return [*middle, *((f"{way}_last",) * 2 + (0,) for way in WAYS), ("start", "start", 0)]


@pytest.mark.parametrize("core", SLICED)
@pytest.mark.parametrize(("piece", "name", "form"), cases())
def test_programs_do_what_the_c_core_does(
    c_step: Callable[[str], Step], core: str, piece: str, name: str, form: int
) -> None:
    program = programs(core)[piece]
    chance = random.Random(5)
    for _ in range(20):
        words = [chance.getrandbits(32) for _ in range(8)]
        key = [chance.getrandbits(32) for _ in range(8)]
        assert program.run(words, key) == c_step(name)(words, key, form)


def test_alignment_of_columns(c_step: Callable[[str], Step]) -> None:
    words = [random.Random(6).getrandbits(32) for _ in range(8)]
    program = module("fixslice").alignment(module("program").Writer())
    assert program.run(words) == c_step("alignment")(words, [0] * 8, 0)


@pytest.mark.parametrize("writer", ["ArmRows", "ThumbRows"])
def test_rounds_by_rows_do_what_the_c_core_does(tmp_path: Path, writer: str) -> None:
    rows, step, chance = module("rows"), steps_of(tmp_path, ROWS), random.Random(10)
    programs = rows.pieces(getattr(rows, writer))
    for name, program in programs.items():
        fixed = [rows.FIXED[one] for one in program.inputs[4:]]
        for _ in range(20):
            words = [chance.getrandbits(32) for _ in range(4)]
            assert program.run([*words, *fixed]) == [*step(name)(words, [0] * 4, 0)[:4], *fixed]


def test_parts_of_looped_rounds_do_what_the_c_core_does(tmp_path: Path) -> None:
    """Behind the state of a routine is its return address, which stays."""
    step, chance, made = steps_of(tmp_path, PARTS), random.Random(11), programs(LOOPED)
    for name in made.keys() - {"before_odd"}:
        part, form = name.rstrip("0123"), int(name[-1]) if name[-1].isdigit() else 0
        for _ in range(20):
            key, words = ([chance.getrandbits(32) for _ in range(8)] for _ in range(2))
            beside = [chance.getrandbits(32)] * ("link" in made[name].inputs)
            wanted = step(part)(words, key, form) + beside
            assert made[name].run([*words, *beside], key) == wanted, name
    for form in (1, 3):
        words = [chance.getrandbits(32) for _ in range(8)]
        before = made["before_odd"].run(words)
        assert step("mix")(before, [0] * 8, form) == step("inv_mix")(words, [0] * 8, form)


@pytest.mark.parametrize("core", CORES)
def test_written_again(core: str) -> None:
    assert module(core).header() == (HEADERS / f"{core}.h").read_text(encoding="utf-8")


def test_every_core_is_tested() -> None:
    assert [*module("cores").CORES] == CORES
    assert sorted(module("cores").SEARCHED) == sorted({*SLICED, *ANNEALED})
    headers = sorted(path.stem for path in HEADERS.glob("*.h"))
    assert headers == sorted([*CORES, *module("cores").MULTIPLIERS])


@pytest.mark.parametrize("core", ANNEALED)
def test_makers_make_the_value_that_they_are_named_by(core: str) -> None:
    makers = module("makers")
    schedules = module("search").load(module(core).SCHEDULES)
    for name, program in programs(core).items():
        found = makers.makers(program)
        assert makers.faults(program, found) == []
        if name in schedules:
            assert {one for one in schedules[name].schedule if " " not in one} <= {*found}
    assert schedules


def test_a_maker_of_another_value_is_found() -> None:
    makers, program = module("makers"), programs("fixslice_armv4")["encrypt1"]
    found = makers.makers(program)
    again = next(name for name in found if "@" in name)
    found[again] = replace(found[again], amount=found[again].amount ^ 1)
    assert makers.faults(program, found) == [again]


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("core", ANNEALED)
def test_annealing_repeats_and_keeps_to_the_registers(core: str, slow: bool) -> None:
    anneal, this = module("anneal"), module(core)
    piece = TIGHT.get(core, ("start", "encrypt1"))[0]
    problem = anneal.Problem(this.programs()[piece], this.target)
    heat = anneal.Heat(steps=100_000 if slow else 20_000)
    found, again = (anneal.search(problem, seed=3, heat=heat) for _ in range(2))
    assert found == again
    assert this.cost(piece, found) > len(found)


@pytest.mark.parametrize("core", ANNEALED)
def test_a_schedule_of_too_many_registers_is_refused(core: str) -> None:
    anneal, this = module("anneal"), module(core)
    piece = TIGHT.get(core, ("start", "encrypt1"))[1]
    problem = anneal.Problem(this.programs()[piece], this.target)
    with pytest.raises(ValueError, match="more registers"):
        anneal.checked(problem, problem.first())


def test_search_repeats_and_keeps_to_the_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    search, program = module("search"), module("fixslice").pieces()["encrypt0"]
    for name in ("SPILLS", "CYCLES"):
        monkeypatch.setattr(search, name, replace(getattr(search, name), steps=300))
    found = search.search(program, seed=3)
    assert found == search.search(program, seed=3)
    assert search.checked(program, found) > len(found)


def test_too_many_registers_are_refused() -> None:
    search, program = module("search"), module("fixslice").pieces()["encrypt1"]
    in_order = ["load rk", *(one.out for one in program.operations)]
    with pytest.raises(ValueError, match="more registers"):
        search.checked(program, in_order)


def test_moves_at_once_are_made_one_after_the_other() -> None:
    allocate = module("allocate")
    registers = [f"r{i}" for i in range(8)]
    chance = random.Random(7)
    for _ in range(100):
        source = chance.sample(registers, 8)
        held = dict(zip(registers, registers, strict=True))
        for to, of in allocate.parallel_moves(registers, source):
            held[to] = held[of]
        assert [held[one] for one in registers] == source


def test_a_schedule_that_lacks_an_operation_is_refused() -> None:
    allocate, program = module("allocate"), module("fixslice").pieces()["start"]
    with pytest.raises(ValueError, match=f"leaves out {program.outputs[0]}"):
        allocate.read(program, [o.out for o in program.operations if o.out != program.outputs[0]])


KEYED = ("ttable1_armv7m", "ttable_diffused_armv6m", "ttable_diffused_rv32")
"""Cores with key set-up in assembly."""


@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("core", KEYED)
def test_blocks_under_keys_of_every_size(core: str, bits: int) -> None:
    """The rig compares blocks with another core's."""
    ops = ("encrypt-block", "decrypt-block")
    found = aesfit.measure(PLATFORMS[core][0], cores=core, key_bits=bits, ops=ops)
    assert [row.op for row in found.measured] == [*ops]
    assert found.refused == ()


MESSAGES = (("ctr", 128, 80), ("cbc", 192, 112), ("cbc", 256, 128))  # mode, bits of key, bytes
PLACES = [(core, on) for core, several in PLATFORMS.items() for on in several]


@pytest.mark.few(one_in=4)
@pytest.mark.parametrize(("core", "platform"), PLACES)
def test_messages_on_the_emulator(core: str, platform: str, slow: bool) -> None:
    """Odd and even numbers of blocks; the rig compares outputs, and refuses a lost register."""
    at = PLACES.index((core, platform)) % len(MESSAGES)
    for mode, bits, size in MESSAGES if slow else (MESSAGES[at],):
        found = aesfit.measure(
            platform, cores=core, key_bits=bits, ops=("encrypt", "decrypt"), mode=mode,
            payload_bytes=size,
        )  # fmt: skip
        assert [row.core for row in found.measured] == [core, core]
        assert found.refused == ()
