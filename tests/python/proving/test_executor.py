# SPDX-License-Identifier: MIT
"""What functions may not do, and what may not depend on a secret: a few instructions each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from images import needs_prover

if TYPE_CHECKING:
    from aesfit.proving.findings import Finding

pytestmark = needs_prover

ZERO, RA, SP, S0, A0, A1, T0 = 0, 1, 2, 8, 10, 11, 5
START, BUFFER = 0x1000, 0x6000_0000
RETURN = 0x0000_8067


def immediate(opcode: int, kind: int, to: int, base: int, value: int) -> int:
    """I-type (RISC-V unprivileged specification, 2.2)."""
    return (value & 0xFFF) << 20 | base << 15 | kind << 12 | to << 7 | opcode


def registers(kind: int, to: int, a: int, b: int, funct7: int = 0) -> int:
    """R-type."""
    return funct7 << 25 | b << 20 | a << 15 | kind << 12 | to << 7 | 0x33


def load(to: int, base: int, offset: int) -> int:
    return immediate(0x03, 2, to, base, offset)


def store(value: int, base: int, offset: int) -> int:
    high, low = (offset & 0xFFF) >> 5, offset & 0x1F
    return high << 25 | value << 20 | base << 15 | 2 << 12 | low << 7 | 0x23


def found(code: Sequence[int]) -> list["Finding"]:
    """What a function of RV32IM does; a0 points at a word, which is secret, and a1 is 4."""
    from aesfit.platforms.find import platform_named
    from aesfit.proving.calls import stack_of
    from aesfit.proving.code import Code
    from aesfit.proving.executor import Executor
    from aesfit.proving.image import ProofImage
    from aesfit.proving.known_bits import KnownBits, secret
    from aesfit.proving.state import Extent
    from aesfit.proving.variable_time import timed_on

    data = b"".join(word.to_bytes(4, "little") for word in (*code, RETURN))
    image = ProofImage("rv32im", ((START, data),), {}, (), ())
    timed = timed_on(platform_named("rv32im-e31"), image)
    executor = Executor(Code(image), KnownBits(), stack=stack_of(image), timed=timed)
    state = executor.fresh()
    buffer = Extent(BUFFER + 0x10000000, 8)
    state.memory.write(buffer.start, 4, secret(32))
    state.memory.write(buffer.start + 4, 4, 7)
    executor.call(state, START, (buffer.start, 4), (buffer,), lambda name: 0x5A00)
    return list(executor.found.values())


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("branch", [load(T0, A0, 0), T0 << 15 | 1 << 12 | 2 << 8 | 0x63]),
        ("load address", [load(T0, A0, 0), load(T0, T0, 0)]),
        ("shift count", [load(T0, A0, 0), registers(1, T0, A1, T0)]),
        ("variable time", [load(T0, A0, 0), registers(5, T0, A1, T0, 1)]),
        ("access below the stack pointer", [store(A1, SP, -4)]),
        ("unaligned access", [load(T0, A0, 1)]),
        ("register not preserved", [immediate(0x13, 0, S0, ZERO, 1)]),
    ],
)
def test_it_is_found(kind: str, code: list[int]) -> None:
    assert [one.kind for one in found(code)] == [kind]


@pytest.mark.parametrize(
    "code",
    [
        [load(T0, A0, 0), registers(0, T0, T0, T0), registers(4, T0, T0, A1)],
        [load(T0, A0, 4), registers(1, T0, A1, T0), load(T0, A0, 0)],
        [immediate(0x13, 0, SP, SP, -16), store(S0, SP, 12), load(S0, SP, 12),
         immediate(0x13, 0, SP, SP, 16)],
        [load(T0, A0, 0), store(T0, A0, 4), registers(0, T0, T0, T0, 1)],
        [immediate(0x13, 0, SP, SP, -16), load(T0, SP, 12), immediate(0x13, 0, SP, SP, 16)],
    ],
)  # fmt: skip
def test_what_is_allowed_is_not_found(code: list[int]) -> None:
    assert found(code) == []


@pytest.mark.parametrize(
    ("why", "code"),
    [
        ("that nobody wrote", [load(T0, SP, -16), registers(0, T0, T0, T0)]),
        ("that nobody wrote", [registers(0, T0, T0, T0)]),
        ("not its own", [store(A1, SP, 4)]),
        ("not its own", [store(A1, A0, 8)]),
        ("not its own", [immediate(0x13, 0, T0, ZERO, 0x400), registers(1, T0, T0, A1),
                         store(A1, T0, -0x400)]),
        ("address that is secret", [load(T0, A0, 0), store(A1, T0, 0)]),
        ("no code", [immediate(0x67, 0, ZERO, A1, 0)]),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(why: str, code: list[int]) -> None:
    from aesfit.proving.findings import StuckError

    with pytest.raises(StuckError, match=why):
        found(code)
