# SPDX-License-Identifier: MIT
"""Table 1 gives milliseconds for one packet of 1504 bytes in software on four platforms.

They are the processor of an FPGA without and with caches, a desktop PC (Pentium 4) and a phone (an
ARM9, in the emulator of its SDK); key expansion is for both directions, the mode is ECB, AES-128.

Ours: the core `equivalent_inverse`, written after the paper's description, encrypts and decrypts
the same packet on the Verilog of VexRiscv without and with caches, on three emulated ARM9 and on
this computer, 32-bit and 64-bit code.  ARM9 and 32-bit code are compiled at three levels too; the
64-bit code is the library as it was built.  Milliseconds are cycles at the clock of the soft core's
file, on an ARM9 at the 180 MHz of a part that carries one, and on this computer at that of the time
stamp counter.  The memory of `arm9tdmi` is ideal, so its times are lower bounds.

What differs: the paper prints no clock, memory or compiler options and does not name the FPGA's
processor, so milliseconds cannot be held against ours; ratios within a platform can.  Claims name
the places of the paper's column alone: all ARM9 that have a timing model, and both kinds of code on
this computer.  The soft CPU stands at the ten wait states of its platform file, which we chose, so
it can tell nothing here; `table_1_caches` sweeps them and judges its ratios at each.  What caches
gain, and the bound of 10 Mbit/s, have an experiment of their own.
"""

from collections.abc import Mapping, Sequence

from aesfit.jobs.job import Progress
from aesfit.jobs.job import Row as Measurement
from aesfit.wlan.paper import DESKTOP_MBIT_PER_S, PACKET_BYTES, PDA_MBIT_PER_S
from aesfit.wlan.software import clock_of
from aesfit_papers.judging.cells import figure
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import (
    Cause,
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Value,
)
from aesfit_papers.judging.levels import LEVELS, at_levels, by_place, place_of, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, at, told
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.platforms import (
    ASSUMED_CLOCK,
    CACHED,
    CORE,
    NO_CACHE,
    OPS,
    PHONES,
    Packet,
    clocked,
    mbit_per_s,
    packets,
    published_ms,
    theirs,
)
from aesfit_papers.judging.provenance import lines
from aesfit_papers.judging.tables import number, ratio

NUMBER = "Table 1"
TITLE = "A packet in software on each platform"
_SHIPPED = "x86-64"
"""Times the library as it was built, which no flags change."""
_HOSTS = ("i686", _SHIPPED)
_LEVELLED = (*PHONES, "i686")
"""Judged at levels; the soft CPU is judged in `table_1_caches`."""
_PHONE = "arm920t"
_COLUMNS = {
    "FPGA software, no cache": (NO_CACHE,),
    "FPGA software, cache": (CACHED,),
    "PDA": PHONES,
    "desktop": _HOSTS,
}
"""Of the paper's table, and our platforms of each."""
COLUMNS = (
    Column("published_column"),
    Column("platform"),
    Column("flags"),
    Column("clock_mhz", "MHz"),
    *(Column(f"{name}_cycles", "cycles") for name in OPS),
    *(Column(f"{name}_ms_here", "ms", exact=False) for name in OPS),
    *(Column(f"published_{name}_ms", "ms") for name in OPS),
)
FAST = False


def rows(progress: Progress) -> Measured:
    """Each platform with its own flags and at its levels; this computer is timed anew."""
    titles = {name: title for title, names in _COLUMNS.items() for name in names}
    every = [
        Packet(name, level)
        for name in titles
        for level in (LEVELS if name in _LEVELLED else LEVELS[:1])
    ]
    exact, here = ([one for one in every if (one.platform in _HOSTS) == on] for on in (False, True))
    taken = dict(zip(exact, packets(exact, progress), strict=True))
    taken |= dict(zip(here, packets(here, progress, fresh=True), strict=True))
    made = [_row(titles[one.platform], one, taken[one]) for one in every]
    return Measured(made, lines([row for packet in taken.values() for row in packet]))


def _row(title: str, where: Packet, packet: Sequence[Measurement]) -> Row:
    hertz, here = clock_of(clocked(where.platform)), where.platform in _HOSTS
    published = published_ms(theirs(title))
    row: dict[str, Value] = {"published_column": title, "platform": where.platform}
    row |= {"flags": where.flags, "clock_mhz": None if here else hertz / 1e6}
    for op, one in zip(OPS, packet, strict=True):
        row[f"{op}_cycles"] = None if here else one.cycles
        row[f"{op}_ms_here"] = one.cycles / hertz * 1e3 if here else None
        row[f"published_{op}_ms"] = published[op]
    return row


