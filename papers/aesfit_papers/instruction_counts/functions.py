# SPDX-License-Identifier: MIT
"""Cycles and code bytes of each step of the bytewise family, as in table 2 of Doomun et al.

The core is built with each step as a separate function, and run.  Every path of the profile belongs
to the function that holds its block, and the timing model prices the paths of each step separately;
a call belongs to its caller, a return to the called function.  A function called by one step only
(such as a division) belongs to that step.  All else is the frame: the loop over the rounds, moving
the block in and out, wiping.  So the rows of a window add up to the cost of the whole window.

Code bytes are those of the symbols that were reached, constants of their own (ARM literal pools)
included, tables and padding left out.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from aesfit.rigs.profile import NONE, Execution, Profile

from .block_run import STEPS_APART, BlockQuestion, BlockRun, run
from .operation_model import Direction
from .operations import times

Window = Literal["key-setup", "encrypt", "decrypt"]
FAMILY: Final = ("bytewise", "bytewise_alt1", "bytewise_alt2", "bytewise_unrolled")
FRAME: Final = "frame"
SYMBOLS: Final = {
    "key_expansion": "KeyExpansion",
    "add_round_key": "AddRoundKey",
    "sub_bytes": "SubBytes",
    "shift_rows": "ShiftRows",
    "mix_columns": "MixColumns",
    "inv_sub_bytes": "InvSubBytes",
    "inv_shift_rows": "InvShiftRows",
    "inv_mix_columns": "InvMixColumns",
}
"""Steps in the order of the paper's table 2."""
FORMS: Final = ("plain", "unrolled")
PUBLISHED: Final[dict[str, dict[str, int]]] = {
    "bytewise": {
        "KeyExpansion": 1016,
        "AddRoundKey": 139,
        **dict.fromkeys(("SubBytes", "InvSubBytes"), 142),
        **dict.fromkeys(("ShiftRows", "InvShiftRows"), 479),
        "MixColumns": 277,
        "InvMixColumns": 317,
    },
    "bytewise_unrolled": {
        "KeyExpansion": 1703,
        "AddRoundKey": 443,
        **dict.fromkeys(("SubBytes", "InvSubBytes"), 476),
        "ShiftRows": 583,
        "InvShiftRows": 572,
        "MixColumns": 2533,
        "InvMixColumns": 3374,
    },
}
"""Bytes of table 2, on a Pentium 4, by an unnamed compiler."""


@dataclass(frozen=True)
class StepShare:
    """One step in one window, or the frame around the steps."""

    window: Window
    name: str
    """Its name in FIPS 197, or "frame"."""
    form: str
    """"plain" or "unrolled"; empty for the frame."""
    symbols: tuple[str, ...]
    """The functions of the program that were executed for it."""
    calls: int
    instructions: int
    cycles: int
    code_bytes: int
    paper_bytes: int | None
    """Code bytes of the paper's table 2, where it has this step in this form."""


@dataclass(frozen=True)
class Total:
    """A whole window: with separate steps, and as shipped."""

    window: Window
    cycles: int
    instructions: int
    code_bytes: int
    inlined_cycles: int
    inlined_instructions: int
    inlined_code_bytes: int
    """Cycles with the same flags but free inlining."""
    left_apart: tuple[str, ...]
    """Steps that the compiler nevertheless left as separate functions."""


@dataclass(frozen=True)
class Split:
    """All windows: rows in the order of the paper's table 2, the frame last."""

    functions: tuple[StepShare, ...]
    totals: tuple[Total, ...]


def split(asked: BlockQuestion) -> Split:
    """Split key set-up, encryption and decryption; ValueError for a core without such steps."""
    if asked.core not in FAMILY:
        raise ValueError(f"{asked.core} has no separate steps; {', '.join(FAMILY)} have")
    functions: list[StepShare] = []
    totals: list[Total] = []
    directions: tuple[Direction, ...] = ("encrypt", "decrypt")
    for direction in directions:
        apart, shipped = run(asked, direction, (STEPS_APART,)), run(asked, direction)
        windows: tuple[Window, ...] = (direction,)
        for window in ("key-setup", *windows) if direction == "encrypt" else windows:
            here, there = _Window(apart, window), _Window(shipped, window)
            functions += here.rows()
            totals.append(_total(here, there))
    return Split(tuple(functions), tuple(totals))


@dataclass(frozen=True)
class _Symbol:
    start: int
    end: int
    name: str

    @property
    def step(self) -> tuple[str, str]:
        """Name and form of the step; two empty strings if it is not a step."""
        form, _, rest = self.name.partition(".")[0].partition("_")
        known = form in FORMS and rest in SYMBOLS
        return (SYMBOLS[rest], form) if known else ("", "")


