# SPDX-License-Identifier: MIT
"""Section 4: two more rounds add 14 to 19 % to encryption of a block, 15 to 30 % to decryption.

Ours: the plain core with 2, 4, 6, 8 and 10 rounds, on six 32-bit processors at -O2, one block with
the keys expanded before.

What differs: below 10 rounds it is not AES.  A range is held as the ratio in its middle, with the
25 % of every ratio, for each step from 2 rounds on, as the text has them ("2, 4, 6, 8...").
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from aesfit.instruction_counts.block_run import BlockQuestion, run
from aesfit.jobs.job import Progress
from aesfit.papers.cells import figure, found
from aesfit.papers.charts import ChartLine, Scale, lines
from aesfit.papers.contract import (
    Claim,
    Column,
    Figure,
    Measured,
    Pair,
    Part,
    ResultTable,
    Row,
    Words,
)
from aesfit.papers.images import PLAIN, PLATFORMS, blocks_run, span
from aesfit.papers.provenance import lines as provenance
from aesfit.papers.tables import number, percent
from aesfit.pictures.panels import ROUNDS
from aesfit.platforms.find import platform_named

NUMBER = "Section 4, rounds"
TITLE = "What two more rounds add"
COLUMNS = (
    Column("platform"),
    Column("rounds"),
    Column("encrypt", "cycles"),
    Column("decrypt", "cycles"),
    Column("key_expansion", "cycles"),
)
FAST = False
_LEVEL = "-O2"
_PUBLISHED = {"encrypt": (0.14, 0.19), "decrypt": (0.15, 0.30)}
_STEPS = tuple(pairwise(ROUNDS))


def rows(progress: Progress) -> Measured:
    """Both directions with each number of rounds; the key expansion is that of AES."""
    keys = blocks_run((PLAIN,), (_LEVEL,), lambda done, total: None, "key-setup-encrypt")
    made: list[Row] = []
    for name in PLATFORMS:
        for rounds in ROUNDS:
            progress(len(made), len(PLATFORMS) * len(ROUNDS))
            asked = BlockQuestion(platform_named(name), PLAIN, 128, rounds, (_LEVEL,))
            forth, back = run(asked, "encrypt"), run(asked, "decrypt")
            made.append(
                {
                    "platform": name,
                    "rounds": rounds,
                    "encrypt": forth.cycles(forth.block.profile),
                    "decrypt": back.cycles(back.block.profile),
                    "key_expansion": keys[name, _LEVEL, PLAIN].cycles,
                }
            )
    return Measured(made, provenance(list(keys.values())))


def _growth(rows: Sequence[Row], direction: str, *, keys: bool = False) -> dict[str, Pair]:
    """By step and platform; `keys`: with key expansion in the time."""
    cell = found(rows, "platform", "rounds")

    def time(name: str, rounds: int) -> float:
        row = cell(name, rounds)
        return figure(row[direction]) + (figure(row["key_expansion"]) if keys else 0.0)

    return {
        f"{low} to {high} rounds, {name}": Pair(time(name, high), time(name, low))
        for low, high in _STEPS
        for name in PLATFORMS
    }


def _added(pairs: Mapping[str, Pair]) -> list[float]:
    """Shares of the time before."""
    return [pair.ratio - 1 for pair in pairs.values()]


def claims(rows: Sequence[Row]) -> list[Claim]:
    """Both ranges."""
    made = []
    for direction, (low, high) in _PUBLISHED.items():
        grown = _growth(rows, direction)
        with_keys = _added(_growth(rows, direction, keys=True))
        why = (
            "Time of a block rises as a line through nearly nothing, so that two more rounds add "
            f"{span(_added(grown))}: two rounds double two and are a quarter of eight. With "
            f"the key expansion of AES in the time it would be {span(with_keys)}; no constant "
            "share of the time before can be right for every step."
        )
        name = {"encrypt": "encryption", "decrypt": "decryption"}[direction]
        sentence = f"Two more rounds add {100 * low:.0f} to {100 * high:.0f} % to {name}."
        made.append(Claim(sentence, "range", grown, (low, high), "added", "the claim itself", why))
    return made


def render(rows: Sequence[Row]) -> list[Part]:
    """Lines of cycles by rounds, growth in a table."""
    cell = found(rows, "platform", "rounds")
    parts: list[Part] = []
    for direction in _PUBLISHED:
        drawn = [
            ChartLine(name, [(rounds, figure(cell(name, rounds)[direction])) for rounds in ROUNDS])
            for name in PLATFORMS
        ]
        image = lines(drawn, Scale("rounds"), Scale(f"cycles of {direction}()"))
        title = f"Cycles of {direction}() by rounds"
        parts.append(Figure(title, image, ".svg", f"{title}: straight lines for each processor."))
    head = ("step", *(f"{name}, {direction}" for name in PLATFORMS for direction in ("e", "d")))
    grown = {direction: _growth(rows, direction) for direction in _PUBLISHED}
    cells = tuple(
        (
            f"{low} to {high}",
            *(
                percent(grown[direction][f"{low} to {high} rounds, {name}"].ratio - 1)
                for name in PLATFORMS
                for direction in _PUBLISHED
            ),
        )
        for low, high in _STEPS
    )
    parts.append(ResultTable("Growth of encryption (e) and decryption (d)", head, cells))
    shown = [number(cell(name, 10)["key_expansion"]) for name in PLATFORMS]
    told = ", ".join(f"{cycles} ({name})" for name, cycles in zip(PLATFORMS, shown, strict=True))
    parts.append(Words(f"Key expansion, which is not in these times, takes in cycles: {told}."))
    return parts
