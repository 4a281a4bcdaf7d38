# SPDX-License-Identifier: MIT
"""AES byte by byte with optimisations switched on and off (bytes.c), checked, run and counted.

To measure a key schedule that supports all key sizes, a core of the library is used through the
same functions (bytes_core.c).

Every variation must pass the examples of FIPS 197, appendices B and C, in both directions before it
is priced: with keys of all sizes, or only of 128 bits if it supports no others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from elftools.elf.elffile import ELFFile

from aesfit.building import build
from aesfit.building.sources import core_file
from aesfit.counting.foreign import function_in
from aesfit.jobs.job import Placement
from aesfit.jobs.message import made_up
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import WrongOutputError
from aesfit.rigs.profile import Execution
from aesfit.store.files import beside

SOURCES: Final = {path.stem: path for path in beside(__file__, "bytes*.c")}
IN_MEMORY: Final = (
    "products",
    "fused_shift",
    "fused_mix",
    "words",
    "local",
    "one_size",
    "inline",
)
"""Independent switches of bytes.c, in the order of the paper's section 4."""
REGISTERS: Final = "registers"
"""The switch that replaces the steps, and so needs all of the others."""
SIX_TABLES: Final = 2
"""The value of "products" for reading them from six tables; other values are 0 or 1."""
Switches = Mapping[str, int]

_ROOT = "bytes_named"
_KEY_BYTES: Final = 512
"""Words of room for a bytes_key, or an aesfit_key of unrolled keys."""
_KEY_WORDS: Final = 60
"""Words of the longest unrolled schedule."""
_SHORTEST: Final = 16
"""Bytes of a key of 128 bits."""
_EXAMPLES: Final = (
    # FIPS 197, appendix B, then C.1 to C.3: key, plaintext, ciphertext
    ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
     "3925841d02dc09fbdc118597196a0b32"),
    ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"),
    ("000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "dda97ca4864cdfe06eaf70a0ec0d7191"),
    ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"),
)  # fmt: skip


@dataclass(frozen=True)
class CallCost:
    """The cost of one call."""

    cycles: int
    moves: int
    """Loads and stores of data; each word of a multiple load or store counts."""


@dataclass(frozen=True)
class VariationCost:
    """The cost of a variation with a 128-bit key."""

    key_schedule: CallCost
    encrypt: CallCost
    decrypt: CallCost
    code_bytes: int
    """Code of the three functions and what they call, with constants inside the code, but without
    tables and the compiler's division."""


def source(switches: Switches) -> str:
    """The source of a variation; ValueError for an unknown switch or combination.

    Switches not named are off.
    """
    unknown = set(switches) - {*IN_MEMORY, REGISTERS}
    if unknown:
        raise ValueError(f"there is no switch {', '.join(sorted(unknown))} in bytes.c")
    in_registers = bool(switches.get(REGISTERS))
    if in_registers and not all(switches.get(name) for name in IN_MEMORY):
        raise ValueError(f"{REGISTERS} goes with all of {', '.join(IN_MEMORY)}")
    chosen = ("bytes", "bytes_registers" if in_registers else "bytes_memory")
    lines = [f"#define BYTES_{name.upper()} {switches.get(name, 0)}\n" for name in IN_MEMORY]
    return "".join([*lines, *(SOURCES[name].read_text(encoding="utf-8") for name in chosen)])


def core_source(core: str, between: str = "") -> str:
    """The source of a core with unrolled keys of all sizes; `between` may bind another in it."""
    before = (
        f"#define AESFIT_BOUND {core}",
        f"#define AESFIT_KEY_WORDS {_KEY_WORDS}",
        '#include "core.h"',
        f'#include "{core_file(core)}"',
    )
    return "\n".join((*before, between, SOURCES["bytes_core"].read_text(encoding="utf-8")))