class _Window:
    """One execution, split by functions."""

    def __init__(self, ran: BlockRun, name: Window) -> None:
        self.ran, self.name = ran, name
        self.execution: Execution = ran.setup if name == "key-setup" else ran.block
        self._symbols = _functions(ran.image.elf)
        self._starts = [one.start for one in self._symbols]

    def at(self, address: int) -> _Symbol:
        """The function that contains the address."""
        found = self._symbols[bisect_right(self._starts, address) - 1]
        if not found.start <= address < found.end:
            raise RuntimeError(f"the code at {address:#x} lies in no function of the image")
        return found

    @cached_property
    def reached(self) -> tuple[_Symbol, ...]:
        """Every function that was executed: steps in the order of SYMBOLS, then the others."""
        found = {self.at(block.address) for block in self.execution.profile.blocks}
        order = [*SYMBOLS.values(), ""]
        return tuple(
            sorted(found, key=lambda one: (order.index(one.step[0]), *one.step, one.start))
        )

    @cached_property
    def calls(self) -> Mapping[_Symbol, Mapping[_Symbol | None, int]]:
        """How often each function was entered, by the calling function."""
        profile = self.execution.profile
        found: dict[_Symbol, dict[_Symbol | None, int]] = {one: {} for one in self.reached}
        for (_, last, this, _), number in profile.paths.items():
            here = self.at(profile.blocks[this].address)
            before = None if last == NONE else self.at(profile.blocks[last].address)
            if profile.blocks[this].address == here.start and before != here:
                found[here][before] = found[here].get(before, 0) + number
        return found

    def owner(self, symbol: _Symbol) -> tuple[str, str]:
        """The step that the function belongs to; two empty strings for the frame."""
        if symbol.step[0]:
            return symbol.step
        owners = {("", "") if one is None else self.owner(one) for one in self.calls[symbol]}
        return owners.pop() if len(owners) == 1 else ("", "")

    def rows(self) -> list[StepShare]:
        """A row for each executed step, and for the frame."""
        owned: dict[tuple[str, str], list[_Symbol]] = {}
        for symbol in self.reached:
            owned.setdefault(self.owner(symbol), []).append(symbol)
        frame = owned.pop(("", ""))
        return [self._row(*one, symbols) for one, symbols in (*owned.items(), (("", ""), frame))]

    def _row(self, name: str, form: str, symbols: list[_Symbol]) -> StepShare:
        inside = set(symbols)
        part = _part(self.execution.profile, lambda address: self.at(address) in inside)
        entered = sum(self.calls[symbols[0]].values()) if name else 1
        return StepShare(
            window=self.name,
            name=name or FRAME,
            form=form,
            symbols=tuple(one.name for one in symbols),
            calls=entered,
            instructions=times(part, self.ran.instructions).total(),
            cycles=self.ran.cycles(part),
            code_bytes=sum(one.end - one.start for one in symbols),
            paper_bytes=PUBLISHED.get(self.ran.job.core, {}).get(name),
        )

    @property
    def cycles(self) -> int:
        """Cycles of the whole window, priced at once."""
        return self.ran.cycles(self.execution.profile)

    @property
    def code_bytes(self) -> int:
        """Cycles of every executed function."""
        return sum(one.end - one.start for one in self.reached)


def _total(apart: _Window, shipped: _Window) -> Total:
    return Total(
        window=apart.name,
        cycles=apart.cycles,
        instructions=apart.execution.instructions,
        code_bytes=apart.code_bytes,
        inlined_cycles=shipped.cycles,
        inlined_instructions=shipped.execution.instructions,
        inlined_code_bytes=shipped.code_bytes,
        left_apart=tuple(one.step[0] for one in shipped.reached if one.step[0]),
    )


def _part(profile: Profile, inside: Callable[[int], bool]) -> Profile:
    """The part of a profile inside a function: its paths, operands and accesses.

    Accesses outside are kept as empty: rules need the memory accessed by the instruction before.
    """
    return replace(
        profile,
        paths={p: n for p, n in profile.paths.items() if inside(profile.blocks[p[2]].address)},
        operands={at: n for at, n in profile.operands.items() if inside(at[0])},
        accesses={at: n if inside(at[0]) else 0 for at, n in profile.accesses.items()},
        unaligned={at: n for at, n in profile.unaligned.items() if inside(at[0])},
    )


def _functions(elf: Path) -> list[_Symbol]:
    """Functions of an image by address; of several names for an address the library's own.

    A function without a size, in assembly, ends where the next one begins.
    """
    with elf.open("rb") as stream:
        tables = [s for s in ELFFile(stream).iter_sections() if isinstance(s, SymbolTableSection)]
        known = [
            (one["st_value"] & ~1, one["st_size"], one.name)
            for table in tables
            for one in table.iter_symbols()
            if one["st_info"]["type"] == "STT_FUNC" and one["st_shndx"] != "SHN_UNDEF"
        ]
    found: dict[int, tuple[int, str]] = {}
    for start, size, name in sorted(known, key=lambda one: (one[0], one[2].startswith("rig_"))):
        found.setdefault(start, (size, name))
    following = [*sorted(found), max(start + size for start, size, _ in known)]
    return [
        _Symbol(start, start + found[start][0] if found[start][0] else following[at + 1], name)
        for at, (start, (_, name)) in enumerate(sorted(found.items()))
    ]
