# SPDX-License-Identifier: MIT
"""MixColumns and its inverse with products from tables, by logarithms and by shifts (products.c).

Each is run separately on an emulated platform and priced by its timing model.  Code sizes are those
of the object's symbols, without tables and called functions, on any platform with a compiler.
"""

from functools import cached_property
from pathlib import Path
from typing import Final

from aesfit.building import build
from aesfit.counting.foreign import function_in
from aesfit.jobs.job import Placement
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles

from .code_sizes import symbol_sizes

SOURCE: Final = Path(__file__).with_name("products.c")
WAYS: Final = ("table", "logs", "shifts")
"""How a product is computed."""
MIX, INV_MIX = "mix", "inv_mix"
_ROOT = "products_named"
_STATE_BYTES: Final = 32
"""Bytes of a state by rows, and of the scratch space after it."""


def logarithms() -> tuple[list[int], list[int]]:
    """Powers of 03, the smallest generator, and logarithms to that base (0 for 0)."""
    power = [1]
    while len(power) < 255:
        last = power[-1]
        power.append(last ^ last << 1 ^ (0x11B if last & 0x80 else 0))
    return power, [power.index(x) if x else 0 for x in range(256)]


def _tables() -> str:
    """Both as C."""
    power, log = logarithms()
    return "#include <stdint.h>\n" + "".join(
        f"static const uint8_t products_{name}[] = {{{', '.join(map(str, numbers))}}};\n"
        for name, numbers in (("power", power), ("log", log))
    )


class Products:
    """All forms, compiled with the platform's compiler and flags."""

    def __init__(self, platform: Platform) -> None:
        """Compile them."""
        self.platform = platform
        text = _tables() + SOURCE.read_text(encoding="utf-8")
        self._object = build.compile_object(platform, text)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Code bytes of each function."""
        return symbol_sizes(self._object)

    @cached_property
    def _machine(self) -> Machine:
        with function_in(self.platform, [self._object], _ROOT) as found:
            return Machine(found.image, self.platform)

    @cached_property
    def _at(self) -> int:
        return self._machine.reserve(_STATE_BYTES)

    def run(self, way: str, form: str, step: str, block: bytes) -> tuple[int, bytes]:
        """Cycles of one call, and the block that it leaves; both by columns."""
        self._machine.write(self._at, _turned(block))
        seen = self._machine.call(f"{way}_{form}_{step}", self._at)
        left = _turned(self._machine.read(self._at, len(block)))
        code, isa = self._machine.code, self.platform.isa
        instructions = decode_blocks(code, seen.profile.blocks, isa)
        model = timing_model(self.platform)
        return cycles(model, seen.profile, instructions, Placement(0)), left


def _turned(block: bytes) -> bytes:
    """Convert columns to rows, or back."""
    return bytes(block[4 * column + row] for row in range(4) for column in range(4))
