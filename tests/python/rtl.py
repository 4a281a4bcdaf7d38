# SPDX-License-Identifier: MIT
"""What the tests of the Verilog cores share: benches, commands for them, and their answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import aesfit
from aesfit.hardware.simulate import Bench, icarus, verilated
from aesfit.hardware.tools import Tool

BENCHES = Path(__file__).resolve().parents[1] / "rtl"
ROUNDS = {16: 10, 24: 12, 32: 14}
"""By the key's bytes."""
SIMULATORS: dict[str, Callable[[Bench], Tool]] = {"verilator": verilated, "icarus": icarus}


def bench(top: str, **parameters: int) -> Bench:
    """A bench of tests/rtl."""
    return Bench(top, BENCHES / f"{top}.v", parameters)


def words(data: bytes) -> list[str]:
    """32-bit words as the benches take them."""
    return [data[at : at + 4].hex() for at in range(0, len(data), 4)]


def key_commands(key: bytes) -> list[str]:
    """Offer a key to aes32."""
    return [f"k {len(key) // 8 - 2} {word}" for word in words(key)]


def block_commands(block: bytes, decrypt: bool) -> list[str]:
    """Offer a block to aes32."""
    return [f"{'d' if decrypt else 'e'} 0 {word}" for word in words(block)]


def expected(key: bytes, block: bytes, decrypt: bool) -> bytes:
    """What the C library makes of a block."""
    cipher = aesfit.AES(key)
    return cipher.decrypt_block(block) if decrypt else cipher.encrypt_block(block)


@dataclass(frozen=True)
class Block:
    """A block that came out of aes32."""

    data: bytes
    first: int
    """The cycle of its first word."""
    last: int


@dataclass(frozen=True)
class Answer:
    """What a bench of aes32 printed."""

    blocks: list[Block]
    taken: list[int]
    """Cycles at which first data words were taken."""
    keyed: list[int]
    """Cycles at which first key words were taken."""

    @property
    def data(self) -> list[bytes]:
        """The blocks' contents."""
        return [block.data for block in self.blocks]


def run(simulation: Tool, commands: Iterable[str], folder: Path) -> list[list[str]]:
    """Lines that the bench prints for these commands, in words; complaints raise."""
    file = folder / "commands"
    file.write_text("\n".join(commands) + "\n")
    said = simulation.run([f"+commands={file}"], seconds=600).splitlines()
    lines = [line.split() for line in said if line and not line.startswith("- ")]
    complaints = [line for line in lines if line[0] in {"stuck", "error", "stuck:"}]
    assert complaints == []
    return [line for line in lines if line[0] in {"word", "in", "key", "reset"}]


def answer(lines: Sequence[list[str]]) -> Answer:
    """Blocks of a run; words before a reset that make no whole block are dropped."""
    blocks: list[Block] = []
    pending: list[tuple[int, str]] = []
    for kind, cycle, *rest in lines:
        if kind == "word":
            pending.append((int(cycle), rest[0]))
        if kind == "reset":
            pending = []
        if len(pending) == 4:
            data = bytes.fromhex("".join(word for _, word in pending))
            blocks.append(Block(data, pending[0][0], pending[-1][0]))
            pending = []
    assert pending == []
    return Answer(
        blocks,
        [int(line[1]) for line in lines if line[0] == "in"],
        [int(line[1]) for line in lines if line[0] == "key"],
    )
