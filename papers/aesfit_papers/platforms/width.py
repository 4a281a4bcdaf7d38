# SPDX-License-Identifier: MIT
"""Section III: a path of 32 bits needs one instance of the S-boxes where one of 128 needs four.

"A significant advantage of the 32-bit architecture" is that it reduces the S-boxes "from four in
128-bit implementation to one instance in 32-bit implementation at the expense of four clock
cycles".  The paper describes no core of 128 bits and gives no figures of one.

Ours: `aes128_paper` has the ports and the stages of the rebuilt core, each for the whole state at
once; `aes128_paper_short` leaves out the stage of ShiftRows, which only a path of 32 bits needs,
and `aes128_paper_wide` also has a packet RAM of 128 bits.  All are simulated, synthesised for three
families, placed and routed for two.  An instance is four S-boxes side by side, so S-boxes are
counted by the bits that they take of RAM.

What differs: packets are counted as CCMP of 1504 bytes, which is what 802.11i sends; the paper
counts ECB.  A packet then takes two calls of AES for 16 bytes, and its words move in and out over
a bus of 32 bits, one a cycle, while the core waits, because the packet RAM here serves one of them.
That the cores chain blocks without further cycles is assumed in their favour; they are built for
ECB.  Of the Virtex-II Pro there is no clock, as in table 2.
"""

from collections.abc import Sequence

from aesfit.hardware.families import FAMILIES
from aesfit.jobs.job import Progress
from aesfit.wlan.paper import CLOCK_MHZ, PACKET_BYTES
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Part, Row, Words
from aesfit_papers.judging.place import at, told
from aesfit_papers.judging.platforms import (
    PACKET_BITS,
    both,
    by_family,
    silicon,
    silicon_cells,
    silicon_lines,
)
from aesfit_papers.judging.tables import table

NUMBER = "Section III, width"
TITLE = "A path of 32 bits and one of 128"
COLUMNS = (
    Column("design"),
    Column("family"),
    Column("luts"),
    Column("flip_flops"),
    Column("ram_blocks"),
    Column("ram_bits"),
    Column("sbox_bits"),
    Column("fmax_mhz", "MHz"),
    Column("cycles_per_block", "cycles"),
    Column("cycles_per_round", "cycles"),
    Column("mbit_per_s", "Mbit/s"),
    Column("packets_per_s"),
    Column("packets_per_s_with_bus"),
    Column("why_empty"),
)
FAST = False
_NARROW, _SAME, _SHORT = "aes32_paper", "aes128_paper", "aes128_paper_short"
_WIDE = "aes128_paper_wide"
_STAGES = {_SAME: "the same stages", _SHORT: "ShiftRows without a stage"}
_TOLD = {
    _NARROW: "32 bits",
    **{design: f"128 bits, {stages}" for design, stages in _STAGES.items()},
    _WIDE: "128 bits, the same stages, packet RAM of 128 bits",
}
_ROUNDS = 10
_KEY_BITS = 2 * 16 * 128
"""In RAM: both directions, and a power of two of round keys."""
_PACKET_BITS_IN_RAM = 128 * 128
_MOVED = {_NARROW: 8, _SAME: 8, _SHORT: 8, _WIDE: 2}
"""Cycles in which a block is loaded and stored."""
_BLOCKS = PACKET_BYTES // 16
_CALLS = (1 + 2 + _BLOCKS) + (_BLOCKS + 1)
"""Of AES in a packet: block B0, two of associated data and the payload; the payload and the MIC."""
_BUS_WORDS = 4 * (1 + 2 + _BLOCKS) + 4 * _BLOCKS + 2
"""In: headers and payload; out: payload and a MIC of 8 bytes."""
_NEEDS = (54.0, 108.0)


def rows(progress: Progress) -> Measured:
    """Four cores on three families."""
    taken = silicon(list(_TOLD), progress)
    made: list[Row] = []
    for row in taken:
        busy = _CALLS * row.cycles_per_block
        hertz = None if row.fmax_mhz is None else row.fmax_mhz * 1e6
        made.append({
            **silicon_cells(row),
            "ram_bits": row.ram_bits,
            "sbox_bits": row.ram_bits - _KEY_BITS - _PACKET_BITS_IN_RAM,
            # The last round has no stage for MixColumns, hence one cycle less.
            "cycles_per_round": (row.cycles_per_block - _MOVED[row.design] + 1) / _ROUNDS,
            "packets_per_s": None if hertz is None else hertz / busy,
            "packets_per_s_with_bus": None if hertz is None else hertz / (busy + _BUS_WORDS),
        })  # fmt: skip
    return Measured(made, silicon_lines(taken))


