# SPDX-License-Identifier: MIT
"""Sections 4.1 to 4.6: the optimisations of the final implementation, one by one.

The paper lists them in this order, says of each that it makes the code faster or moves less data,
and measures none by itself: products from a table, SubBytes fused with ShiftRows, SubBytes fused
with MixColumns, 32-bit types, local buffers, a single key size, inlining, and the state in
registers.

Ours: AES byte by byte (bytes.c) with a switch for each of them, on an ARM7TDMI at four optimisation
levels and on three other ARM processors at -O2.  Each step is switched on alone, added to the ones
before it in the paper's order, and left out of all; the state in registers replaces the other
steps' code, and so is only added last.  Every variation passes the examples of FIPS 197 in both
directions before it is measured.  Claims are judged alone and accumulated, on encryption, which the
paper says it focuses on; what is left out, and decryption, stand beside.

What differs: the paper gives no code.  What local buffers and 32-bit types mean is taken from the
code that it starts from, Gladman's, on which 32-bit types are judged (`mobile_gladman_types`); here
they are shown.  That code has three lists of 256 bytes as the paper has tables, but a compiler
makes eight tables of them: one table of 2 x is read here, and six tables of products stand beside.
"""

from collections.abc import Sequence
from dataclasses import replace

from aesfit.building import build
from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit_papers.file_bench import javed
from aesfit_papers.instruction_counts.variations import REGISTERS
from aesfit_papers.judging import mobile_steps
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Figure, Measured, Pair, Part, ResultTable, Row
from aesfit_papers.judging.mobile import PLATFORMS, level
from aesfit_papers.judging.mobile_steps import (
    ADDED,
    ALONE,
    CORE,
    NONE,
    PLACES,
    SIX,
    STEPS,
    TOLD,
    WAYS,
    WITHOUT,
    effects,
    over_v1,
    row_of,
)
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.provenance import rests_on
from aesfit_papers.judging.tables import number

NUMBER = "Sections 4.1 to 4.6"
TITLE = "Each optimisation alone, accumulated, and left out"
COLUMNS = mobile_steps.COLUMNS
FAST = False
_DOUBLE = (("products", ADDED), ("inline", WITHOUT))
"""Ways that are another one again: the first step is added to nothing, the last of those in memory
is left out of what it was added to."""
_PLACE = at(platform=PLATFORMS[0], flags=TOLD)
"""Of tables, the chart and causes."""


def rows(progress: Progress) -> Measured:
    """All variations in all places."""
    return Measured(mobile_steps.measure(progress), tuple(_rests_on(name) for name in PLATFORMS))


def _rests_on(name: str) -> str:
    platform = platform_named(name)
    flags = [level(flags) for where, flags in PLACES if where == name]
    compiler = f"{build.compiler_version(platform)}; {' '.join(platform.compiler.target)}"
    return f"{name}: {compiler}, {' '.join(flags)} in turn; {rests_on(platform)}"


def _judged(rows: Sequence[Row], step: str, column: str) -> dict[ClaimPlace, Pair]:
    """In each of the three ways, once; those left out are shown, and not judged (places.py)."""
    return effects(rows, step, column, [way for way in WAYS if (step, way) not in _DOUBLE])


def _faster(rows: Sequence[Row], step: str) -> dict[ClaimPlace, Pair]:
    return _judged(rows, step, "encrypt")


def _moves(rows: Sequence[Row], step: str) -> dict[ClaimPlace, Pair]:
    return _judged(rows, step, "encrypt_moves")


def _told(rows: Sequence[Row], step: str, column: str, way: str) -> str:
    """What the step changes, in words."""
    pair = effects(rows, step, column, (way,))[_PLACE + way]
    return f"from {number(pair.a)} to {number(pair.b)}"


def claims(rows: Sequence[Row]) -> list[Claim]:
    """In the paper's order."""
    levels = "At -Os V1's loops cost the least beside the final implementation's."
    return [
        Claim("Products read from a table make encryption faster (cycles without the step against "
              "with it).", "order", _faster(rows, "products")),
        *_fused(rows),
        *_local(rows),
        *_one_size(rows),
        *_inline(rows),
        Claim("The state in registers avoids memory moves (moves without the step against with "
              "it).", "order of counts", _moves(rows, REGISTERS)),
        Claim("The state in registers makes encryption faster.", "order",
              _faster(rows, REGISTERS)),
        Claim("The final implementation is more than 3 times as fast as V1, if its products come "
              "from the six tables that a compiler makes of the original's source.", "at least",
              over_v1(rows, SIX), 3, cause="compiler or processor", why=levels),
    ]  # fmt: skip


