# SPDX-License-Identifier: MIT
"""Section 5 leaves instructions suited to a fast computation of AES for later; here are some.

The paper has no figure for them, and names none.  Its steps are doublings of four packed bytes,
sums and look-ups, so these become instructions: double and add, 2 x + y in each byte of a word,
and an S-box word, SubBytes or its inverse of four bytes at once.  Shown, and not judged, is whether
AES gets faster, and whether what the paper says of its form beside columns still holds.

Ours: `rtl/pcpi_aes.v` is a co-processor of PicoRV32 with these instructions.  The library's cores
`transposed` and `sbox_columns` are compiled without them, with either and with both, and encrypt
and decrypt blocks of AES-128 on the processor's Verilog; every output is compared with the
library's.  Yosys counts the cells of the co-processor and of the processor for three families.

What differs: both instructions take two registers, as any of RISC-V does, and use the second: the
doubling adds it, and the S-box word takes its upper half from it and rotates by whole bytes.  So a
row of ShiftRows is one instruction, and a column is three operations and one.  The steps use the
sum behind a doubling, and are not the library's: by rows InvMixColumns takes 11 sums and 10
instructions where the library has 21 sums and 6 doublings.  The processor has no rotation and no
pipeline.  Key schedules are left as they are.
"""

from collections.abc import Sequence

from aesfit.hardware.families import FAMILIES
from aesfit.hardware.instructions import (
    INSTRUCTION_SETS,
    RUNS,
    WITHOUT,
    InstructionSet,
    block_cycles,
    block_job,
    co_processor,
    processor,
)
from aesfit.hardware.tools import iverilog, yosys
from aesfit.jobs.job import Progress
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Value,
    Words,
)
from aesfit_papers.judging.tables import number, table
from aesfit_papers.judging.transposed import BY_COLUMNS, FORMS, TRANSPOSED, steps_rest_on

NUMBER = "Section 5, instructions"
TITLE = "Instructions for AES: doublings and S-box words"
COLUMNS = (
    *(Column(name) for name in ("core", "direction", "instructions")),
    Column("cycles", "cycles"),
    *(Column(f"{cells}_{family.name}") for family in FAMILIES
      for cells in ("luts", "ram_blocks", "processor_luts")),
)  # fmt: skip
FAST = False
_DIRECTIONS = ("encrypt", "decrypt")
_FIRST = ("instructions", "instructions")
"""The first column of tables."""


def rows(progress: Progress) -> Measured:
    """Blocks with every set of instructions, and what these cost."""
    costs = {used.name: _cost(used) for used in INSTRUCTION_SETS}
    asked = [
        (core, direction, used)
        for core in FORMS
        for direction in _DIRECTIONS
        for used in INSTRUCTION_SETS
    ]
    made: list[Row] = []
    for done, (core, direction, used) in enumerate(asked):
        progress(done, len(asked))
        cycles = block_cycles(core, f"{direction}-block", used)
        name = {"core": core, "direction": direction, "instructions": used.name}
        made.append({**name, "cycles": cycles, **costs[used.name]})
    job = block_job(TRANSPOSED, "encrypt-block")
    tools = ", ".join(f"{tool.name} {tool.version}" for tool in (yosys(), iverilog()))
    checked = f"each of {RUNS} outputs with other keys and texts compared with the library's"
    return Measured(made, (f"{tools}; {checked}", steps_rest_on(job.platform)))


def _cost(used: InstructionSet) -> dict[str, Value]:
    """Cells by family: of the co-processor, and of the processor that it is attached to."""
    told: dict[str, Value] = {}
    for family in FAMILIES:
        there = used is not WITHOUT
        taken = co_processor(used, family) if there else None
        told[f"luts_{family.name}"] = taken.luts if taken else 0
        told[f"ram_blocks_{family.name}"] = taken.ram_blocks if taken else 0
        told[f"processor_luts_{family.name}"] = processor(family, pcpi=there).luts
    return told


