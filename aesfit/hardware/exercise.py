# SPDX-License-Identifier: MIT
"""Runs a design over random blocks, from its sources or as gates, and checks what it answers."""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import _native
from ..building.tools import Tool, ToolFailedError
from ..jobs.message import made_up
from .designs import Design
from .simulate import Bench, icarus, literal
from .tools import RTL

KEY_BYTES = 16
MIC_BYTES = 8
"""Of CCMP (IEEE Std 802.11-2012, 11.4.3)."""
_PATIENCE_SECONDS = 300
"""Far more than a simulation takes, lest one hangs in a loop without time."""
STEADY = 8
"""Blocks after which all goes on as it does then, four cores side by side included."""
BLOCKS = STEADY + 1 + 20
"""Of a simulation: from block STEADY on a multiple of the cores that stand side by side."""


@dataclass(frozen=True)
class Exercise:
    """What a simulation of a design showed."""

    cycles_per_block: float
    """Between blocks in steady state."""
    provenance: str


def _sbox() -> bytes:
    rows = re.findall(r"128'h([0-9a-f]{32})", (RTL / "aes32_sbox.vh").read_text(encoding="utf-8"))
    return bytes.fromhex("".join(rows[:16]))[::-1]


def round_keys(key: bytes) -> bytes:
    """Round keys of AES-128 for encryption (FIPS 197, 5.2)."""
    sbox, rcon = _sbox(), 1
    made = [key[at : at + 4] for at in range(0, 16, 4)]
    while len(made) < 44:
        word = made[-1]
        if len(made) % 4 == 0:
            word = bytes(sbox[x] for x in word[1:] + word[:1])
            word = bytes([word[0] ^ rcon, *word[1:]])
            rcon = rcon << 1 ^ (0x11B if rcon & 0x80 else 0)
        made.append(bytes(a ^ b for a, b in zip(made[-4], word, strict=True)))
    return b"".join(made)


def _key_material(design: Design, key: bytes) -> bytes:
    """What the key port is given; only encryption runs, so keys for decryption are made up."""
    if not design.expanded_key:
        return key
    return round_keys(key) * (2 if design.bench == "stream_bench" else 1)


def bench_of(design: Design, netlist: Path | None = None, models: Sequence[Path] = ()) -> Bench:
    """The design under its bench: its sources, or a netlist with models of its cells."""
    settings = ",".join(f".{name}({literal(value)})" for name, value in design.parameters.items())
    parameters = f"#({settings})" if settings and netlist is None else ""
    files = design.sources if netlist is None else [netlist, *models]
    return Bench(
        design.bench,
        design.bench_file,
        sources=tuple(files),
        defines=(
            f"DUT={design.top}",
            f"PARAMETERS={parameters}",
            *(["COUNTER"] if design.counter else []),
        ),
    )


@dataclass(frozen=True)
class _Asked:
    """What a bench is given, and what must come out."""

    key: bytes
    header: bytes
    text: bytes
    wanted: bytes


