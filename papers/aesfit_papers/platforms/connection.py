# SPDX-License-Identifier: MIT
"""Abstract: hardware lets a charged PDA "remain connected to WLAN for a longer duration".

The paper gives no hours, no battery and no radio.

Ours: joules a bit of the experiment on energy (two cores, and the best of two programs on a
processor at each of three levels of the compiler, in one 180 nm library before layout), at the rate
that the program manages there and at the goodput of 802.11a.  Hours are those of a phone's battery
of 2004 that carries encryption and a wireless card that is idle, by a published measurement, and
beside them those of encryption alone.

What differs: an idle card is the least that a connection takes; display, processor and sending come
on top and make the gain smaller.  At the goodput the program would need many such processors.
"""

from collections.abc import Sequence
from itertools import product

from aesfit.hardware.energy import TECHNOLOGY, EnergyRow
from aesfit.jobs.job import Progress
from aesfit.wlan.airtime import goodput
from aesfit.wlan.battery import DEFAULT, battery_named
from aesfit.wlan.paper import PACKET_BYTES
from aesfit.wlan.radios import WAVELAN
from aesfit_papers.judging.cells import figure, found
from aesfit_papers.judging.charts import Bars, Scale, bars
from aesfit_papers.judging.contract import Claim, Column, Figure, Measured, Pair, Part, Row, Words
from aesfit_papers.judging.energy import priced, tools_told
from aesfit_papers.judging.levels import LEVELS, at_levels, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, in_row
from aesfit_papers.judging.tables import number, table

NUMBER = "Abstract, connection"
TITLE = "Hours of connection with hardware and with software"
COLUMNS = (
    Column("design"),
    Column("kind"),
    Column("flags"),
    Column("rate"),
    Column("mbit_per_s", "Mbit/s"),
    Column("milliwatts", "mW"),
    Column("hours", "h"),
    Column("hours_alone", "h"),
)
FAST = False
_DESIGNS = ("aes32_paper", "aes32")
_PROGRAM, _GOODPUT = "what the program manages", "goodput"


def rows(progress: Progress) -> Measured:
    """The cores and the best program of each level, at both rates."""
    found, battery = priced(_DESIGNS, progress), battery_named(DEFAULT)
    made: list[Row] = []
    for level in LEVELS:
        best = found.best(level)
        rates = {_PROGRAM: _manages(best), _GOODPUT: goodput(PACKET_BYTES)}
        for (told, rate), one in product(rates.items(), (*found.cores, best)):
            watts = one.pj_per_bit * 1e-12 * rate
            made.append(
                {
                    "design": one.design,
                    "kind": one.kind,
                    "flags": level,
                    "rate": told,
                    "mbit_per_s": rate / 1e6,
                    "milliwatts": watts * 1e3,
                    "hours": battery.hours(watts + WAVELAN.idle_watts),
                    "hours_alone": battery.hours(watts),
                }
            )
    capacity = f"{battery.capacity.value:g} mAh, {battery.voltage.value:g} V"
    return Measured(
        made,
        (
            TECHNOLOGY,
            tools_told(found.cores[0]),
            f"battery: {battery.title}, {capacity}",
            f"radio: {WAVELAN.title}, {WAVELAN.idle_watts:g} W ({WAVELAN.source})",
        ),
    )


def _manages(program: EnergyRow) -> float:
    """Bits per second at the clock at which its power was found."""
    return program.watts / (program.pj_per_bit * 1e-12)


def _longer(rows: Sequence[Row], column: str) -> dict[ClaimPlace, Pair]:
    """Hours with each core, against those with the program."""
    names = ("design", "rate", "flags")
    program = {(row["rate"], row["flags"]): row for row in rows if row["kind"] == "software"}
    return {
        in_row(row, *names).beside(other, *names): Pair(figure(row[column]), figure(other[column]))
        for row in rows
        if row["kind"] == "hardware"
        for other in [program[row["rate"], row["flags"]]]
    }


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Longer at all, with what a connection takes in any case."""
    rows = at_levels(rows)
    longer = _longer(rows, "hours")
    alone = [pair.ratio for pair in _longer(rows, "hours_alone").values()]
    why = (
        f"Encryption alone would last {number(min(alone))} to {number(max(alone))} times as long; "
        f"the idle card takes {WAVELAN.idle_watts:g} W beside it, whoever encrypts."
    )
    return [
        Claim("With AES in hardware a charged PDA stays connected for longer (hours against those "
              "with software).", "order", longer, why=why),
    ]  # fmt: skip


def render(rows: Sequence[Row]) -> list[Part]:
    """Hours as a table and as bars."""
    rows = with_own_flags(rows)
    shown = [("design", "design"), ("rate", "rate"), ("Mbit/s", "mbit_per_s")]
    shown += [("mW", "milliwatts"), ("hours", "hours"), ("encryption alone", "hours_alone")]
    rates = (_PROGRAM, _GOODPUT)
    names = list(dict.fromkeys(str(row["design"]) for row in rows))
    cell = found(rows, "design", "rate")
    series = [Bars(rate, [figure(cell(name, rate)["hours"]) for name in names]) for rate in rates]
    image = bars(names, series, Scale("hours"), write=number)
    longer = [100 * (pair.ratio - 1) for pair in _longer(rows, "hours").values()]
    return [
        table("Hours of a phone's battery", rows, shown, note="mW and hours alone: of encryption."),
        Figure("Hours of connection, an idle card included", image, ".svg",
               "Bars: two cores and a program; they differ little at a low rate."),
        Words(
            f"Hardware makes a connection {number(min(longer))} to {number(max(longer))} % longer "
            "at these rates, and less where a display is lit or the card sends. What keeps a PDA "
            "connected depends on its radio first."
        ),
    ]  # fmt: skip
