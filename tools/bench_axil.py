# SPDX-License-Identifier: MIT
"""Commands for the bench of aes32_axil: keys, blocks and what must come of them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bench_commands import TEXT, Work, expected, published_works, random_works
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
KEY, BLOCK = bytes(range(16)), TEXT
FULL = MAP.constants[0].value
NO_REGISTER = [1, 2, 3, max(AT.values()) + 4, *(1 << bit for bit in range(5, MAP.address_bits))]
"""Some addresses of none: one for each bit of the address."""
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


def counts() -> Iterator[str]:
    """STATUS while a key and blocks come and go; the queues hold two blocks each."""
    yield write("control", control(bytes(32), False))
    for word in range(8):
        yield read("status", status(key_ready=1))
        yield write("key", word)
    yield write("data", 0)
    yield read("status", status(keyed=1, data_space=FULL - 1))
    for _ in range(FULL - 1):  # nothing leaves while the key is in expansion
        yield write("data", 0)
    yield write("data", 0, SLAVE_ERROR)
    yield read("status", status(keyed=1, refused=1))
    yield "x 0 0 0"
    yield until_none(MASK["status.erasing"])


def refusals(addresses: Iterable[int] = NO_REGISTER) -> Iterator[str]:
    """What cannot be done is answered at once, and changes nothing."""
    for name in ("id", "version", "result"):
        yield write(name, 0xFFFF_FFFF, SLAVE_ERROR)
    for name in ("key", "data", "result"):
        yield read(name, 0, SLAVE_ERROR)
    yield write("data", 1, SLAVE_ERROR)  # there is no key
    for strobes in range(0xF):
        for name in ("control", "key", "status"):
            yield f"b {strobes:x} 0 0"
            yield write(name, 0xFFFF_FFF9, SLAVE_ERROR)
    for no_size in (6, 7, 0xE):
        yield write("control", no_size, SLAVE_ERROR)
    for address in addresses:
        yield f"w {address:x} ffffffff {DECODE_ERROR}"
        yield f"r {address:x} 0 {DECODE_ERROR}"
    yield read("control", 0)
    yield read("status", status(key_ready=1, refused=1))
    yield write("status", 0xFFFF_FFFF & ~MASK["status.refused"])
    yield read("status", status(key_ready=1, refused=1))
    yield write("status", MASK["status.refused"])
    yield read("status", status(key_ready=1))


def in_work() -> Iterator[str]:
    """A key is refused while a block is in work, and a result that is not there."""
    yield from load(KEY)
    yield from send(BLOCK)
    yield write("key", 2, SLAVE_ERROR)
    yield read("result", 0, SLAVE_ERROR)
    yield write("control", control(KEY, True))  # too late for this block
    yield from receive(expected(KEY, BLOCK, False))
    yield from send(expected(KEY, BLOCK, False))
    yield from receive(BLOCK)
    yield read("result", 0, SLAVE_ERROR)


def key_behind_a_word() -> Iterator[str]:
    """A key is refused while a word waits, in whatever cycle of the core's it comes."""
    for cycles in range(8):
        yield from load(KEY)
        yield f"i {100 + cycles:x} 0 0"
        yield write("data", words(BLOCK)[0])
        yield write("key", 2, SLAVE_ERROR)
        yield from (write("data", word) for word in words(BLOCK)[1:])
        yield from receive(expected(KEY, BLOCK, False))


def results_pile_up() -> Iterator[str]:
    """Nobody reads: two blocks wait as results, two in the core, two before it."""
    yield from load(KEY)
    for _ in range(6):
        yield from send(BLOCK)
    yield "i 400 0 0"
    yield read("status", status(keyed=1, result_words=FULL))
    yield write("data", 0, SLAVE_ERROR)
    yield "i 10 0 0"
    for _ in range(6):
        yield from receive(expected(KEY, BLOCK, False))
    yield write("status", MASK["status.refused"])


def erased(at: int) -> Iterator[str]:
    """Erase `at` cycles after blocks were sent; nothing is left, and all works as before."""
    yield from load(bytes(range(1, 33)))
    for _ in range(2 + at % 3):
        yield from send(BLOCK)
    yield f"i {at + 1:x} 0 0"
    yield write("control", MASK["control.erase"] | control(bytes(24), True))
    yield write("key", 3, SLAVE_ERROR)
    yield read("result", 0, SLAVE_ERROR)
    yield write("data", 3, SLAVE_ERROR)
    yield read("status", status(erasing=1, refused=1))
    yield until_none(MASK["status.erasing"])
    yield from NOTHING_LEFT
    yield read("control", control(bytes(24), True))
    yield write("status", MASK["status.refused"])
    yield read("status", status(key_ready=1))
    yield from exchange([(KEY, BLOCK, False), (KEY, BLOCK, True)])


def interrupts() -> Iterator[str]:
    """While it is enabled and a block waits, until a word of that is read, or all is erased."""
    low, high = (["i 2 0 0", f"l {level} 0 0"] for level in range(2))
    enable = control(KEY, False) | MASK["control.interrupt"]
    block = [read("result", word) for word in words(expected(KEY, BLOCK, False))]
    yield from load(KEY)
    for result in (block, block, []):
        yield from send(BLOCK)
        yield from (until_any(RESULT_BLOCK), *low)
        yield from (write("control", enable), read("control", enable), *high)
        for word in result[:1]:
            yield from (word, *low)
        yield from result[1:]
        yield write("control", control(KEY, False))
    yield from (write("control", enable), *high)
    yield from (write("control", enable | MASK["control.erase"]), *low)
    yield write("control", RESET["control"])
    yield until_none(MASK["status.erasing"])


def half_a_key() -> Iterator[str]:
    """Erasing and a reset drop the part of a key that was written."""
    for ending in (["x 0 0 0"], [write("control", MASK["control.erase"])]):
        yield from list(load(bytes(32)))[:-1]
        yield write("data", 1, SLAVE_ERROR)
        yield read("status", status(key_ready=1, refused=1))
        yield from ending
        yield until_none(MASK["status.erasing"])
        yield from NOTHING_LEFT
        yield write("status", MASK["status.refused"])
        yield from exchange([(KEY, BLOCK, False)])


def published() -> list[str]:
    """FIPS 197, appendix C, both directions, then erasing, and what is refused.

    At last with random waits.
    """
    erasing = [write("control", MASK["control.erase"]), until_none(MASK["status.erasing"])]
    refused = [*refusals(), *counts(), *in_work(), write("status", MASK["status.refused"])]
    full = [*results_pile_up(), *half_a_key(), *interrupts(), *erased(20)]
    waits = [f"s {ALL_STALLS:x} 0 0", *exchange(random_works(12, 40, 3))]
    return [
        *identity(),
        *exchange(published_works()),
        *erasing,
        *NOTHING_LEFT,
        write("control", RESET["control"]),
        *refused,
        *full,
        *waits,
    ]
