# SPDX-License-Identifier: MIT
"""Commands for the bench of aes32_axil: keys, blocks and what must come of them."""

from collections.abc import Iterator
from pathlib import Path

from bench_commands import Work, expected, published_works, random_works
from register_map import parse

SOURCE = Path(__file__).resolve().parent.parent / "rtl" / "aes32_axil.toml"
MAP = parse(SOURCE.read_text(encoding="utf-8"))
RESET = {one.name: one.reset or 0 for one in MAP.registers}
"""Values after a reset; 0 stands for those that cannot be read."""
AT: dict[str, int] = {one.name: one.offset for one in MAP.registers}
"""Offsets of the registers."""
MASK: dict[str, int] = {
    f"{one.name}.{field.name}": field.mask for one in MAP.registers for field in one.fields
}
OKAY, SLAVE_ERROR, DECODE_ERROR = 0, 2, 3
RESULT_BLOCK = MASK["status.result_words"] & MASK["status.result_words"] << 2
"""Bits of the count that are set only if a whole block is there: 4 and 8."""
DATA_BLOCK = MASK["status.data_space"] & MASK["status.data_space"] << 2
LANES = {"a": 1, "d": 2, "b": 4, "ar": 8, "r": 16, "beside": 32}
ALL_STALLS = sum(LANES.values())
NOTHING_LEFT = ["i 2 0 0", "e 0 0 0"]
"""The last word that was read is gone, and so is all else."""


def write(name: str, word: int, answer: int = OKAY) -> str:
    """Write a register."""
    return f"w {AT[name]:x} {word:08x} {answer}"


def read(name: str, word: int, answer: int = OKAY) -> str:
    """Read a register, which must have this word."""
    return f"r {AT[name]:x} {word:08x} {answer}"


def until_any(mask: int) -> str:
    """Wait for a bit of STATUS."""
    return f"o {AT['status']:x} {mask:08x} 0"


def until_none(mask: int) -> str:
    """Wait until bits of STATUS are zero."""
    return f"n {AT['status']:x} {mask:08x} 0"


def words(data: bytes) -> list[int]:
    """As a little-endian processor loads them."""
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def control(key: bytes, decrypt: bool) -> int:
    """The word of CONTROL."""
    size: int = MASK["control.key_size"]
    return (len(key) // 8 - 2) * (size & -size) | int(decrypt) * MASK["control.decrypt"]


def load(key: bytes, decrypt: bool = False) -> Iterator[str]:
    """A key, as soon as it is taken."""
    yield write("control", control(key, decrypt))
    yield until_any(MASK["status.key_ready"])
    yield from (write("key", word) for word in words(key))


def send(block: bytes) -> Iterator[str]:
    """A block, as soon as there is room for all of it."""
    yield until_any(DATA_BLOCK)
    yield from (write("data", word) for word in words(block))


def receive(block: bytes) -> Iterator[str]:
    """A block, which must be this one, as soon as all of it is there."""
    yield until_any(RESULT_BLOCK)
    yield from (read("result", word) for word in words(block))


def exchange(works: list[Work], ahead: int = 4) -> Iterator[str]:
    """All blocks; up to `ahead` of them are sent before the first result is fetched."""
    waiting: list[bytes] = []
    last = (b"", False)
    for key, block, decrypt in works:
        if key != last[0]:
            while waiting:
                yield from receive(waiting.pop(0))
            yield from load(key, decrypt)
        elif decrypt != last[1]:
            yield write("control", control(key, decrypt))
        last = (key, decrypt)
        yield from send(block)
        waiting.append(expected(key, block, decrypt))
        while len(waiting) >= ahead:
            yield from receive(waiting.pop(0))
    while waiting:
        yield from receive(waiting.pop(0))


def status(**fields: int) -> int:
    """The word of STATUS with these fields, other fields zero."""
    return sum(
        value * (MASK[f"status.{name}"] & -MASK[f"status.{name}"]) for name, value in fields.items()
    )


def identity() -> Iterator[str]:
    """What a driver sees after a reset."""
    yield read("status", status(erasing=1))
    yield until_none(MASK["status.erasing"])
    yield read("id", int.from_bytes(b"AES3"))
    yield read("version", RESET["version"])
    yield read("control", RESET["control"])
    yield read("status", status(key_ready=1))


def published() -> list[str]:
    """FIPS 197, appendix C, both directions, then erasing; at last with random waits."""
    erasing = [write("control", MASK["control.erase"]), until_none(MASK["status.erasing"])]
    waits = [f"s {ALL_STALLS:x} 0 0", *exchange(random_works(12, 40, 3))]
    return [*identity(), *exchange(published_works()), *erasing, *NOTHING_LEFT, *waits]
