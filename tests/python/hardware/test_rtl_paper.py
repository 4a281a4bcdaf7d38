# SPDX-License-Identifier: MIT
"""The Verilog core aes32_paper: 87 cycles a block (its bench insists), and right ones."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from vectors import nist, unhex

from rtl import COMMANDS, SIMULATORS, bench, run

expected, keys, packet = COMMANDS.expected, COMMANDS.paper_keys, COMMANDS.packet
PACKET = 94
"""Blocks of 1504 bytes, the paper's full packet."""
Simulate = Callable[[list[str]], list[bytes]]


def simulated(simulator: str, commands: list[str], folder: Path) -> list[bytes]:
    """Blocks that the bench reads out of the packet's RAM."""
    lines = run(SIMULATORS[simulator](bench("aes32_paper_tb")), commands, folder, verdict="PASS")
    data = bytes.fromhex("".join(line[1] for line in lines))
    return [data[at : at + 16] for at in range(0, len(data), 16)]


@pytest.mark.parametrize("kind", ["GFSbox", "KeySbox", "VarKey", "VarTxt"])
def test_known_answers(tmp_path: Path, kind: str) -> None:
    commands, answers = [], []
    for vector in nist(f"ciphers/AES/ECB/ECB{kind}128.rsp"):
        decrypt = vector["section"] == "DECRYPT"
        texts = [unhex(vector["plaintext"]), unhex(vector["ciphertext"])]
        commands += [
            *keys(unhex(vector["key"])),
            *packet(unhex(vector["key"]), [texts[decrypt]], decrypt),
        ]
        answers.append(texts[not decrypt])
    assert len(answers) >= 14
    assert simulated("verilator", commands, tmp_path) == answers


@pytest.mark.parametrize(("simulator", "packets"), [("verilator", 108), ("icarus", 2)])
def test_random_packets(tmp_path: Path, simulator: str, packets: int) -> None:
    """Full packets of the paper's size, in both directions, a new key for every other one."""
    rng = random.Random(87)
    commands: list[str] = []
    answers: list[bytes] = []
    for number in range(packets):
        if number % 2 == 0:
            key = rng.randbytes(16)
            commands += keys(key)
        blocks = [rng.randbytes(16) for _ in range(PACKET)]
        decrypt = number % 2 == 1
        commands += packet(key, blocks, decrypt)
        answers += [expected(key, block, decrypt) for block in blocks]
    assert simulated(simulator, commands, tmp_path) == answers


def test_reset_at_any_cycle_of_a_block(tmp_path: Path) -> None:
    rng = random.Random(4)
    key = rng.randbytes(16)
    commands, answers = keys(key), []
    for cycle in range(90):
        block = rng.randbytes(16)
        commands += [f"r {cycle} 0", *packet(key, [block], decrypt=False)]
        answers.append(expected(key, block, decrypt=False))
    assert simulated("verilator", commands, tmp_path) == answers
