# SPDX-License-Identifier: MIT
"""Images of x86-64 that can be proved: freestanding ones, built as a microcontroller's are.

What this computer's rig times is the library as it is installed, which chooses its code by the
processor's features when it runs.  The image here is one core, bound when it is compiled, with the
platform's compiler and flags, at addresses of our choice.
"""

from dataclasses import replace

from ..platforms.memory import ideal_memories
from ..platforms.platform import Platform

ISA = "x86-64"
NOT_FOLLOWED = ("hexagon", "rv32imb")
"""Instruction sets of emulated platforms that SLEIGH does not know whole: it names bit manipulation
of RISC-V and does not say what it computes."""
_STATIC = "-static"
"""At fixed addresses, whatever the compiler does by default."""


def followed(platform: Platform) -> Platform:
    """The platform with memories where its images are linked; others have theirs."""
    if platform.isa != ISA or platform.memories:
        return platform
    compiler = replace(platform.compiler, target=(*platform.compiler.target, _STATIC))
    return replace(platform, memories=ideal_memories(ISA, "flash"), compiler=compiler)
