# SPDX-License-Identifier: MIT
"""The figures of a picture, plain and under every mode, with their expected values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt
from statistics import fmean, stdev

from . import expectation, statistics
from .cipher import IV_BYTES, MODES, Settings, encrypt
from .expectation import Range
from .figures import Figures, measure, plane_names
from .noise import ideal_ecb, lcg_encrypt
from .picture_file import Picture
from .sealed import parameters
from .spread import Spread, flip, spread
from .statistics import BLOCK

PLAIN = "plain"
GENERATOR = "lcg"
"""XOR with bytes of a linear congruential generator: it passes the tests, but is insecure."""
ALL_MODES = (*MODES, GENERATOR)
FIXED_KEY = bytes(range(16))
"""For analysis only; with a random key, figures would differ from run to run."""
_FIXED_IV = bytes(range(16, 32))
_LEAST_DRAWS, _MOST_DRAWS = 16, 100
_DRAWN_BYTES = 1 << 27
"""Bytes drawn for an ideal ECB in total, within these numbers of draws; some seconds."""
_STUDENT = 5.239
"""Standard deviations with probability OUTSIDE beyond, in Student's t of 15 degrees (16 draws)."""
_BOUNDS = {
    "entropy": (0.0, 8.0),
    "local_entropy": (0.0, 8.0),
    "chi_square": (0.0, inf),
    "horizontal": (-1.0, 1.0),
    "vertical": (-1.0, 1.0),
    "diagonal": (-1.0, 1.0),
}
"""Names of the figures that equal blocks change in ECB."""
_NOT_NOISE = "a picture is not noise; the expected values are those of random bytes"
_ONE_ONLY = "two encryptions are compared, and this is one picture"
_FLAT = "correlation is not defined if all pixels are equal"
_UNKNOWN_SHARE = "ECB keeps the share of the picture, which is not in this file"


@dataclass(frozen=True)
class AnalysedPicture:
    """One picture under one mode."""

    file: str
    mode: str
    """PLAIN, one of ALL_MODES, or the mode of a file that is encrypted already."""
    figures: Figures
    expected: dict[str, Range]
    data: bytes = field(repr=False)
    """The bytes that the figures describe."""
    change: Spread | None = None
    """What changes in it if one bit of the picture changes."""

    def within(self, name: str) -> bool | None:
        """Whether a figure is in its expected range; None without one."""
        expected = self.expected[name]
        return None if expected.why else expected.holds(self.figures[name])


