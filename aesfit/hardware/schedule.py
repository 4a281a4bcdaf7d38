# SPDX-License-Identifier: MIT
"""The cycles of aes32_paper one after another, as its simulation passes through its phases."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from .. import _native
from ..building.tools import ToolFailedError
from ..jobs.message import made_up
from .designs import design_named
from .exercise import KEY_BYTES, bench_of, round_keys
from .simulate import icarus

DESIGN = "aes32_paper"
_KEY_WORDS = 64
"""Of a direction, in the RAM of round keys."""
_PHASES = ("idle", "load", "round", "store")
"""By the value of the register phase_q."""
_SIGNALS = ("clk_i", "phase_q", "round_q", "block_q")
_VARIABLE = re.compile(r"\$var \w+ \d+ (\S+) (\w+)(?: \[\d+:\d+\])? \$end")


@dataclass(frozen=True)
class PhaseCycles:
    """Cycles that the core stays in a phase, or in a round."""

    block: int
    """From 0."""
    phase: str
    round: int | None
    """1 to 10."""
    cycles: int


def stretches(blocks: int, *, decrypt: bool = False) -> tuple[list[PhaseCycles], str]:
    """Of random blocks, in order, and how they were found; the output is compared."""
    simulation = icarus(bench_of(design_named(DESIGN)))
    key, text = made_up("schedule key", KEY_BYTES), made_up("schedule text", 16 * blocks)
    cipher = _native.AES(key)
    step = cipher.decrypt_block if decrypt else cipher.encrypt_block
    wanted = b"".join(step(text[at : at + 16]) for at in range(0, len(text), 16))
    data = _both_directions(round_keys(key)) + text
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        words, dump = Path(folder) / "words", Path(folder) / "dump.vcd"
        words.write_text("\n".join(data[at : at + 4].hex() for at in range(0, len(data), 4)))
        asked = [f"+words={words}", f"+key_words={2 * _KEY_WORDS}", f"+blocks={blocks}"]
        said = simulation.run([*asked, f"+vcd={dump}", f"+decrypt={int(decrypt)}"], seconds=60)
        with dump.open(encoding="utf-8") as lines:
            found = list(_stretches(_cycles(lines)))
    if "".join(re.findall(r"^word +\d+ ([0-9a-fxz]{8})$", said, re.MULTILINE)) != wanted.hex():
        raise ToolFailedError(f"{DESIGN} in Icarus Verilog does not compute what the library does")
    way = "decrypted" if decrypt else "encrypted"
    return found, (
        f"Icarus Verilog {simulation.version}: {blocks} random blocks {way}, equal to the "
        "library's; the core's registers looked at before each rising edge"
    )


def _both_directions(keys: bytes) -> bytes:
    """The RAM of round keys: for encryption, then of the equivalent inverse (FIPS 197, 5.3.5)."""
    rounds = [keys[at : at + 16] for at in range(0, len(keys), 16)][::-1]
    columns = [
        word if index in (0, len(rounds) - 1) else _inv_mix_column(word)
        for index, one in enumerate(rounds)
        for word in (one[at : at + 4] for at in range(0, 16, 4))
    ]
    return keys.ljust(4 * _KEY_WORDS, b"\0") + b"".join(columns).ljust(4 * _KEY_WORDS, b"\0")


def _times(factor: int, value: int) -> int:
    """In GF(2^8) of AES (FIPS 197, 4.2)."""
    product = 0
    while factor:
        product ^= value if factor & 1 else 0
        value = value << 1 ^ (0x11B if value & 0x80 else 0)
        factor >>= 1
    return product


def _inv_mix_column(word: bytes) -> bytes:
    """FIPS 197, 5.3.3."""
    factors = (0x0E, 0x0B, 0x0D, 0x09)
    made = []
    for row in range(4):
        total = 0
        for at, value in enumerate(word):
            total ^= _times(factors[(at - row) % 4], value)
        made.append(total)
    return bytes(made)


def _cycles(lines: Iterable[str]) -> Iterator[tuple[int, str, int]]:
    """Block, phase and round before each rising edge, from a VCD (IEEE Std 1364-2005, 18.2)."""
    names: dict[str, str] = {}
    values = dict.fromkeys(_SIGNALS, 0)
    before = dict(values)
    for line in lines:
        if line.startswith("#"):
            before = dict(values)
        elif declared := _VARIABLE.match(line.strip()):
            if declared[2] in _SIGNALS:
                names[declared[1]] = declared[2]
        elif changed := re.match(r"(?:b([01]+) |([01]))(\S+)$", line):
            name = names.get(changed[3])
            if name:
                values[name] = int(changed[1] or changed[2], 2)
                if name == "clk_i" and values[name] and not before[name]:
                    yield before["block_q"], _PHASES[before["phase_q"]], before["round_q"]


def _stretches(cycles: Iterable[tuple[int, str, int]]) -> Iterator[PhaseCycles]:
    for (block, phase, number), some in groupby(cycles):
        if phase != "idle":
            yield PhaseCycles(block, phase, number if phase == "round" else None, len(list(some)))


def total(some: Sequence[PhaseCycles]) -> int:
    """Cycles of all."""
    return sum(one.cycles for one in some)