def _asked(design: Design, blocks: int, key_bytes: int) -> _Asked:
    key, text = made_up("silicon key", key_bytes), made_up("silicon text", 16 * blocks)
    material = _key_material(design, key)
    if design.bench == "ccm_bench":
        nonce, data = made_up("silicon nonce", 13), made_up("silicon header", 22)
        flags = bytes([0x40 | (MIC_BYTES - 2) // 2 << 3 | 1])  # SP 800-38C, A.2.1
        header = flags + nonce + len(text).to_bytes(2) + len(data).to_bytes(2) + data
        sealed = _native.AESCCM(key, MIC_BYTES).encrypt(nonce, text, data)
        return _Asked(material, header + bytes(-len(header) % 16), text, sealed)
    if design.bench == "gcm_bench":
        nonce, data = made_up("silicon nonce", 12), made_up("silicon header", 20)
        sealed = _native.AESGCM(key).encrypt(nonce, text, data)
        return _Asked(material, nonce + data, text, sealed)
    if design.counter:
        counter = made_up("silicon counter", 12) + bytes(4)
        return _Asked(material, counter, text, _native.Cipher(key, "ctr", counter).encrypt(text))
    cipher = _native.AES(key)
    pieces = [text[at : at + 16] for at in range(0, len(text), 16)]
    return _Asked(material, b"", text, b"".join(map(cipher.encrypt_block, pieces)))


def _run(
    design: Design, simulation: Tool, blocks: int, key_bytes: int, dump: Path | None
) -> tuple[str, list[int]]:
    """What the bench printed, and the cycles at which words came out."""
    asked = _asked(design, blocks, key_bytes)
    with tempfile.TemporaryDirectory(prefix="aesfit-") as folder:
        file = Path(folder) / "words"
        data = asked.key + asked.header + asked.text
        file.write_text("\n".join(data[at : at + 4].hex() for at in range(0, len(data), 4)))
        told = [f"+words={file}", f"+key_words={len(asked.key) // 4}", f"+blocks={blocks}"]
        told += [f"+key_bits={key_bytes // 8 - 2}", f"+header_words={len(asked.header) // 4}"]
        if dump is not None:
            told += [f"+vcd={dump}", f"+from={STEADY}"]
        said = simulation.run(told, seconds=_PATIENCE_SECONDS)
    found = re.findall(r"^word +(\d+) ([0-9a-fxz]{8})$", said, re.MULTILINE)
    if "".join(word for _, word in found) != asked.wanted.hex():
        raise ToolFailedError(f"{design.name} in Icarus Verilog does not encrypt as the library")
    return said, [int(cycle) for cycle, _ in found]


def exercise(design: Design, simulation: Tool, blocks: int, dump: Path | None = None) -> list[int]:
    """Cycles at which blocks came out; ToolFailedError unless each is the library's.

    `dump` gets the values of the design's nets in the window of window().
    """
    _, cycles = _run(design, simulation, blocks, KEY_BYTES, dump)
    return cycles[: 4 * blocks : 4]


def window(design: Design, seen: Sequence[int]) -> tuple[int, int]:
    """Cycles and blocks of the part of a run that counts."""
    if design.bench == "packet_bench":
        return seen[-1], len(seen)
    return seen[-1] - seen[STEADY], len(seen) - 1 - STEADY


def measure(design: Design, blocks: int = BLOCKS) -> Exercise:
    """Cycles for a block in steady state, from a simulation whose output is checked."""
    simulation = icarus(bench_of(design))
    cycles, counted = window(design, exercise(design, simulation, blocks))
    return Exercise(
        cycles / counted,
        f"Icarus Verilog {simulation.version}: {blocks} random blocks encrypted under AES-128, "
        f"each equal to the library's, {counted} of them counted",
    )


def message_cycles(design: Design, blocks: int) -> int:
    """Cycles of one message, from the first word in to the last out, in a checked simulation.

    A core that works on a packet in its RAM is filled before.
    """
    said, cycles = _run(design, icarus(bench_of(design)), blocks, KEY_BYTES, None)
    given = re.search(r"^data (\d+)$", said, re.MULTILINE)
    if given is None:
        return cycles[-1]
    return cycles[-1] - int(given[1]) + 1


@dataclass(frozen=True)
class KeySizeCycles:
    """What a key of one size costs a core that expands keys."""

    block: float
    """Between blocks in steady state."""
    set_up: int
    """From the last word of the key to the first of a block."""


def with_key(design: Design, key_bits: int, blocks: int = BLOCKS) -> KeySizeCycles:
    """Cycles with a key of that size, from a simulation whose output is checked."""
    said, cycles = _run(design, icarus(bench_of(design)), blocks, key_bits // 8, None)
    counted, several = window(design, cycles[::4])
    keyed, given = (
        [int(cycle) for cycle in re.findall(rf"^{name} (\d+)$", said, re.MULTILINE)]
        for name in ("key", "data")
    )
    return KeySizeCycles(counted / several, given[0] - keyed[-1])