def standard_source(*, branch: bool) -> str:
    """The source of V1 in the standard formulation; its doubling branches, or masks."""
    text = SOURCES["bytes_standard"].read_text(encoding="utf-8")
    return core_source("compact", f"#define STANDARD_BRANCH {int(branch)}\n{text}")


def cost(platform: Platform, flags: tuple[str, ...], switches: Switches) -> VariationCost:
    """Build, check and price; WrongOutputError if an example of the standard fails."""
    return _cost(platform, flags, source(switches), every_size=not switches.get("one_size"))


def standard_cost(platform: Platform, flags: tuple[str, ...], *, branch: bool) -> VariationCost:
    """The cost of V1 in the standard formulation."""
    return _cost(platform, flags, standard_source(branch=branch), every_size=True)


def open_key_schedule(platform: Platform, flags: tuple[str, ...], core: str) -> CallCost:
    """The cost for a 128-bit key of a core's key schedule that supports all sizes."""
    return _cost(platform, flags, core_source(core), every_size=True).key_schedule


def _cost(
    platform: Platform, flags: tuple[str, ...], text: str, *, every_size: bool
) -> VariationCost:
    compiler = replace(platform.compiler, optimise=flags)
    unit = build.compile_object(replace(platform, compiler=compiler), text)
    with function_in(platform, [unit], _ROOT) as found:
        runner = _VariationRunner(Machine(found.image, platform), platform)
    for key, plain, cipher in _EXAMPLES:
        if every_size or len(key) == 2 * _SHORTEST:
            runner.check(bytes.fromhex(key), bytes.fromhex(plain), bytes.fromhex(cipher))
    return VariationCost(*runner.priced(), _code_bytes(unit))


class _VariationRunner:
    """The three functions of one image."""

    def __init__(self, machine: Machine, platform: Platform) -> None:
        self._machine, self._platform = machine, platform
        self._key, self._from, self._in, self._out = map(machine.reserve, (_KEY_BYTES, 32, 16, 16))

    def _expand(self, key: bytes) -> Execution:
        self._machine.write(self._from, key)
        return self._machine.call("bytes_expand", self._key, self._from, len(key))

    def _block(self, direction: str, block: bytes) -> tuple[Execution, bytes]:
        self._machine.write(self._in, block)
        seen = self._machine.call(f"bytes_{direction}", self._key, self._out, self._in)
        return seen, self._machine.read(self._out, len(block))

    def check(self, key: bytes, plain: bytes, cipher: bytes) -> None:
        """Check one example in both directions."""
        self._expand(key)
        for direction, given, wanted in (("encrypt", plain, cipher), ("decrypt", cipher, plain)):
            if self._block(direction, given)[1] != wanted:
                raise WrongOutputError(
                    f"a variation on {self._platform.name} does not {direction} as an example of "
                    f"FIPS 197 with a key of {8 * len(key)} bits"
                )

    def priced(self) -> tuple[CallCost, CallCost, CallCost]:
        """Price key schedule, encryption and decryption, with pseudo-random secrets."""
        secrets = made_up("0", 32)
        calls = [self._expand(secrets[:_SHORTEST])]
        calls += [self._block(name, secrets[_SHORTEST:])[0] for name in ("encrypt", "decrypt")]
        schedule, encrypt, decrypt = map(self._cost, calls)
        return schedule, encrypt, decrypt

    def _cost(self, seen: Execution) -> CallCost:
        model = timing_model(self._platform)
        decoded = decode_blocks(self._machine.code, seen.profile.blocks, self._platform.isa)
        priced = cycles(model, seen.profile, decoded, Placement(0))
        return CallCost(priced, seen.loads + seen.stores)


def _code_bytes(unit: Path) -> int:
    """Bytes of all code sections except the root's; each function has its own section."""
    with unit.open("rb") as stream:
        return sum(
            section["sh_size"]
            for section in ELFFile(stream).iter_sections()
            if section.name.startswith(".text") and not section.name.endswith(_ROOT)
        )