def random_bytes(picture: Picture) -> dict[str, Range]:
    """Expected figures of random bytes in the shape of a picture."""
    height, width, planes = picture.height, picture.width, len(plane_names(picture))
    tiles = (height // statistics.TILE) * (width // statistics.TILE) * planes
    pixels = height * width
    alone = Range(None, why=_ONE_ONLY)
    return {
        "entropy": expectation.entropy(pixels, planes),
        "local_entropy": expectation.local_entropy(tiles),
        "chi_square": expectation.chi_square(pixels, planes),
        "p_value": expectation.p_value(pixels),
        "horizontal": expectation.correlation(height * (width - 1), planes),
        "vertical": expectation.correlation((height - 1) * width, planes),
        "diagonal": expectation.correlation((height - 1) * (width - 1), planes),
        "repeated_blocks": _repeats(pixels * planes, 0.0),
        "npcr": alone,
        "uaci": alone,
    }


def _repeats(size: int, share: float) -> Range:
    """Expected repeated blocks of random bytes: none, as two are equal with probability 2^-128."""
    if size < BLOCK:
        return Range(None, why="a picture below 16 bytes has no whole block")
    return expectation.exactly(share)


def ecb_bytes(data: bytes, picture: Picture) -> dict[str, Range]:
    """Expected figures of an ideal ECB of these bytes, whose equal blocks stay equal.

    The mean of some draws, and the range of another one: that of a normal distribution, but at
    least from the smallest to the largest draw, because few distinct blocks give few distinct
    figures.
    """
    many = min(max(_DRAWN_BYTES // len(data), _LEAST_DRAWS), _MOST_DRAWS)
    draws = [measure(each, picture) for each in ideal_ecb(data, many)]
    expected = random_bytes(picture)
    for name, (least, most) in _BOUNDS.items():
        if expected[name].why is None:
            expected[name] = _drawn([draw[name] for draw in draws], least, most)
    expected["p_value"] = Range(None, why="equal blocks raise chi-square, so p means nothing")
    return expected


def _drawn(values: Sequence[float | None], least: float, most: float) -> Range:
    defined = [value for value in values if value is not None]
    if len(defined) < len(values):
        return Range(None, why="too few distinct blocks for a range")
    value = fmean(defined)
    reach = _STUDENT * stdev(defined) * sqrt(1 + 1 / len(defined))
    low, high = min(value - reach, *defined), max(value + reach, *defined)
    return Range(value, max(low, least), min(high, most))


def _explained(figures: Figures, expected: dict[str, Range]) -> dict[str, Range]:
    """Add the reason for correlations that are undefined on flat planes."""
    lacking = {
        name: replace(expected[name], why=_FLAT)
        for name in ("horizontal", "vertical", "diagonal")
        if figures[name] is None and expected[name].value is not None
    }
    return {**expected, **lacking}


def _as_it_is(data: bytes, picture: Picture, mode: str) -> dict[str, Range]:
    """Expected figures of one picture under a mode, without NPCR and UACI."""
    if mode == "ecb" and len(data) >= BLOCK and statistics.repeated_blocks(data):
        return ecb_bytes(data, picture)
    return random_bytes(picture)


def _item(picture: Picture, mode: str, data: bytes, expected: dict[str, Range]) -> AnalysedPicture:
    figures = measure(data, picture)
    return AnalysedPicture(picture.name, mode, figures, _explained(figures, expected), data)


def plain_item(picture: Picture) -> AnalysedPicture:
    """Analyse a picture that is not encrypted; there is no verdict."""
    expected = {
        name: replace(each, why=each.why or _NOT_NOISE)
        for name, each in random_bytes(picture).items()
    }
    return _item(picture, PLAIN, picture.data, expected)


def encrypted_mode(picture: Picture) -> str | None:
    """The mode with which `aesfit image encrypt` made this picture; None for other pictures.

    ValueError if its parameters are damaged.
    """
    return None if picture.text is None else parameters(picture).mode


def encrypted_item(picture: Picture, mode: str) -> AnalysedPicture:
    """Analyse a picture encrypted before; without a second encryption there are no differences."""
    expected = _as_it_is(picture.data, picture, mode)
    if mode == "ecb" and expected["repeated_blocks"].why is None:
        expected["repeated_blocks"] = Range(None, why=_UNKNOWN_SHARE)
    return _item(picture, mode, picture.data, expected)


def _encrypt(data: bytes, mode: str, key: bytes) -> bytes:
    if mode == GENERATOR:
        return lcg_encrypt(data)
    return encrypt(data, Settings(mode, key, _FIXED_IV[: IV_BYTES[mode]]))[0]


def mode_item(picture: Picture, mode: str, key: bytes, bit: int) -> AnalysedPicture:
    """Encrypt a picture twice, the second time with one bit changed, and analyse it."""
    plain = picture.data
    data = _encrypt(plain, mode, key)
    other = _encrypt(flip(plain, bit), mode, key)
    change = spread(mode, len(plain), bit)
    expected = _as_it_is(data, picture, mode)
    if mode == "ecb" and len(plain) >= BLOCK:
        expected["repeated_blocks"] = expectation.exactly(statistics.repeated_blocks(plain))
    expected["npcr"] = expectation.npcr(len(change.redrawn), len(change.flips), len(plain))
    expected["uaci"] = expectation.uaci(len(change.redrawn), change.flips, len(plain))
    pair = statistics.as_bytes(data), statistics.as_bytes(other)
    changed = {"npcr": statistics.npcr(*pair), "uaci": statistics.uaci(*pair)}
    made = _item(picture, mode, data, expected)
    return replace(made, figures={**made.figures, **changed}, change=change)


def analyse(
    picture: Picture, modes: Sequence[str], key: bytes, bit: int
) -> Iterator[AnalysedPicture]:
    """Analyse the picture as it is, then under each mode; an encrypted one only as it is."""
    came_as = encrypted_mode(picture)
    if came_as is not None:
        yield encrypted_item(picture, came_as)
        return
    yield plain_item(picture)
    for mode in modes:
        yield mode_item(picture, mode, key, bit)