def _ms(row: Row, op: str) -> float:
    if row["clock_mhz"] is None:
        return figure(row[f"{op}_ms_here"])
    return figure(row[f"{op}_cycles"]) / figure(row["clock_mhz"]) / 1e3


def _at(rows: Sequence[Row], title: str) -> list[Row]:
    return [row for row in rows if row["published_column"] == title]


def _over(rows: Sequence[Row], above: str, below: str) -> dict[ClaimPlace, Pair]:
    return {place_of(row): Pair(_ms(row, above), _ms(row, below)) for row in rows}


def _why_share(rows: Sequence[Row], title: str) -> str:
    """What is known of key expansion's share."""
    if title == "desktop":
        return (
            "The paper ported the same code to every platform, and its key expansion takes 1 to 3 "
            "% of an encryption on the others: 29 % on the desktop alone does not go with that. It "
            "is the shortest time of its table, and what its clock resolves is not told."
        )
    cell = by_place(_at(rows, title))

    def cycles(op: str, level: str, name: str = "arm9tdmi") -> float:
        return figure(cell(at(platform=name, flags=level))[f"{op}_cycles"])

    keys = [number(cycles("key", level)) for level in RELEASE]
    slower = [ratio(cycles("encryption", level), cycles("encryption", "-O3")) for level in RELEASE]
    return (
        "It is met at -O3 where empty caches have to be filled: key expansion, which comes first, "
        f"takes {number(cycles('key', '-O3', _PHONE))} cycles on {_PHONE} and {keys[2]} on "
        f"arm9tdmi, whose memories never wait. At -Os and -O2 it takes {keys[0]} and {keys[1]} "
        f"there, and encryption {slower[0]} and {slower[1]} times as long as at -O3."
    )


def _why_slower(ratios: Mapping[ClaimPlace, Pair]) -> str:
    """What one code makes of it, and what is not known of the paper's."""
    ends = [which(ratios, key=lambda at: ratios[at].ratio) for which in (min, max)]
    told = " to ".join(f"{number(ratios[at].ratio)} ({at})" for at in ends)
    return f"One C code makes it {told}. The paper shows neither its code nor its compiler's flags."


_CAUSE_OF_SHARE: Mapping[str, Cause] = {
    "desktop": "the paper's own figures disagree",
    "PDA": "our code differs",
}


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Ratios within the desktop and the phone, and the rates that the text gives.

    Those of the processor on the FPGA are judged once, over wait states: in Table 1, caches.
    """
    rows = [*at_levels(rows), *(row for row in rows if row["platform"] == _SHIPPED)]
    made = []
    for title in _CAUSE_OF_SHARE:
        published, places = published_ms(theirs(title)), _at(rows, title)
        slower = published["decryption"] / published["encryption"]
        share = published["key"] / published["encryption"]
        ratios = _over(places, "decryption", "encryption")
        made += [
            Claim(f"Decryption takes {slower:.2f} times as long as encryption ({title}).",
                  "effect", ratios, slower, cause="compiler or processor",
                  why=_why_slower(ratios)),
            Claim(f"Key expansion for both directions takes {100 * share:.1f} % of an encryption "
                  f"({title}).", "part", _over(places, "key", "encryption"), share,
                  cause=_CAUSE_OF_SHARE[title], why=_why_share(rows, title)),
        ]  # fmt: skip
    return [*made, *_rates(rows)]


def _rates(rows: Sequence[Row]) -> list[Claim]:
    """What the text says of megabits per second."""

    def rate(title: str) -> dict[ClaimPlace, float]:
        return {place_of(row): mbit_per_s(_ms(row, "encryption")) for row in _at(rows, title)}

    desktop, phone = theirs("desktop"), theirs("PDA")
    fewest = min(figure(row["encryption_cycles"]) for row in _at(rows, "PDA"))
    return [
        Claim("The desktop PC sustains 245 Mbit/s, by its own table.", "about",
              {told(f"{PACKET_BYTES} bytes in {desktop.encryption_ms} ms"): desktop.mbit_per_s},
              DESKTOP_MBIT_PER_S, cause="the paper's own figures disagree",
              why=f"{PACKET_BYTES} bytes in {desktop.encryption_ms} ms are "
              f"{desktop.mbit_per_s:.0f} Mbit/s; where 245 comes from it does not say."),
        Claim("The phone sustains 40 Mbit/s, by its own table.", "about",
              {told(f"{PACKET_BYTES} bytes in {phone.encryption_ms} ms"): phone.mbit_per_s},
              PDA_MBIT_PER_S,
              by_construction="It is the quotient of two figures that the paper prints."),
        Claim("A desktop PC sustains 245 Mbit/s.", "at least", rate("desktop"),
              DESKTOP_MBIT_PER_S),
        Claim("An ARM9 phone sustains 40 Mbit/s.", "at least", rate("PDA"), PDA_MBIT_PER_S,
              untestable=dict.fromkeys(rate("PDA"), ASSUMED_CLOCK),
              why=f"At the 180 MHz of a part with this core it does not: {phone.encryption_ms} ms "
              f"would need {fewest / phone.encryption_ms / 1e3:.0f} MHz and memories that "
              "never wait. The paper's times are of an emulator on a PC."),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Milliseconds, ratios and rates."""
    rows = with_own_flags(rows)
    return [_milliseconds(rows), _ratios(rows), _drawn(rows)]


