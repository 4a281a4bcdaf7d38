# SPDX-License-Identifier: MIT
"""What the tests of the Verilog cores share: benches, commands for them, and their answers."""

import importlib.util
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from places import ROOT

import aesfit
from aesfit.building.tools import Tool
from aesfit.hardware.simulate import Bench, icarus, verilated

BENCHES = ROOT / "tests" / "rtl"
TOOLS = ROOT / "tools"
ROUNDS = {16: 10, 24: 12, 32: 14}
"""By the key's bytes."""
SIZES = list(ROUNDS)
Work = tuple[bytes, bytes, bool]
"""Key, block, and whether it is decrypted."""


def script(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that scripts may import one another
    spec.loader.exec_module(module)
    return module


TABLES = script("make_tables")
"""The constants of FIPS 197."""
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


def wanted_commands(blocks: Iterable[bytes]) -> list[str]:
    """Tell a bench that compares what must come out."""
    return [f"x 0 {word}" for block in blocks for word in words(block)]


def run(
    simulation: Tool, commands: Iterable[str], folder: Path, verdict: str | None = None
) -> list[list[str]]:
    """Lines that the bench prints for these commands, in words; complaints raise.

    A bench that compares for itself ends with a verdict.
    """
    file = folder / "commands"
    file.write_text("\n".join(commands) + "\n")
    said = simulation.run([f"+commands={file}"], seconds=600).splitlines()
    lines = [line.split() for line in said if line and not line.startswith("- ")]
    complaints = [line for line in lines if line[0] in {"stuck", "error", "stuck:"}]
    assert complaints == []
    verdicts = [line for line in lines if line[0] in {"PASS", "FAIL"}]
    assert [line[0] for line in verdicts] == ([verdict] if verdict else []), verdicts
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


def schedule(key: bytes) -> list[bytes]:
    """Words of the key schedule for encryption (FIPS 197, 5.2)."""
    made = [key[at : at + 4] for at in range(0, len(key), 4)]
    size, rcon = len(made), 1
    while len(made) < 4 * (ROUNDS[len(key)] + 1):
        word = made[-1]
        if len(made) % size == 0:
            word = bytes(TABLES.SBOX[x] for x in word[1:] + word[:1])
            word, rcon = bytes([word[0] ^ rcon, *word[1:]]), TABLES.double(rcon)
        elif size == 8 and len(made) % size == 4:
            word = bytes(TABLES.SBOX[x] for x in word)
        made.append(bytes(a ^ b for a, b in zip(made[-size], word, strict=True)))
    return made


def mixed(column: bytes, inverse: bool) -> bytes:
    """MixColumns of one column, or its inverse (FIPS 197, 5.1.3 and 5.3.3)."""
    factors = (14, 11, 13, 9) if inverse else (2, 3, 1, 1)
    products = [[TABLES.multiply(x, factor) for factor in factors] for x in column]
    return bytes(
        products[0][-row % 4]
        ^ products[1][(1 - row) % 4]
        ^ products[2][(2 - row) % 4]
        ^ products[3][(3 - row) % 4]
        for row in range(4)
    )


def inverse_schedule(key: bytes) -> list[bytes]:
    """Words for the equivalent inverse cipher, in the order of use (FIPS 197, 5.3.5)."""
    forward = schedule(key)
    rounds = [forward[at : at + 4] for at in range(0, len(forward), 4)][::-1]
    middle = [[mixed(word, inverse=True) for word in one] for one in rounds[1:-1]]
    return [word for one in (rounds[0], *middle, rounds[-1]) for word in one]


def random_works(count: int, seed: int, blocks_a_key: int) -> list[Work]:
    """Blocks in random directions; keys of random sizes last for up to so many."""
    rng = random.Random(seed)
    works: list[Work] = []
    while len(works) < count:
        key = rng.randbytes(rng.choice(SIZES))
        for _ in range(rng.randint(1, blocks_a_key)):
            works.append((key, rng.randbytes(16), rng.random() < 0.5))
    return works[:count]


def judged(works: list[Work]) -> list[bytes]:
    """What the C library says."""
    return [expected(*work) for work in works]


def expanded(works: list[Work]) -> Iterator[str]:
    """Commands: offer the key wherever it changes, for a core that expands it."""
    last = b""
    for key, block, decrypt in works:
        if key != last:
            yield from key_commands(key)
        yield from block_commands(block, decrypt)
        last = key


def preloaded(works: list[Work], decryption: bool) -> Iterator[str]:
    """Commands: offer the round keys wherever the key changes."""
    last = b""
    for key, block, decrypt in works:
        if key != last:
            keys = [*schedule(key), *(inverse_schedule(key) if decryption else [])]
            yield from (f"k {len(key) // 8 - 2} {word.hex()}" for word in keys)
        yield from block_commands(block, decrypt)
        last = key
