# SPDX-License-Identifier: MIT
"""The functions of Doomun et al. in shapes that their text allows (shapes*.c): sizes and cycles."""

from collections.abc import Iterable, Mapping
from functools import cached_property
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
from aesfit.store.files import beside

from .code_sizes import symbol_sizes
from .products import logarithms

SOURCES: Final = {path.stem: path for path in beside(__file__, "shapes*.c")}
WAYS: Final = ("mul", "table", "logs")
"""How a product is made: by a function that is called, by one of six tables, by logarithms."""
_MIXED: Final = ("sampled", "four_sampled", "turned")
PLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    "KeyExpansion": ("keys_working", "keys_standard"),
    "AddRoundKey": ("add_sampled", "add_four", "add_bytes"),
    "SubBytes": ("sub_sampled", "sub_four", "sub_bytes"),
    "ShiftRows": ("shift_sampled", "shift_both", "shift_branched", "shift_stepped"),
    "MixColumns": tuple(f"mix_{way}_{shape}" for way in WAYS for shape in _MIXED),
    "InvMixColumns": tuple(f"inv_mix_{way}_{shape}" for way in WAYS for shape in _MIXED),
}
"""Shapes before optimisation, by function."""
OPTIMISED: Final[Mapping[str, tuple[str, ...]]] = {
    "KeyExpansion": ("keys_written",),
    "AddRoundKey": ("add_written", "add_whole"),
    "SubBytes": ("sub_written", "sub_whole"),
    "ShiftRows": ("shift_written", "shift_whole"),
    "InvShiftRows": ("shift_inv_written", "shift_inv_whole"),
    "MixColumns": tuple(f"mix_{way}_{form}" for way in WAYS for form in ("written", "whole")),
    "InvMixColumns": tuple(
        f"inv_mix_{way}_{form}" for way in WAYS for form in ("written", "whole")
    ),
}
"""Shapes after it."""


COLUMNS: Final = 4
"""BC of a block of 128 bits."""
_ROW: Final = 8
"""Bytes of a row of the state."""
_ROOT: Final = "shapes_named"


def source() -> str:
    """The text of every shape."""
    order = ("shapes", "shapes_mix", "shapes_keys")
    return "\n".join(SOURCES[name].read_text(encoding="utf-8") for name in order)


def sizes(platform: Platform) -> dict[str, int]:
    """Bytes of each shape, by the platform's compiler and flags."""
    return symbol_sizes(build.compile_object(platform, source()))


def _product(a: int, x: int) -> int:
    """In the field of FIPS 197, 4.2."""
    total = 0
    while a:
        total ^= x if a & 1 else 0
        a, x = a >> 1, x << 1 ^ (0x11B if x & 0x80 else 0)
    return total


def constants() -> str:
    """The tables and the mul() that the shapes use, as C: mul() adds logarithms to the base 03."""
    power, log = logarithms()
    rcon = [1]
    while len(rcon) < 30:
        rcon.append(_product(2, rcon[-1]))
    by = (2, 3, 0x9, 0xB, 0xD, 0xE)
    products = ",".join(f"{{{_numbers(_product(one, x) for x in range(256))}}}" for one in by)
    return "\n".join((
        f"const uint8_t shapes_power[255] = {{{_numbers(power)}}};",
        f"const uint8_t shapes_log[256] = {{{_numbers(log)}}};",
        f"const uint8_t shapes_sbox[256] = {{{_numbers(sbox())}}};",
        f"const uint32_t shapes_rcon[30] = {{{_numbers(rcon)}}};",
        f"const uint8_t shapes_products[6][256] = {{{products}}};",
        "uint8_t __attribute__((noinline)) shapes_mul(uint8_t a, uint8_t b) { return a && b ? "
        "shapes_power[(shapes_log[a] + shapes_log[b]) % 255] : 0; }",
    ))  # fmt: skip


def _numbers(some: Iterable[int]) -> str:
    return ",".join(map(str, some))


def by_rows(block: bytes) -> bytes:
    """A block as the state of the shapes."""
    rows = bytearray(4 * _ROW)
    for at, byte in enumerate(block):
        rows[_ROW * (at % 4) + at // 4] = byte
    return bytes(rows)


def by_columns(rows: bytes) -> bytes:
    """The block in a state of the shapes."""
    return bytes(rows[_ROW * (at % 4) + at // 4] for at in range(4 * COLUMNS))


class ShapesRun:
    """Shapes compiled for an emulated platform."""

    def __init__(self, platform: Platform, shapes: Iterable[str]) -> None:
        """Compile them, with a root that holds those to be run in the image."""
        self._platform = platform
        kept = ", ".join(f"(const void *){name}" for name in shapes)
        root = (
            f"__attribute__((externally_visible)) const void *{_ROOT}(unsigned n)"
            f"{{ static const void *const every[] = {{{kept}}}; return every[n]; }}"
        )
        self._object = build.compile_object(platform, "\n".join((source(), constants(), root)))

    @cached_property
    def _machine(self) -> Machine:
        with function_in(self._platform, [self._object], _ROOT) as found:
            return Machine(found.image, self._platform)

    @cached_property
    def _at(self) -> tuple[int, int]:
        """Places of a state, and of a round key or the S-box."""
        return self._machine.reserve(4 * _ROW), self._machine.reserve(256)

    def run(self, shape: str, block: bytes, key: bytes) -> tuple[int, bytes]:
        """Cycles of one call with the state of that block, and the block that it leaves."""
        state, beside_it = self._at
        kind = shape.partition("_")[0]
        self._machine.write(state, by_rows(block))
        self._machine.write(beside_it, bytes(sbox()) if kind == "sub" else by_rows(key))
        more: tuple[int, ...] = (COLUMNS,)
        if kind in ("add", "sub"):
            more = (beside_it, COLUMNS)
        elif shape in ("shift_both", "shift_branched"):
            more = (0, COLUMNS)
        seen = self._machine.call(shape, state, *more)
        left = by_columns(self._machine.read(state, 4 * _ROW))
        decoded = decode_blocks(self._machine.code, seen.profile.blocks, self._platform.isa)
        model = timing_model(self._platform)
        return cycles(model, seen.profile, decoded, Placement(0)), left