def claims(rows: Sequence[Row]) -> list[Claim]:
    """S-boxes, cycles, and the rates that 802.11i asks for."""
    spent = {
        design: next(iter(by_family(rows, design, "cycles_per_round").values())) for design in _TOLD
    }
    saved = {
        ("128 bits" + told(stages)).of(design=(_NARROW, design)): spent[_NARROW] - spent[design]
        for design, stages in _STAGES.items()
    }
    packets = by_family(rows, _NARROW, "packets_per_s_with_bus")
    carried = {family: rate * PACKET_BITS / 1e6 for family, rate in packets.items()}
    cycles = figure(next(row for row in rows if row["design"] == _NARROW)["cycles_per_block"])
    theirs = CLOCK_MHZ * PACKET_BITS / (_CALLS * cycles + _BUS_WORDS)
    return [
        Claim("A path of 128 bits has four instances of the S-boxes where one of 32 bits has one "
              "(their bits in RAM).", "exact", both(rows, "sbox_bits", (_SAME, _NARROW)), 4.0,
              by_construction="A path four times as wide looks up four times as many bytes in a "
              "cycle."),
        Claim("With fewer S-boxes a path of 32 bits spares memory (RAM blocks of 128 bits, against "
              "its own).", "order of counts", both(rows, "ram_blocks", (_SAME, _NARROW))),
        Claim("A path of 32 bits pays with four clock cycles (of a round, beyond those of 128 "
              "bits).", "exact", saved, 4.0, cause="our code differs",
              why="The paper does not say which stages a core of 128 bits would have: with those "
              "of its own core a round takes three cycles fewer, and four where ShiftRows, which "
              "is wires on a whole state, has no stage."),
        *(Claim(f"The core of 32 bits carries {rate:g} Mbit/s of packets under CCMP.", "at least",
                carried, rate, cause="the claim itself" if rate > theirs else "",
                why=_why(theirs) if rate > theirs else "") for rate in _NEEDS),
    ]  # fmt: skip


def _why(theirs: float) -> str:
    """Of the rate that not even the paper's clock reaches."""
    return (
        f"Its {CLOCK_MHZ:g} MHz and 87 cycles carry {theirs:.0f} Mbit/s, because CCMP takes two "
        "calls of AES for 16 bytes; its 221.4 Mbit/s are of one call."
    )


def render(rows: Sequence[Row]) -> list[Part]:
    """All figures; what the width costs and gives."""
    told: list[Row] = [{**row, "path": _TOLD[str(row["design"])]} for row in rows]
    columns = (
        *(("path", "path"), ("family", "family"), ("LUTs", "luts"), ("flip-flops", "flip_flops")),
        *(("RAM blocks", "ram_blocks"), ("RAM bits", "ram_bits"), ("of S-boxes", "sbox_bits")),
        *(("MHz", "fmax_mhz"), ("cycles", "cycles_per_block"), ("of a round", "cycles_per_round")),
        *(("Mbit/s", "mbit_per_s"), ("packets/s", "packets_per_s")),
        ("with bus", "packets_per_s_with_bus"),
    )
    reasons = dict.fromkeys(
        f"{row['family']}: {row['why_empty']}" for row in rows if row["why_empty"] is not None
    )
    note = (
        f"{'; '.join(reasons)}. A packet is {_CALLS} calls of AES, and {_BUS_WORDS} words on the "
        "bus of 32 bits."
    )
    families = [family.name for family in FAMILIES]
    placed = [family.name for family in FAMILIES if family.device]
    luts = _series(rows, "luts", families)
    packets = _series(rows, "packets_per_s_with_bus", placed)
    return [
        table("One core in two widths", told, columns, note=note),
        Figure("Logic", bars(families, luts, Scale("look-up tables")), ".svg",
               f"Bars: the cores of 128 bits take {_times(rows, 'luts')} times the look-up tables "
               "of that of 32 bits."),
        Figure("Packets of 1504 bytes under CCMP", bars(placed, packets, Scale("packets/s")),
               ".svg", "Bars: the cores of 128 bits carry "
               f"{_times(rows, 'packets_per_s_with_bus')} times the packets of that of 32 bits.",
               "With the words of the packet moved over a bus of 32 bits."),
        Words(_trade(rows)),
    ]  # fmt: skip


def _series(rows: Sequence[Row], column: str, families: Sequence[str]) -> list[Bars]:
    """Bars of each core, by family."""
    return [
        Bars(title, [by_family(rows, design, column).get(at(family=name)) for name in families])
        for design, title in _TOLD.items()
    ]


def _times(rows: Sequence[Row], column: str) -> str:
    """What cores of 128 bits have for one of that of 32, over families."""
    wide = (both(rows, column, (design, _NARROW)) for design in _TOLD if design != _NARROW)
    ratios = [pair.ratio for by in wide for pair in by.values()]
    return f"{min(ratios):.1f} to {max(ratios):.1f}"


def _trade(rows: Sequence[Row]) -> str:
    """What four times the width gives, for what it takes."""
    told = []
    for design in (_SAME, _SHORT):
        more, faster = (
            both(rows, column, (design, _NARROW)) for column in ("luts", "packets_per_s_with_bus")
        )
        each = " and ".join(
            f"{faster[name].ratio:.2f} times the packets for {more[name].ratio:.2f} times the "
            f"look-up tables on {name}"
            for name in faster
        )
        told.append(f"{design}: {each}.")
    return " ".join(told)
