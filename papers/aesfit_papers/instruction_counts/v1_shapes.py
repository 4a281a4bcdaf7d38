# SPDX-License-Identifier: MIT
"""V1 of Javed in the shapes that his text allows (v1_block.c, v1_keys.c), run and priced."""

from collections.abc import Mapping
from itertools import product
from typing import Final

from aesfit.building import build
from aesfit.counting.foreign import function_in
from aesfit.jobs.job import Placement
from aesfit.platforms.platform import Platform
from aesfit.proving.fips197 import sbox
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import WrongOutputError
from aesfit.rigs.profile import Execution
from aesfit.store.files import beside

SOURCES: Final = {path.stem: path for path in beside(__file__, "v1_*.c")}
XTIMES: Final[Mapping[str, str]] = {
    "mask": "((x) << 1 ^ (0u - ((uint8_t)(x) >> 7) & 0x1b))",
    "branch": "((x)&0x80 ? (x) << 1 ^ 0x1b : (x) << 1)",
    "product": "((x) << 1 ^ ((uint8_t)(x) >> 7) * 0x1b)",
}
"""A doubling: its condition as a mask, a branch or a multiplication."""
_SUMS: Final = {"sum": 1, "four": 0}
_STEPS: Final = {"called": "static __attribute__((noinline))",
                 "inlined": "static inline __attribute__((always_inline))"}  # fmt: skip
_FORMS: Final = {"loops": 0, "written": 1}
_NUMBERS: Final = {"bytes": "uint8_t", "words": "uint32_t"}
BLOCKS: Final = tuple(map("_".join, product(XTIMES, _SUMS, _STEPS, _FORMS, _NUMBERS)))
"""Shapes of a block: doubling, MixColumns, calls, loops, and the type of a byte."""
_KEYS: Final = ("rows", "rows_written", "rows_all", "rows_counted", "columns", "columns_all")
KEYS: Final = tuple(f"{name}_{number}" for name in _KEYS for number in _NUMBERS)
"""Shapes of a key schedule, and the type of its counters."""
_ROOT: Final = "v1_named"
_KEY: Final = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
_PLAIN: Final = bytes.fromhex("00112233445566778899aabbccddeeff")
_CIPHER: Final = bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")
"""FIPS 197, appendix C.1."""
_LAST: Final = bytes.fromhex("13111d7fe3944a17f307a78b4d2b30c5")
"""The last round key there."""


def source() -> str:
    """Every shape as C."""
    numbers = ",".join(map(str, sbox()))
    lines = [
        "#include <stdint.h>",
        "#define V1_SHAPE __attribute__((noinline, externally_visible)) void",
        "#define V1_JOINED(name, shape) name##_##shape",
        "#define V1_NAMED(name, shape) V1_JOINED(name, shape)",
        "#define V1(name) V1_NAMED(name, V1_NAME)",
        f"static const uint8_t v1_sbox[256] = {{{numbers}}};",
        "static const uint8_t v1_rcon[10] = {1, 2, 4, 8, 16, 32, 64, 128, 27, 54};",
    ]
    for name in BLOCKS:
        xtime, summed, step, form, number = name.split("_")
        lines += _with(SOURCES["v1_block"].read_text(encoding="utf-8"), {
            "V1_NAME": name, "V1_XTIME(x)": XTIMES[xtime], "V1_SUM": _SUMS[summed],
            "V1_STEP": _STEPS[step], "V1_WRITTEN": _FORMS[form], "v1_number": _NUMBERS[number],
        })  # fmt: skip
    for number, told in _NUMBERS.items():
        text = SOURCES["v1_keys"].read_text(encoding="utf-8")
        lines += _with(text, {"V1_NAME": number, "v1_number": told})
    kept = [*(f"block_{name}" for name in BLOCKS), *(f"keys_{name}" for name in KEYS)]
    every = ", ".join(f"(const void *){name}" for name in kept)
    root = (
        f"__attribute__((externally_visible)) const void *{_ROOT}(unsigned n)"
        f"{{ static const void *const every[] = {{{every}}}; return every[n]; }}"
    )
    return "\n".join((*lines, root))


def _with(text: str, macros: Mapping[str, object]) -> list[str]:
    """The text between definitions of the macros and their end."""
    return [
        *(f"#define {name} {told}" for name, told in macros.items()),
        text,
        *(f"#undef {name.partition('(')[0]}" for name in macros),
    ]


class V1Run:
    """Every shape compiled for an emulated platform."""

    def __init__(self, platform: Platform) -> None:
        """Compile them with the platform's flags."""
        self._platform = platform
        unit = build.compile_object(platform, source())
        with function_in(platform, [unit], _ROOT) as found:
            self._machine = Machine(found.image, platform)
        self._keys, self._out, self._in = map(self._machine.reserve, (176, 16, 16))

    def keys(self, shape: str) -> int:
        """Cycles of a key schedule; WrongOutputError if its last round key is wrong."""
        self._machine.write(self._in, _KEY)
        seen = self._machine.call(f"keys_{shape}", self._keys, self._in, len(_KEY) // 4)
        rows = self._machine.read(self._keys + 160, 16)
        last = bytes(rows[4 * (at % 4) + at // 4] for at in range(16))
        return self._priced(shape, seen, last == _LAST)

    def block(self, shape: str) -> int:
        """Cycles of a block with the round keys of the last schedule; checked as well."""
        self._machine.write(self._in, _PLAIN)
        seen = self._machine.call(f"block_{shape}", self._out, self._in, self._keys)
        return self._priced(shape, seen, self._machine.read(self._out, 16) == _CIPHER)

    def _priced(self, shape: str, seen: Execution, right: bool) -> int:
        if not right:
            raise WrongOutputError(f"{shape} on {self._platform.name} is not what FIPS 197 has")
        decoded = decode_blocks(self._machine.code, seen.profile.blocks, self._platform.isa)
        return cycles(timing_model(self._platform), seen.profile, decoded, Placement(0))
