# SPDX-License-Identifier: MIT
"""One picture under ECB with more and more rounds, under CBC and under CTR, side by side."""

from dataclasses import dataclass

from ..jobs.job import Progress
from .cipher import Settings, encrypt_pixels
from .picture_file import Picture
from .statistics import BLOCK, repeated_blocks

KEY = bytes(range(16))
"""Fixed key and IV, so that a sheet can be drawn again; they protect nothing."""
IV = bytes(range(16, 32))
ROUNDS = (2, 4, 6, 8, 10)
"""Rounds of ECB with a 128-bit key, as in Doomun et al., figures 5a and 5b; 10 are AES."""


@dataclass(frozen=True)
class Panel:
    """A picture on the sheet."""

    title: str
    picture: Picture
    repeated: float
    """Share of the 16-byte blocks that occur more than once, from 0 to 1."""


def _panel(title: str, picture: Picture) -> Panel:
    return Panel(title, picture, repeated_blocks(picture.data))


def _settings() -> list[tuple[str, Settings]]:
    """Titles and settings of the panels."""
    found = [(f"ECB, {rounds} rounds", Settings("ecb", KEY, rounds=rounds)) for rounds in ROUNDS]
    found += [(f"{mode.upper()}, 10 rounds", Settings(mode, KEY, IV)) for mode in ("cbc", "ctr")]
    return [(title if how.reduced else f"{title} (AES)", how) for title, how in found]


def panels(picture: Picture, progress: Progress = lambda done, total: None) -> list[Panel]:
    """The original and its encryptions; ValueError if it has no whole block."""
    if len(picture.data) < BLOCK:
        raise ValueError(f"{picture.name} has fewer than {BLOCK} bytes of pixels: no block to show")
    found = [_panel("Original", picture)]
    wanted = _settings()
    for title, how in wanted:
        progress(len(found), len(wanted) + 1)
        found.append(_panel(title, encrypt_pixels(picture, how)))
    return found


def sentence(found: list[Panel]) -> str:
    """A sentence on the shares; those under ECB are compared, not assumed to be equal."""
    original, *rest = found
    blocks, chains = rest[: len(ROUNDS)], rest[len(ROUNDS) :]
    if any(one.repeated != original.repeated for one in blocks):
        raise RuntimeError("ECB changed the share of repeated blocks: the cipher is no permutation")
    chained = " and ".join(
        f"{one.title.partition(',')[0]} leaves {percent(one.repeated)}" for one in chains
    )
    return (
        f"{percent(original.repeated)} of this picture's 16-byte blocks occur more than once.  "
        "ECB turns equal blocks into equal blocks, so the share is the same at any number of "
        f"rounds.  {chained}, because what they mix in differs from block to block."
    )


def percent(share: float) -> str:
    """A share to a tenth of a percent; 0.0 % and 100.0 % only if exact."""
    if 0 < share < 0.0005:
        return "< 0.1 %"
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return f"{100 * share:.1f} %"
