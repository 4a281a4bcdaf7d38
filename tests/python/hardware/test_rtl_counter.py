# SPDX-License-Identifier: MIT
"""aes_ctr with a counter of 64 or 128 bits: shipped vectors, an independent library, faults."""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from few import slow_but

from rtl import SIMULATORS, WORKS, bench, key_commands, run, vectors, with_fault

WIDTHS = (32, 64, 128)
CARRY_64 = "fed_q == 2'd2 && &counter_q[95:64]"
FAULTS = {
    "the carry out of 32 bits is lost": (64, CARRY_64, "1'b0"),
    "the carry goes on above 64 bits": (64, CARRY_64, "fed_q != 2'd3 && &counter_q[95:64]"),
    "bit 0 of 32 is not looked at": (64, CARRY_64, "fed_q == 2'd2 && &counter_q[95:65]"),
    "the carry out of 64 bits is lost": (128, "&({&", "fed_q[1] && &({&"),
    "the carry out of 96 bits is lost": (128, "&({&", "fed_q != 2'd0 && &({&"),
    "word 1 counts whatever word 3 is": (128, "fed_q >= 2'd2", "fed_q != 2'd0"),
    "word 0 counts whatever word 3 is": (128, "fed_q != 2'd0}", "1'b1}"),
    "bit 31 of a word is not looked at": (128, "{&counter_q[95:64],", "{&counter_q[94:64],"),
}  # fmt: skip
"""Bits that count, what is right, and what is planted."""
QUICK: list[tuple[int, dict[str, int]]] = [(64, {}), (128, {"PAIRED": 1})]


def shipped(bits: int) -> tuple[str, ...]:
    """The vectors of a width."""
    return vectors("aes_ctr" if bits == 32 else f"aes_ctr_{bits}")


def messages(below: int) -> Iterator[str]:
    """Counters that carry out of 32, 64, 96 and 128 bits, up to a bit, with OpenSSL's answers."""
    rng = random.Random(20)
    for full in range(32, below + 1, 32):
        key, text = rng.randbytes(rng.choice((16, 24, 32))), rng.randbytes(64)
        above = rng.getrandbits(128) >> full << full & ~(1 << full)
        counter = ((above | (1 << full) - 1) - rng.randrange(3)).to_bytes(16)
        yield from key_commands(key)
        yield from (f"c 0 {word}" for word in WORKS.words(counter))
        answer = Cipher(AES(key), CTR(counter)).encryptor().update(text)
        yield from WORKS.wanted_commands(answer)
        yield from WORKS.block_commands(text, decrypt=False)


@pytest.mark.parametrize(
    ("bits", "parameters"),
    slow_but(QUICK, product((64, 128), ({}, {"PAIRED": 1}, {"CORES": 2}))),
    ids=str,
)
def test_shipped_vectors(tmp_path: Path, bits: int, parameters: dict[str, int]) -> None:
    simulation = SIMULATORS["icarus"](bench("aes_ctr_tb", COUNTER_BITS=bits, **parameters))
    run(simulation, shipped(bits), tmp_path, "PASS")


@pytest.mark.parametrize("bits", [64, 128])
def test_counts_as_openssl_does(tmp_path: Path, bits: int) -> None:
    """OpenSSL counts over 128 bits; with 64 that is the same as long as those do not overflow."""
    simulation = SIMULATORS["icarus"](bench("aes_ctr_tb", COUNTER_BITS=bits))
    run(simulation, messages(128 if bits == 128 else 32), tmp_path, "PASS")


def test_openssl_finds_a_carry_that_is_lost_at_64_bits(tmp_path: Path) -> None:
    _, right, wrong = FAULTS["the carry out of 64 bits is lost"]
    faulty = with_fault(tmp_path, "aes_ctr_tb", ("aes_ctr", right, wrong), COUNTER_BITS=128)
    run(SIMULATORS["icarus"](faulty), messages(128), tmp_path, "FAIL")
    run(SIMULATORS["icarus"](faulty), messages(32), tmp_path, "PASS")


@pytest.mark.parametrize("fault", FAULTS)
def test_shipped_vectors_find(tmp_path: Path, fault: str) -> None:
    bits, right, wrong = FAULTS[fault]
    faulty = with_fault(tmp_path, "aes_ctr_tb", ("aes_ctr", right, wrong), COUNTER_BITS=bits)
    run(SIMULATORS["icarus"](faulty), shipped(bits), tmp_path, "FAIL")


@pytest.mark.parametrize("bits", WIDTHS)
def test_vectors_of_another_width_fail(tmp_path: Path, bits: int) -> None:
    """So a parameter that does not arrive is seen."""
    for other in set(WIDTHS) - {bits}:
        simulation = SIMULATORS["icarus"](bench("aes_ctr_tb", COUNTER_BITS=other))
        run(simulation, shipped(bits), tmp_path, "FAIL")