def _fused(rows: Sequence[Row]) -> list[Claim]:
    """Section 4.2."""
    again = (
        "The fused step reads through one pointer and writes through another, and both may point "
        "to the same bytes: for each byte that it writes, the compiler has to read four bytes and "
        "their S-box entries again, while SubBytes by itself reads each entry once. Local "
        "buffers, which come later in the paper, take that doubt away. With all other steps, "
        f"fusing lowers the moves {_told(rows, 'fused_mix', 'encrypt_moves', WITHOUT)} and the "
        f"cycles {_told(rows, 'fused_mix', 'encrypt', WITHOUT)} ({_PLACE})."
    )
    made: list[Claim] = []
    for step, name, why in (("fused_shift", "ShiftRows", ""), ("fused_mix", "MixColumns", again)):
        made += [
            Claim(f"To fuse SubBytes with {name} eliminates memory moves of encryption.",
                  "order of counts", _moves(rows, step),
                  cause="compiler or processor" if why else "", why=why),
            Claim(f"To fuse SubBytes with {name} makes encryption faster.", "order",
                  _faster(rows, step), cause="compiler or processor" if why else "", why=why),
        ]  # fmt: skip
    return made


def _sides(rows: Sequence[Row]) -> dict[ClaimPlace, float]:
    """Processors on the smaller side of those that local buffers make faster and slower."""
    sides = {}
    for way in WAYS:
        pairs = effects(rows, "local", "encrypt", (way,))
        gains = [pair.ratio > 1 for place, pair in pairs.items() if TOLD in place]
        others = tuple(cells for one in pairs for cells in one.others)
        sides[replace(at(flags=TOLD, way=way).of(step="local"), others=others)] = float(
            min(gains.count(True), gains.count(False))
        )
    return sides


def _local(rows: Sequence[Row]) -> list[Claim]:
    """Section 4.3."""
    copies = (
        "Alone, the buffers cost a copy of the block byte by byte in each round, and what the "
        "compiler then need not compute again goes to the stack for want of registers: moves rise "
        f"{_told(rows, 'local', 'encrypt_moves', ALONE)}. After the fused steps and 32-bit types "
        "a copy takes a quarter of that, and each S-box entry is read once instead of four times: "
        f"moves fall {_told(rows, 'local', 'encrypt_moves', ADDED)} ({_PLACE})."
    )
    same = (
        "Mostly the other steps decide it: alone the buffers cost cycles on all four, and right "
        "after the fused steps they save cycles on all four. Once everything is inlined they "
        "change little, and then the processor decides."
    )
    return [
        Claim("Local buffers, which the final implementation uses, make encryption faster.",
              "order", _faster(rows, "local"), cause="compiler or processor", why=copies),
        Claim("Whether local buffers pay depends on the platform (of four processors, those on "
              "the smaller side).", "at least", _sides(rows), 1, cause="compiler or processor",
              why=same),
    ]  # fmt: skip


def _one_size(rows: Sequence[Row]) -> list[Claim]:
    """Section 4.4."""
    rounds = (
        "Encryption depends on the size of the key by the number of rounds alone, which it reads "
        "once a block. Only where everything is inlined into one function, and registers are "
        "short, does it help that a constant needs none: moves fall "
        f"{_told(rows, 'one_size', 'encrypt_moves', WITHOUT)} ({_PLACE})."
    )
    return [
        Claim("Code for a single key size encrypts faster.", "order", _faster(rows, "one_size"),
              cause="compiler or processor", why=rounds),
        Claim("Code for a single key size expands the key faster.", "order",
              _judged(rows, "one_size", "key_schedule")),
    ]  # fmt: skip


