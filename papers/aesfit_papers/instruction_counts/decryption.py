# SPDX-License-Identifier: MIT
"""Straightforward and equivalent decryption from the same steps, run and priced (decryption.c).

The steps are those of the core `equivalent_inverse`; the straightforward form takes them in the
order of FIPS 197, 5.3, with the round keys of encryption; the equivalent form takes them in the
order of 5.3.5, with its own round keys.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from aesfit.building import build
from aesfit.building.unit import unit_source
from aesfit.counting.foreign import function_in
from aesfit.jobs.job import Job, Placement
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.profile import Execution

from .code_sizes import symbol_sizes

SOURCE: Final = Path(__file__).with_name("decryption.c")
CORE: Final = "equivalent_inverse"
Method = Literal["straight", "equivalent"]
METHODS: Final[tuple[Method, ...]] = ("straight", "equivalent")
KEY_BYTES: Final = {"straight": 176, "equivalent": 352}
"""Round keys of 128 bits for both directions."""
_CONTEXT_BYTES = 512
"""Room for a key of either kind."""
_ROOT = "decryption_named"


@dataclass(frozen=True)
class Decrypted:
    """One key expansion for both directions, and one block."""

    expansion: int
    """Cycles."""
    block: int
    """Cycles."""
    text: bytes
    schedule: bytes
    """Round keys in their memory layout."""


class Decryption:
    """Both methods, compiled with the platform's compiler and flags."""

    def __init__(self, platform: Platform) -> None:
        """Compile and load them."""
        self.platform = platform
        unit = unit_source(Job(platform, CORE, 128, "decrypt-block"))
        text = f"{unit}{SOURCE.read_text(encoding='utf-8')}"
        made = build.compile_object(platform, text)
        self.sizes = symbol_sizes(made)
        with function_in(platform, [made], _ROOT) as found:
            self._machine = Machine(found.image, platform)

    def run(self, method: Method, key: bytes, block: bytes) -> Decrypted:
        """Expand the key and decrypt one block."""
        machine = self._machine
        machine.release()
        context, out = machine.reserve(_CONTEXT_BYTES), machine.reserve(len(block))
        key_at, text_at = machine.reserve(len(key)), machine.reserve(len(block))
        machine.write(key_at, key)
        machine.write(text_at, block)
        expansion = machine.call(f"{method}_expand_key", context, key_at)
        decrypted = machine.call(f"{method}_decrypt", context, out, text_at, 1)
        start = machine.call("schedule_of", context).result
        return Decrypted(
            self._priced(expansion),
            self._priced(decrypted),
            machine.read(out, len(block)),
            machine.read(start, KEY_BYTES[method]),
        )

    def _priced(self, seen: Execution) -> int:
        isa = self.platform.isa
        instructions = decode_blocks(self._machine.code, seen.profile.blocks, isa)
        return cycles(timing_model(self.platform), seen.profile, instructions, Placement(0))
