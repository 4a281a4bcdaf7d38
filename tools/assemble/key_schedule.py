# SPDX-License-Identifier: MIT
"""Functions that expand keys with the S-box in a table (FIPS 197, 5.2), one for each size of key.

The rounds of a core in assembly take so few cycles that the compiler's key expansion, whose columns
go through memory and whose loop asks for the size of the key, costs half a block.  Here nothing
loops, so that round constants are immediates.  Column i - Nk stays in a register until it becomes
column i; ARMv6-M has registers for 128-bit keys alone, and loads the others' columns again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from . import c_text

SIZES: Final = {128: 4, 192: 6, 256: 8}
"""Columns of a key, Nk, by its bits."""
CONSTANTS: Final = (0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36)
"""Rcon of FIPS 197."""
ROTATED: Final = (1, 2, 3, 0)
"""RotWord: byte i of its result is this one."""
NAKED: Final = """\
/* Writes the schedule of a key.  $BYTES bytes of code; $STACK bytes of stack. */
$LINKAGE void $NAME(uint32_t *w AESFIT_ARGUMENT,
$INDENT const uint8_t *box AESFIT_ARGUMENT,
$INDENT const uint8_t *key AESFIT_ARGUMENT)
{
$BODY
}
"""
INLINED: Final = """\
/* Writes the schedule of a key.  $BYTES bytes of code; $STACK bytes of stack. */
AESFIT_INLINE void $NAME(uint32_t *w, const uint8_t *box, const uint8_t *key)
{
    register uint32_t *r0 __asm__("r0") = w;
    register const uint8_t *r1 __asm__("r1") = box;
    register const uint8_t *r2 __asm__("r2") = key;
    __asm__ volatile($BODY
                     : "+r"(r0), "+r"(r1), "+r"(r2)
                     :
                     : "r3", "r12", "cc", "memory");
}
"""
"""As in lookups_text.py, which says why."""


class Writer(ABC):
    """The lines of a function for a key of `nk` columns."""

    def __init__(self, nk: int) -> None:
        """With nothing in it."""
        self.nk = nk
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        """Lines as they are."""
        self.lines += lines

    @abstractmethod
    def write(self) -> int:
        """Everything; the bytes of stack."""

    def groups(self) -> list[tuple[int, int]]:
        """The columns that are computed one from the other, up to four: first and number."""
        end, step = 4 * (self.nk + 7), 4 if self.nk == 8 else self.nk
        return [(first, min(step, end - first)) for first in range(self.nk, end, step)]

    def places(self, first: int) -> tuple[int, ...]:
        """Which byte of the column before goes where."""
        return (0, 1, 2, 3) if first % self.nk else ROTATED

    def constant(self, first: int) -> int:
        """Added to byte 0 of a column; 0: none is."""
        return 0 if first % self.nk else CONSTANTS[first // self.nk - 1]


class Held(Writer):
    """For registers enough: column i is in register i modulo Nk."""

    columns: Sequence[str]
    free: Sequence[str]
    """For four bytes."""

    def of(self, column: int) -> str:
        """The register of a column."""
        return self.columns[column % self.nk]

    def expand(self, key: str) -> None:
        """Stores stand between the loads of the next group and what is made of them."""
        numbers = range(self.nk)
        for at in sorted(numbers, key=lambda at: self.of(at) == key):  # its address goes last
            self.add(self.load(self.of(at), key, 4 * at))
        late = [self.store(self.of(at), 4 * at) for at in numbers]
        self.add(*late)
        late = []
        for first, count in self.groups():
            self.substitute(self.of(first), self.of(first - 1), first, late)
            for column in range(first + 1, first + count):
                self.add(self.sum(self.of(column), self.of(column - 1)))
            late = [self.store(self.of(at), 4 * at) for at in range(first, first + count)]
        self.add(*late)

    @abstractmethod
    def substitute(self, into: str, of: str, first: int, late: Sequence[str]) -> None:
        """Adds the four bytes, substituted, and the constant, with stores behind the loads."""

    @abstractmethod
    def sum(self, into: str, other: str) -> str:
        """The instruction that adds a register to another."""

    @abstractmethod
    def load(self, register: str, address: str, offset: int) -> str:
        """The instruction that loads a word."""

    @abstractmethod
    def store(self, register: str, offset: int) -> str:
        """The instruction that stores a column."""


class Armv7m(Held):
    """r0 schedule, r1 S-box, r2 key; of loads in a row each but the first takes one cycle."""

    def write(self) -> int:
        """Saves what a function preserves of its registers."""
        registers = [*(f"r{i}" for i in range(2, 12)), "lr"]
        used = registers[: self.nk + 3]
        self.columns, self.free = used[: self.nk], [*used[self.nk :], "r12"]
        saved = ", ".join(used[2:])
        self.add(".balign 4", f"push.w {{{saved}}}")
        self.expand("r2")
        self.add(f"pop.w {{{saved}}}")
        return 4 * len(used[2:])

    def substitute(self, into: str, of: str, first: int, late: Sequence[str]) -> None:
        """The shifts are part of the sums."""
        places, constant = self.places(first), self.constant(first)
        for reg, place in zip(self.free, places, strict=True):
            self.add(f"ubfx {reg}, {of}, #{8 * place}, #8")
        self.add(*(f"ldrb.w {reg}, [r1, {reg}]" for reg in self.free), *late)
        self.add(*[f"eor.w {into}, {into}, #{constant}"] * bool(constant))
        for at, reg in enumerate(self.free):
            self.add(f"eor.w {into}, {into}, {reg}" + f", lsl #{8 * at}" * bool(at))

    def sum(self, into: str, other: str) -> str:
        """Of 32 bits."""
        return f"eor.w {into}, {into}, {other}"

    def load(self, register: str, address: str, offset: int) -> str:
        """Of 32 bits."""
        return f"ldr.w {register}, [{address}, #{offset}]"

    def store(self, register: str, offset: int) -> str:
        """Of 32 bits."""
        return f"str.w {register}, [r0, #{offset}]"


class Rv32(Held):
    """a0 schedule, a1 S-box, a2 key; no function need preserve any of these registers."""

    def write(self) -> int:
        """Needs no frame."""
        registers = [f"a{i}" for i in range(2, 8)] + [f"t{i}" for i in range(7)]
        self.columns, self.free = registers[: self.nk], registers[self.nk :][:4]
        self.expand("a2")
        self.add("ret")
        return 0

    def substitute(self, into: str, of: str, first: int, late: Sequence[str]) -> None:
        """Nothing reads what the instruction before it loaded or shifted."""
        places, constant = self.places(first), self.constant(first)
        pairs = [*zip(self.free, places, strict=True)]
        self.add(*(f"srli {reg}, {of}, {8 * place}" for reg, place in pairs if place))
        self.add(*(f"andi {reg}, {reg if at else of}, 255" for reg, at in pairs if at != 3))
        self.add(*(f"add {reg}, {reg}, a1" for reg in self.free))
        self.add(*(f"lbu {reg}, 0({reg})" for reg in self.free), *late)
        self.add(*[f"xori {into}, {into}, {constant}"] * bool(constant))
        self.add(*(f"slli {reg}, {reg}, {8 * at}" for at, reg in enumerate(self.free) if at))
        self.add(*(self.sum(into, reg) for reg in self.free))

    def sum(self, into: str, other: str) -> str:
        """No operand is shifted."""
        return f"xor {into}, {into}, {other}"

    def load(self, register: str, address: str, offset: int) -> str:
        """Of a word."""
        return f"lw {register}, {offset}({address})"

    def store(self, register: str, offset: int) -> str:
        """Of a word."""
        return f"sw {register}, {offset}(a0)"


class Armv6m(Writer):
    """r0 schedule, r1 S-box, r2 key; r2 to r5 columns; r6 collects a substituted one."""

    def write(self) -> int:
        """r7 is a temporary, and with longer keys where columns are stored."""
        held = self.nk == 4
        self.add(".syntax unified", "push {r4-r7}")
        if held:
            self.add("ldmia r2, {r2-r5}", "stmia r0!, {r2-r5}")
        else:
            rest = "r2-r5" if self.nk == 8 else "r4, r5"
            self.add("mov r7, r0", "mov r6, r2", "ldmia r6!, {r2-r5}", "stmia r7!, {r2-r5}")
            self.add(f"ldmia r6!, {{{rest}}}", f"stmia r7!, {{{rest}}}")
        for first, count in self.groups():
            self.substitute(first, "r7" if held else "r4")
            self.chain(range(2, 6), "r6", count, held=held)
            if count > 4:
                self.chain(range(4, 6), "r5", 2, held=held)
        self.add("pop {r4-r7}")
        return 16

    def chain(self, numbers: Sequence[int], before: str, count: int, *, held: bool) -> None:
        """Columns from those that stand Nk before them, the last of them in r5."""
        columns = [f"r{i}" for i in numbers][:count]
        inside, to = f"{{{', '.join(columns)}}}", "r0" if held else "r7"
        if before == columns[-1]:  # it is needed behind the load
            self.add(f"mov r6, {before}")
            before = "r6"
        self.add(*[f"ldmia r0!, {inside}"] * (not held))
        for reg in columns:
            self.add(f"eors {reg}, {before}")
            before = reg
        self.add(f"stmia {to}!, {inside}")

    def substitute(self, first: int, spare: str) -> None:
        """r6: the bytes from the highest to the lowest, each of which moves up the others."""
        for at, place in reversed([*enumerate(self.places(first))]):
            reg = "r6" if at == 3 else spare
            self.add(*[f"lsrs {reg}, r5, #{8 * place}"] * bool(place))
            self.add(*[f"uxtb {reg}, {reg if place else 'r5'}"] * (place != 3))
            self.add(f"ldrb {reg}, [r1, {reg}]")
            if at < 3:
                self.add("lsls r6, r6, #8", f"eors r6, {reg}")
        if constant := self.constant(first):
            self.add(f"movs {spare}, #{constant}", f"eors r6, {spare}")


def inlined(core: str, writer: Callable[[int], Writer], size: int) -> list[str]:
    """The functions in C, on ARM; `size`: the bytes of each instruction."""
    made = []
    for bits, nk in SIZES.items():
        text = writer(nk)
        facts = {
            "$STACK": str(text.write()),
            "$BYTES": str(size * len(c_text.instructions(text.lines))),
            "$NAME": f"{core}_expand_{bits}",
            "$BODY": "\n                     ".join(f'"{line}\\n\\t"' for line in text.lines),
        }
        made.append(c_text.filled(INLINED, facts))
    return made


def naked(core: str, before: Sequence[str], behind: Sequence[str]) -> list[str]:
    """The functions in C, for RV32."""
    made = []
    for bits, nk in SIZES.items():
        text = Rv32(nk)
        stack = text.write()
        code = 4 * len(c_text.instructions(text.lines))
        function = c_text.Function(
            core, f"expand_{bits}", text.lines, code, stack,
            before=before, behind=behind, template=NAKED,
        )  # fmt: skip
        made.append(function.text().replace("_blocks", ""))
    return made