def claims(rows: Sequence[Row]) -> list[Claim]:
    """None: the paper leaves instructions for later, so that these are ours, and no claim of its.

    What it says of its form is shown with them.
    """
    del rows
    return []


def _forms(rows: Sequence[Row]) -> ResultTable:
    """Columns over the transposed form, with each set of instructions."""
    cell = found(rows, "core", "direction", "instructions")

    def ratio(direction: str, used: str) -> str:
        pair = (figure(cell(core, direction, used)["cycles"]) for core in (BY_COLUMNS, TRANSPOSED))
        return f"{Pair(*pair).ratio:.2f}"

    lines = tuple(
        (used.name, *(ratio(direction, used.name) for direction in _DIRECTIONS))
        for used in INSTRUCTION_SETS
    )
    note = (
        "Without instructions the processor takes three operations for each rotation of a column. "
        "Columns have to be gathered for ShiftRows too, where a row is one S-box word; "
        "instructions leave both as they are, so that they weigh more."
    )
    head = ("instructions", *(f"{direction}ion" for direction in _DIRECTIONS))
    return ResultTable("Cycles of columns over those of the transposed form", head, lines, note)


def _told(rows: Sequence[Row]) -> Words:
    """Gain and cost in words."""
    cell = found(rows, "core", "direction", "instructions")
    both = INSTRUCTION_SETS[-1].name
    gains = []
    for core, title in FORMS.items():
        for direction in _DIRECTIONS:
            before, after = (
                figure(cell(core, direction, used)["cycles"]) for used in (WITHOUT.name, both)
            )
            gains.append(f"{title} {before / after:.2f} ({direction}ion)")
    one = cell(TRANSPOSED, "encrypt", both)
    costs = "; ".join(
        f"{family.name}: {number(one[f'luts_{family.name}'])} look-up tables and "
        f"{number(one[f'ram_blocks_{family.name}'])} RAM blocks beside "
        f"{number(one[f'processor_luts_{family.name}'])} look-up tables of the processor"
        for family in FAMILIES
    )
    return Words(
        f"A block is so many times as fast with both instructions: {', '.join(gains)}. They cost: "
        f"{costs}. With the S-box word a block reads no table from memory."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """Cycles, cells, and bars of the cycles."""
    names = [(FORMS[core], core) for core in FORMS]
    cell = found(rows, "core", "direction", "instructions")
    blocks: list[Row] = [
        {
            "instructions": used.name,
            **{
                f"{core}_{direction}": cell(core, direction, used.name)["cycles"]
                for core in FORMS
                for direction in _DIRECTIONS
            },
        }
        for used in INSTRUCTION_SETS
    ]
    columns = [
        (f"{title}, {direction}ion", f"{core}_{direction}")
        for direction in _DIRECTIONS
        for title, core in names
    ]
    cells = [
        (f"{family.name}: {told}", f"{name}_{family.name}")
        for family in FAMILIES
        for told, name in (
            ("LUTs", "luts"), ("RAM blocks", "ram_blocks"), ("LUTs of PicoRV32", "processor_luts"),
        )
    ]  # fmt: skip
    costs = [cell(TRANSPOSED, "encrypt", used.name) for used in INSTRUCTION_SETS]
    series = [Bars(used.name, [figure(row[name]) for _, name in columns])
              for used, row in zip(INSTRUCTION_SETS, blocks, strict=True)]  # fmt: skip
    image = bars([title for title, _ in columns], series, Scale("cycles of a block"))
    return [
        table("Cycles of a block of AES-128 on PicoRV32", blocks, [_FIRST, *columns]),
        _forms(rows),
        table("What the co-processor takes", costs, [_FIRST, *cells]),
        _told(rows),
        Figure("A block with and without instructions", image, ".svg",
               "Bars: cycles of both forms and directions without instructions, with doublings, "
               "with S-box words and with both."),
    ]  # fmt: skip