def _milliseconds(rows: Sequence[Row]) -> ResultTable:
    head = ("ours on", *(told for op in OPS for told in (op, "published")))
    cells = tuple(
        (
            str(row["platform"]),
            *(
                text
                for op in OPS
                for text in (number(_ms(row, op)), number(row[f"published_{op}_ms"]))
            ),
        )
        for row in rows
    )
    note = (
        "Clocks and memories differ, so milliseconds are not to be held against each other: "
        f"{_told(rows)}."
    )
    return ResultTable(f"Milliseconds for 1504 bytes in ECB, core {CORE}", head, cells, note)


def _drawn(rows: Sequence[Row]) -> Figure:
    """Milliseconds as bars."""
    shown = [row for row in rows if row["platform"] not in PHONES or row["platform"] == _PHONE]
    groups = [str(row["platform"]) for row in shown]
    series = [
        Bars(
            "key expansion" if op == "key" else op,
            [_ms(row, op) for row in shown],
            [figure(row[f"published_{op}_ms"]) for row in shown],
        )
        for op in OPS
    ]
    scale = Scale("milliseconds for 1504 bytes", log=True, limits=(5e-5, 1500))
    image = bars(groups, series, scale, write=number)
    alt = "Bars: key expansion, encryption and decryption of a packet by platform."
    note = "Of the ARM9 the one that is a part, with caches."
    return Figure("A packet in software", image, ".svg", alt, note)


def _told(rows: Sequence[Row]) -> str:
    """Where each column of the paper was measured again."""
    clocks = [
        f"{row['platform']} at {number(row['clock_mhz'])} MHz"
        if row["clock_mhz"] is not None
        else f"{row['platform']} on this computer"
        for row in rows
    ]
    titles = [str(row["published_column"]) for row in rows]
    return "; ".join(
        f"{title}: {', '.join(one for one, of in zip(clocks, titles, strict=True) if of == title)}"
        for title in _COLUMNS
    )


def _ratios(rows: Sequence[Row]) -> ResultTable:
    """What can be compared."""
    head = ("ours on", "decrypt / encrypt", "published", "key, %", "published", "Mbit/s",
            "published")  # fmt: skip
    cells = []
    for row in rows:
        column = published_ms(theirs(str(row["published_column"])))
        cells.append((
            str(row["platform"]),
            ratio(_ms(row, "decryption"), _ms(row, "encryption")),
            ratio(column["decryption"], column["encryption"]),
            number(100 * _ms(row, "key") / _ms(row, "encryption")),
            number(100 * column["key"] / column["encryption"]),
            number(mbit_per_s(_ms(row, "encryption"))),
            number(mbit_per_s(column["encryption"])),
        ))  # fmt: skip
    note = (
        "Key: its expansion in percent of an encryption. Published Mbit/s follow from the "
        "milliseconds; the text says 245 for the desktop and 40 for the phone."
    )
    return ResultTable("Ratios within a platform, and rates", head, tuple(cells), note)
