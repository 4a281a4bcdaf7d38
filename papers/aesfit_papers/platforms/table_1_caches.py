# SPDX-License-Identifier: MIT
"""Table 1, first two columns: caches make a packet on the FPGA's processor 10 to 11 times as fast.

Key expansion for both directions gains 10.0 times, encryption of 1504 bytes 10.7, decryption 10.8.

Ours: the core `equivalent_inverse` in ECB on the Verilog of VexRiscv without caches and with 4 KiB
each of instructions and data.  The memory is the same for both and answers after 0 to 20 wait
states, further words of a burst a cycle each.

What differs: the paper says nothing of its memory, and the ratio depends on it before all else, so
it is swept: 0 is a memory that answers at once, 1 is block RAM of an FPGA, about 10 an SDRAM behind
a controller and a bus, which the platform files assume.  Claims name every number of wait states of
the sweep, at three levels of the compiler.  Caches are empty when a window begins.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from aesfit.jobs.job import Progress
from aesfit.platforms.find import platform_named
from aesfit.wlan.software import clock_of
from aesfit_papers.judging.cells import figure, figures, found, pairs
from aesfit_papers.judging.charts import ChartLine, Scale, lines
from aesfit_papers.judging.contract import (
    Assumed,
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
from aesfit_papers.judging.levels import LEVELS, at_levels, with_own_flags
from aesfit_papers.judging.place import ClaimPlace, at
from aesfit_papers.judging.places import RELEASE
from aesfit_papers.judging.platforms import (
    CACHED,
    NO_CACHE,
    OPS,
    PACKET_BITS,
    Packet,
    packets,
    published_ms,
)
from aesfit_papers.judging.platforms import (
    theirs as theirs_of,
)
from aesfit_papers.judging.provenance import lines as provenance_lines
from aesfit_papers.judging.tables import number

NUMBER = "Table 1, caches"
TITLE = "What caches gain, by wait states of the memory"
COLUMNS = (
    Column("wait_states", "cycles"),
    Column("platform"),
    Column("flags"),
    *(Column(f"{name}_cycles", "cycles") for name in OPS),
    Column("mbit_per_s", "Mbit/s"),
    *(Column(f"published_{name}_ms", "ms") for name in OPS),
)
FAST = False
_CHOSEN = Assumed(
    "the wait states of the memory were chosen by us; the paper does not describe its own"
)
_WAITS = (0, 1, *range(2, 21, 2))
_PUBLISHED = {NO_CACHE: "FPGA software, no cache", CACHED: "FPGA software, cache"}


def rows(progress: Progress) -> Measured:
    """Both processors with every number of wait states at every level."""
    asked = [Packet(name, level, wait) for level, wait, name in product(LEVELS, _WAITS, _PUBLISHED)]
    taken = packets(asked, progress)
    made: list[Row] = []
    for one, packet in zip(asked, taken, strict=True):
        cycles = dict(zip(OPS, (op.cycles for op in packet), strict=True))
        seconds = cycles["encryption"] / clock_of(platform_named(one.platform))
        row: dict[str, Value] = {"wait_states": one.wait_states, "platform": one.platform}
        row["flags"] = one.flags
        row |= {f"{op}_cycles": cycles[op] for op in OPS}
        row["mbit_per_s"] = PACKET_BITS / seconds / 1e6
        theirs = published_ms(theirs_of(_PUBLISHED[one.platform]))
        made.append({**row, **{f"published_{op}_ms": ms for op, ms in theirs.items()}})
    return Measured(made, provenance_lines([one for packet in taken for one in packet]))


def _told(op: str) -> str:
    return "key expansion" if op == "key" else op


_MEMORY = ("wait_states", "flags")


def _ratios(rows: Sequence[Row], op: str) -> dict[ClaimPlace, Pair]:
    """Without caches against with, by wait states and level."""
    return pairs(rows, f"{op}_cycles", by=_MEMORY, platform=(NO_CACHE, CACHED))


def _published(op: str) -> float:
    slow, fast = (published_ms(theirs_of(one))[op] for one in _PUBLISHED.values())
    return slow / fast


def claims(rows: Sequence[Row]) -> list[Claim]:
    """The three ratios, that caches help at all, ratios within a column, and 10 Mbit/s."""
    rows = at_levels(rows)
    made = []
    for op in OPS:
        times = _ratios(rows, op)
        made.append(
            Claim(f"Without caches {_told(op)} takes {_published(op):.1f} times as long.", "effect",
                  times, _published(op), why=_why(rows, op),
                  untestable=dict.fromkeys(times, _CHOSEN))
        )  # fmt: skip
        made.append(
            Claim(f"Caches make {_told(op)} faster (cycles without first).", "order", times,
                  cause="compiler or processor", why=_little(times, op))
        )  # fmt: skip
    return [*made, *_within_platforms(rows), _rate(rows)]


def _little(times: Mapping[ClaimPlace, Pair], op: str) -> str:
    """What caches gain before a memory that answers at once."""
    least = [times[at(wait_states=_WAITS[0], flags=level)].ratio for level in RELEASE]
    return (
        "A memory that answers at once leaves caches little to gain, and they are empty when a "
        f"window begins: with 0 wait states {_told(op)} takes {_span(least, '{:.2f}'.format)} "
        "times as long without them."
    )


def _rate(rows: Sequence[Row]) -> Claim:
    """The text's bound on rates."""
    rates = {
        at(platform=name) + place: rate
        for name in _PUBLISHED
        for place, rate in figures(rows, "mbit_per_s", _MEMORY, platform=name).items()
    }
    return Claim("No software on the FPGA supports more than 10 Mbit/s (encryption, 100 MHz).",
                 "at most", rates, 10)  # fmt: skip


