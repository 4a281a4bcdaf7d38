# SPDX-License-Identifier: MIT
"""The Verilog core aes32 beside NIST's vectors and the C library, under Verilator and Icarus."""

import random
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from vectors import nist, unhex

from rtl import (
    ROUNDS,
    SIMULATORS,
    SIZES,
    Answer,
    answer,
    bench,
    expanded,
    judged,
    preloaded,
    random_works,
    run,
)

SETUP = {16: 316, 24: 378, 32: 440}
"""Cycles from the first key word to the first data word (rtl/aes32_key_expand.v)."""
Simulate = Callable[[list[str]], Answer]


@pytest.fixture
def verilator(tmp_path: Path) -> Simulate:
    simulation = SIMULATORS["verilator"](bench("aes32_tb"))
    return lambda commands: answer(run(simulation, commands, tmp_path, verdict="PASS"))


@pytest.mark.parametrize("kind", ["GFSbox", "KeySbox", "VarKey", "VarTxt"])
def test_known_answers(verilator: Simulate, kind: str) -> None:
    works, answers = [], []
    for bits in (128, 192, 256):
        for vector in nist(f"ciphers/AES/ECB/ECB{kind}{bits}.rsp"):
            decrypt = vector["section"] == "DECRYPT"
            texts = [unhex(vector["plaintext"]), unhex(vector["ciphertext"])]
            works.append((unhex(vector["key"]), texts[decrypt], decrypt))
            answers.append(texts[not decrypt])
    assert len(works) >= 36
    assert verilator(list(expanded(works))).data == answers


def test_ten_thousand_random_blocks(verilator: Simulate) -> None:
    works = random_works(10_000, seed=1, blocks_a_key=20)
    assert verilator(list(expanded(works))).data == judged(works)


@pytest.mark.parametrize("stalls", [1, 2, 3])
def test_stalls_on_either_side(verilator: Simulate, stalls: int) -> None:
    works = random_works(1000, seed=stalls, blocks_a_key=6)
    assert verilator([f"s {stalls} 0", *expanded(works)]).data == judged(works)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("decrypt", [False, True])
def test_cycles(verilator: Simulate, size: int, decrypt: bool) -> None:
    """Set-up, latency, and blocks back to back: four cycles a round, and not one more."""
    rng = random.Random(size)
    works = [(rng.randbytes(size), rng.randbytes(16), decrypt)] * 10
    said = verilator(list(expanded(works)))
    rounds = ROUNDS[size]
    assert said.data == judged(works)
    assert said.taken[0] - said.keyed[0] == SETUP[size]
    assert said.blocks[0].first - (said.taken[0] + 3) == 4 * rounds + 3
    starts = [block.first for block in said.blocks]
    assert [b - a for a, b in pairwise(starts)] == [4 * rounds] * 9
    assert {block.last - block.first for block in said.blocks} == {3}


def test_directions_mix_without_a_pause(verilator: Simulate) -> None:
    rng = random.Random(5)
    key = rng.randbytes(16)
    works = [(key, rng.randbytes(16), bool(n & 1)) for n in range(20)]
    said = verilator(list(expanded(works)))
    assert said.data == judged(works)
    assert said.blocks[-1].first - said.blocks[0].first == 19 * 40


def test_the_key_changes_between_blocks(verilator: Simulate) -> None:
    """Blocks in work are done with the key they began with."""
    works = random_works(300, seed=8, blocks_a_key=1)
    assert verilator(list(expanded(works))).data == judged(works)


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("expansion", [0, 1])
@pytest.mark.parametrize("command", ["r", "z"])
def test_reset_and_erasing_leave_nothing(tmp_path: Path, command: str, expansion: int) -> None:
    """At any cycle of keys, filling, rounds and output; then all works as after power-on."""
    simulation = SIMULATORS["verilator"](bench("aes32_tb", KEY_EXPANSION=expansion))
    offered = expanded if expansion else preloaded
    rng = random.Random(9)
    lines, answers = [], []
    for wait in [*range(0, 60, 1), *range(60, 500, 11)]:
        lost, kept = (random_works(n, rng.getrandbits(32), n) for n in (rng.randint(1, 2), 2))
        few = rng.randint(3, 30) if expansion else rng.randint(80, 150)
        lines += [*islice(offered(lost), few), f"{command} {wait} 0", *offered(kept)]
        answers += judged(kept)
    given = answer(run(simulation, lines, tmp_path, verdict="PASS")).data
    assert len(given) >= len(answers)
    assert set(answers) <= set(given)


@pytest.mark.parametrize("sbox", ["column_table", "table", "logic", "composite"])
def test_every_sbox_under_icarus(tmp_path: Path, sbox: str, slow: bool) -> None:
    simulation = SIMULATORS["icarus"](bench("aes32_tb", SBOX=sbox))
    works = random_works(60 if slow else 16, seed=len(sbox), blocks_a_key=8 if slow else 3)
    assert answer(
        run(simulation, ["s 3 0", *expanded(works)], tmp_path, verdict="PASS")
    ).data == judged(works)


def test_expanded_keys_are_taken_instead(tmp_path: Path) -> None:
    simulation = SIMULATORS["icarus"](bench("aes32_tb", KEY_EXPANSION=0))
    works = random_works(40, seed=3, blocks_a_key=5)
    said = answer(run(simulation, preloaded(works, decryption=True), tmp_path, verdict="PASS"))
    assert said.data == judged(works)


@pytest.mark.parametrize("expansion", [0, 1])
def test_encryption_alone(tmp_path: Path, expansion: int) -> None:
    simulation = SIMULATORS["icarus"](bench("aes32_tb", DECRYPT=0, KEY_EXPANSION=expansion))
    works = [(key, block, False) for key, block, _ in random_works(40, 4, blocks_a_key=5)]
    lines = expanded(works) if expansion else preloaded(works, decryption=False)
    said = answer(run(simulation, lines, tmp_path, verdict="PASS"))
    assert said.data == judged(works)
    if expansion:
        size = len(works[0][0])
        assert said.taken[0] - said.keyed[0] == {16: 84, 24: 98, 32: 112}[size]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("decrypt", [False, True])
def test_monte_carlo(verilator: Simulate, slow: bool, size: int, decrypt: bool) -> None:
    """AESAVS, 6.4.1: chained calls, the chain computed beside ours by an independent library.

    Each input is the answer before it, so the chains are equal when all answers are.
    """
    key, block = bytes(range(size)), bytes(16)
    works, answers = [], []
    for _ in range(100 if slow else 2):
        cipher = Cipher(algorithms.AES(key), modes.ECB())
        update = (cipher.decryptor() if decrypt else cipher.encryptor()).update
        before = b""
        for _ in range(1000):
            works.append((key, block, decrypt))
            before, block = block, update(block)
            answers.append(block)
        tail = (before + block)[-size:]
        key = bytes(a ^ b for a, b in zip(key, tail, strict=True))
    assert verilator(list(expanded(works))).data == answers