def _inline(rows: Sequence[Row]) -> list[Claim]:
    """Section 4.6."""
    fewer = (
        "Once inlined, the two buffers of MixColumns are known to be apart, and the doublings that "
        "were computed anew for each byte are computed once. Alone, this saves more code than "
        "the second copies of SubBytes, ShiftRows and AddRoundKey add; with a table of products "
        "and local buffers there are no such doublings left."
    )
    sizes = _judged(rows, "inline", "code_bytes")
    return [
        Claim("Inlining makes encryption faster.", "order", _faster(rows, "inline")),
        Claim("Inlining costs code size (bytes with it against without it).", "order of counts",
              {name: Pair(pair.b, pair.a) for name, pair in sizes.items()},
              cause="compiler or processor", why=fewer),
    ]  # fmt: skip


def _by_way(rows: Sequence[Row], title: str, column: str) -> ResultTable:
    """A column with each step alone, accumulated and left out."""
    cell, at = row_of(rows), (PLATFORMS[0], TOLD)
    start = number(cell(*at, NONE, NONE)[column])
    lines: list[tuple[str, ...]] = [("none", start, "", start, "", "", "")]
    for step, name in STEPS.items():
        line = [name]
        for way in WAYS:
            pair = effects(rows, step, column, (way,)).get(_PLACE + way)
            line += (
                [number(cell(*at, way, step)[column]), f"{pair.ratio:.2f}"] if pair else ["", ""]
            )
        lines.append(tuple(line))
    head = ("step", "alone", "times", "accumulated", "times", "left out", "times")
    note = f"{_PLACE}. Times: without the step over with it; above 1 it is a gain."
    return ResultTable(title, head, tuple(lines), note)


def _everywhere(rows: Sequence[Row]) -> ResultTable:
    """The gain in cycles of encryption in all places."""
    places = [at(platform=name, flags=level(flags)) for name, flags in PLACES]
    lines = []
    for step, name in STEPS.items():
        for way in WAYS:
            pairs = effects(rows, step, "encrypt", (way,))
            if pairs:
                told = (f"{pairs[one + way].ratio:.2f}" for one in places)
                lines.append((name, way, *told))
    title = "How many times as long encryption takes without the step"
    return ResultTable(
        title, ("step", "way", *map(str, places)), tuple(lines), "Below 1 it costs cycles."
    )


def _beside_v1(rows: Sequence[Row]) -> ResultTable:
    """Where the steps lead, beside the cores of table 1."""
    one, six, cell = over_v1(rows, ADDED), over_v1(rows, SIX), row_of(rows)
    every = ((CORE, javed.V1), (CORE, javed.FINAL), (ADDED, REGISTERS), (SIX, REGISTERS))
    lines = []
    for name, flags in PLACES:
        where = at(platform=name, flags=level(flags))
        cycles = (number(cell(name, level(flags), *key)["encrypt"]) for key in every)
        lines.append((str(where), *cycles, f"{one[where].ratio:.2f}", f"{six[where].ratio:.2f}"))
    head = ("place", f"V1 ({javed.V1})", f"final ({javed.FINAL})", "all steps", "six tables",
            "V1 / all steps", "V1 / six tables")  # fmt: skip
    note = (
        "Six tables: 2 S(x), 3 S(x), and the products by 09, 0b, 0d and 0e, of which encryption "
        "reads the first two."
    )
    return ResultTable("Cycles of a block beside the cores of table 1", head, tuple(lines), note)


def render(rows: Sequence[Row]) -> list[Part]:
    """Each column by way, all places, the cores, the chart."""
    titles = {
        "encrypt": "Cycles of encrypting a block",
        "encrypt_moves": "Loads and stores of encrypting a block",
        "decrypt": "Cycles of decrypting a block",
        "key_schedule": "Cycles of a key schedule",
        "code_bytes": "Bytes of code, both directions and the key schedule",
    }
    at, series = (PLATFORMS[0], TOLD), []
    here = {(row["way"], row["step"]): figure(row["encrypt"]) for row in rows
            if (row["platform"], row["flags"]) == at}  # fmt: skip
    for way in WAYS:
        start = None if way == WITHOUT else here[NONE, NONE]
        series.append(Bars(way, [start, *(here.get((way, step)) for step in STEPS)]))
    image = bars([NONE, *STEPS.values()], series, Scale("cycles"))
    alt = "Bars: cycles of a block with each optimisation alone, accumulated, and left out."
    return [
        *(_by_way(rows, title, column) for column, title in titles.items()),
        _everywhere(rows),
        _beside_v1(rows),
        Figure(f"Encryption of a block, {_PLACE}", image, ".svg", alt),
    ]