def _over_encryption(rows: Sequence[Row], name: str, op: str) -> dict[ClaimPlace, Pair]:
    """An operation against encryption on one processor, by wait states and level."""
    return pairs(rows, f"{op}_cycles", "encryption_cycles", _MEMORY, platform=name)


def _within_platforms(rows: Sequence[Row]) -> list[Claim]:
    """What table 1 says within a column, at every number of wait states."""
    made = []
    for name, title in _PUBLISHED.items():
        theirs = published_ms(theirs_of(title))
        slower = theirs["decryption"] / theirs["encryption"]
        share = theirs["key"] / theirs["encryption"]
        ratios, shares = (_over_encryption(rows, name, op) for op in ("decryption", "key"))
        made += [
            Claim(f"Decryption takes {slower:.2f} times as long as encryption ({title}).", "effect",
                  ratios, slower, cause="compiler or processor", why=_spread(ratios)),
            Claim(f"Key expansion for both directions takes {100 * share:.1f} % of an encryption "
                  f"({title}).", "part", shares, share, cause="our code differs",
                  why=f"{_spread(shares)} Nor does it show the code of its key expansion."),
        ]  # fmt: skip
    return made


def _spread(found: Mapping[ClaimPlace, Pair]) -> str:
    """The least and the largest ratio of the sweep."""
    low, high = (which(found, key=lambda at: found[at].ratio) for which in (min, max))
    return (
        f"By wait states and level it is {number(found[low].ratio)} (at {low}) to "
        f"{number(found[high].ratio)} (at {high}); the paper describes neither its memory nor its "
        "compiler's flags."
    )


def _why(rows: Sequence[Row], op: str) -> str:
    """What a wait state costs, and what comes of it at the ends of the sweep."""
    cell, column = found(rows, "platform", *_MEMORY), f"{op}_cycles"
    times = _ratios(rows, op)

    def each(platform: str) -> str:
        ends = [[figure(cell(platform, wait, level)[column]) for wait in (0, 8)]
                for level in RELEASE]  # fmt: skip
        return _span([(last - first) / 8 for first, last in ends], number)

    def over(wait: int) -> str:
        return _span(
            [times[at(wait_states=wait, flags=level)].ratio for level in RELEASE], "{:.1f}".format
        )

    return (
        "The ratio depends on the memory: up to eight, a wait state costs, by level, "
        f"{each(NO_CACHE)} cycles without caches and {each(CACHED)} behind them. "
        f"At {_WAITS[0]} of them it is {over(_WAITS[0])}, at {_WAITS[-1]} it is "
        f"{over(_WAITS[-1])}. The paper does not describe its memory."
    )


def _span(values: Sequence[float], write: Callable[[float], str]) -> str:
    """Least to largest."""
    low, high = write(min(values)), write(max(values))
    return low if low == high else f"{low} to {high}"


def render(rows: Sequence[Row]) -> list[Part]:
    """Ratios, in a table and as lines, then the cycles behind them."""
    rows = with_own_flags(rows)
    times = {op: list(_ratios(rows, op).values()) for op in OPS}
    lined = [
        (str(wait), *(f"{times[op][at].ratio:.1f}" for op in OPS)) for at, wait in enumerate(_WAITS)
    ]
    lined.append(("published", *(f"{_published(op):.1f}" for op in OPS)))
    drawn = [
        ChartLine(_told(op), list(zip(_WAITS, (one.ratio for one in times[op]), strict=True)))
        for op in OPS
    ]
    marks = [(1.0, "block RAM"), (10.0, "SDRAM")]
    image = lines(drawn, Scale("wait states"), Scale("times as long without caches"), marks=marks)
    alt = "Lines: all three ratios grow with the wait states, encryption past 10 at 10 of them."
    told = ", ".join(f"{_published(op):.1f} ({_told(op)})" for op in OPS)
    head = ("wait states", *(_told(op) for op in OPS))
    return [
        ResultTable("Without caches over with, 1504 bytes", head, tuple(lined)),
        Figure("What caches gain", image, ".svg", alt, f"Published: {told}."),
        _cycles(rows),
    ]


def _cycles(rows: Sequence[Row]) -> ResultTable:
    """Of encryption and decryption on both processors."""
    cell, ops = found(rows, "platform", "wait_states"), list(OPS)[1:]
    head = ("wait states", *(told for op in ops for told in (op, "with caches")))
    cells = [
        (
            str(wait),
            *(number(cell(name, wait)[f"{op}_cycles"]) for op in ops for name in _PUBLISHED),
        )
        for wait in _WAITS
    ]
    theirs_ms = (
        f"{published_ms(theirs_of(one))[op]} ms" for op in ops for one in _PUBLISHED.values()
    )
    cells.append(("published", *theirs_ms))
    return ResultTable("Cycles for 1504 bytes", head, tuple(cells))
