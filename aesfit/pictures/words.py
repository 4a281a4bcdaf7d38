# SPDX-License-Identifier: MIT
"""Texts on the statistics of pictures: one sentence each, and the format of figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from .analysis import GENERATOR, PLAIN, AnalysedPicture
from .figures import NAMES


@dataclass(frozen=True)
class Metric:
    """How one figure is shown."""

    title: str
    short: str
    """Heading of a column."""
    digits: int
    """Digits after the point."""
    sentence: str


METRICS = {
    "entropy": Metric(
        "Entropy",
        "entropy",
        4,
        "bits that a byte tells when only the frequencies of the 256 values are known, mean over "
        "the channels; 8 is the most, and random bytes stay a little below.",
    ),
    "local_entropy": Metric(
        "Local entropy",
        "local",
        4,
        "the mean entropy of tiles of 16x16 pixels, which shows flat regions that the whole "
        "picture hides; of 256 random bytes it is 7.1750.",
    ),
    "chi_square": Metric(
        "Chi-square",
        "chi-square",
        1,
        "how far the histogram is from flat, summed over the channels; 255 a channel for random "
        "bytes, the more the less flat.",
    ),
    "p_value": Metric(
        "p-value",
        "p",
        4,
        "how often random bytes have a chi-square at least as large; any value is as likely as "
        "any other, and only one very near 0 or 1 is odd.",
    ),
    "horizontal": Metric(
        "Correlation, horizontal",
        "horiz.",
        4,
        "how well a pixel predicts its right neighbour, over all pairs: near 1 in photographs, "
        "0 if it predicts nothing.",
    ),
    "vertical": Metric(
        "Correlation, vertical",
        "vert.",
        4,
        "the same for the neighbour below; ECB keeps it high if a flat area repeats its blocks "
        "from row to row.",
    ),
    "diagonal": Metric(
        "Correlation, diagonal",
        "diag.",
        4,
        "the same for the neighbour diagonally below, on the right.",
    ),
    "repeated_blocks": Metric(
        "Repeated blocks",
        "repeated",
        4,
        "share of the 16-byte blocks whose value occurs more than once; ECB keeps the share of the "
        "picture, at any number of rounds, and this is why the picture shows through.",
    ),
    "npcr": Metric(
        "NPCR in %",
        "NPCR %",
        6,
        "bytes that differ between two encryptions under one key and IV when one bit of the "
        "picture changes; 99.6094 % of the bytes that come out anew, and how many do is decided "
        "by the mode and by where the bit lies.",
    ),
    "uaci": Metric(
        "UACI in %",
        "UACI %",
        6,
        "by how much they differ on average, in percent of full scale; 33.4635 % of the bytes that "
        "come out anew, and for a single bit its own value.",
    ),
}
"""Texts by the names of figures."""
_LARGE = 10_000
"""Larger figures are shown without digits after the point."""
HISTOGRAM = (
    "how often values occur in a channel, in 16 equal steps from 0 to 255, each in ninths of the "
    "most frequent; nines throughout are flat."
)
WORDS_OF_CAUTION = (
    "These figures prove no security: they tell whether bytes look random to a few simple tests.  "
    f"XOR with a linear congruential generator (mode {GENERATOR}) passes as ciphers do, and anyone "
    "who knows a few pixels undoes it; CTR passes under a key that everybody knows.  A mode in "
    "which one bit changes a bit or a block is not weak for that, and one in which it changes all "
    "that follows is not strong."
)
RANGES = (
    "An expected range holds 9,999 of 10,000 good encryptions.  In ECB it depends on which blocks "
    "of the picture are equal, so it is found by encrypting them 16 to 100 times with an ideal "
    "cipher, and may miss a rare case."
)


def number(name: str, value: float | None) -> str:
    """Format a figure; large ones with separated thousands."""
    if value is None:
        return "-"
    text = f"{value:,.{METRICS[name].digits if abs(value) < _LARGE else 0}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def bars(counts: Sequence[int]) -> str:
    """A histogram as 16 digits, by HISTOGRAM."""
    steps = [sum(counts[start : start + 16]) for start in range(0, 256, 16)]
    most = max(steps)
    return "".join(str(round(9 * step / most)) for step in steps)


def verdict(within: bool | None) -> str:
    """Whether a figure lies within its range."""
    return "-" if within is None else "yes" if within else "no"


def reasons(items: Sequence[AnalysedPicture]) -> list[str]:
    """Reasons for missing figures or verdicts, each sentence once."""
    modes: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for item in items:
        lacking: dict[str, list[str]] = {}
        for name in NAMES:
            why = item.expected[name].why
            if why and (item.figures[name] is None or item.mode != PLAIN):
                lacking.setdefault(why, []).append(METRICS[name].title)
        for why, titles in lacking.items():
            modes.setdefault((why, tuple(titles)), []).append(item.mode)
    return [
        f"{', '.join(names)}: {', '.join(titles)}: {why}." for (why, titles), names in modes.items()
    ]
